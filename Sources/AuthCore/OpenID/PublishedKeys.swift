/// Where an issuer publishes the keys of its tokens: all that is needed of one that signs nobody in, such as a CI system,
/// whose document has no other endpoints.
public struct PublishedKeys: Sendable {
    /// What errors and caches call it.
    public let issuer: String
    /// Several where it signs from several hosts, none where it has no ID tokens.
    public let urls: [HTTPURL]
    /// The signature algorithms its ID tokens may have, as far as this library has them.
    public let algorithms: Set<SignatureAlgorithm>
    /// The narrowest network that its endpoints may be in.
    public let zone: NetworkZone

    /// The keys of an issuer that is built in.
    init(issuer: String, urls: [HTTPURL]) {
        self.issuer = issuer
        self.urls = urls
        // Every one of them signs with RSA keys; Apple's prose says otherwise, its keys do not.
        algorithms = [.rs256]
        zone = .loopback
    }

    /// Reads a discovery document.
    /// - Parameters:
    ///   - zone: where the document came from, as far as it is known.
    ///   - allowsPlainHTTP: plain http was allowed by name.
    /// - Throws: `DiscoveryError`.
    public init(
        _ bytes: [UInt8], issuer: HTTPURL, zone: NetworkZone?, allowsPlainHTTP: Bool = false
    ) throws(DiscoveryError) {
        try self.init(IssuerDocument(bytes, issuer: issuer, zone: zone, allowsPlainHTTP: allowsPlainHTTP))
    }

    init(_ document: IssuerDocument) throws(DiscoveryError) {
        issuer = document.issuer.text
        zone = document.zone
        urls = [try document.required("jwks_uri")]
        let algorithms = document.object["id_token_signing_alg_values_supported"]?.strings ?? ["RS256"]
        self.algorithms = Set(algorithms.compactMap(SignatureAlgorithm.init(rawValue:)).flatMap(\.synonyms))
        guard !self.algorithms.isEmpty else { throw .unsupported("ID tokens with an asymmetric signature") }
    }
}

/// A discovery document of the issuer that was asked, whose endpoints are checked as they are read.
struct IssuerDocument {
    private(set) var object: JSONObject
    let issuer: HTTPURL
    /// A literal address proves its zone; a name is where the document came from, or else public.
    let zone: NetworkZone
    private let allowsPlainHTTP: Bool

    init(_ bytes: [UInt8], issuer: HTTPURL, zone: NetworkZone?, allowsPlainHTTP: Bool) throws(DiscoveryError) {
        do { object = try StrictJSON.object(bytes) } catch { throw .document(error) }
        guard let named = object["issuer"]?.string else {
            throw .issuerMismatch(expected: issuer.text, found: object["issuer"].map { ServerText($0.text) })
        }
        guard named.hasSameBytes(as: issuer.text) else {
            throw .issuerMismatch(expected: issuer.text, found: ServerText(named))
        }
        self.issuer = issuer
        self.zone = issuer.literalZone ?? zone ?? .global
        self.allowsPlainHTTP = allowsPlainHTTP
    }

    /// Takes over what this document does not say itself.
    mutating func complete(with other: IssuerDocument, _ names: [String]) {
        object.complete(with: other.object.filter { names.contains($0) })
    }

    func required(_ name: String) throws(DiscoveryError) -> HTTPURL {
        guard let url = try endpoint(name) else { throw .missingEndpoint(name) }
        return url
    }

    func endpoint(_ name: String) throws(DiscoveryError) -> HTTPURL? {
        guard let value = object[name], value != .null else { return nil }
        guard let text = value.string else { throw .invalidEndpoint(name, reason: "it is no string") }
        let url: HTTPURL
        do { url = try HTTPURL(text) } catch { throw .invalidEndpoint(name, reason: "it is no plain https URL") }
        if !url.isSecure {
            // Plain http behind an https issuer would undo the issuer's TLS.
            guard !issuer.isSecure, url.isLoopback || allowsPlainHTTP else {
                throw .invalidEndpoint(name, reason: "it is plain http")
            }
        }
        if let literal = url.literalZone, literal < zone {
            throw .invalidEndpoint(name, reason: "it points into a private network")
        }
        return url
    }
}
