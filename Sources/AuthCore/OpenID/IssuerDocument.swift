/// The discovery document of the expected issuer. Its endpoints are checked when they are read.
struct IssuerDocument {
    private(set) var object: JSONObject
    let issuer: HTTPURL
    let zone: NetworkZone
    private let allowsPlainHTTP: Bool

    init(_ bytes: [UInt8], issuer: HTTPURL, zone: NetworkZone?, allowsPlainHTTP: Bool) throws(DiscoveryError) {
        do { object = try StrictJSON.object(body: bytes) } catch { throw .document(error) }
        guard let named = object["issuer"]?.string else {
            throw .issuerMismatch(expected: issuer.text, found: object["issuer"].map { ServerText($0.text) })
        }
        guard let parsed = try? HTTPURL(named), parsed.isSameIssuer(as: issuer) else {
            throw .issuerMismatch(expected: issuer.text, found: ServerText(named))
        }
        self.issuer = parsed
        self.zone = issuer.literalZone ?? zone ?? .global
        self.allowsPlainHTTP = allowsPlainHTTP
    }

    mutating func complete(with other: IssuerDocument, _ names: [String]) {
        object.complete(with: other.object.filter { names.contains($0) })
    }

    func required(_ name: String) throws(DiscoveryError) -> HTTPURL {
        guard let url = try endpoint(name) else { throw .missingEndpoint(name) }
        return url
    }

    func endpoint(_ name: String) throws(DiscoveryError) -> HTTPURL? { try endpoint(object.optional(name), name) }

    /// The URL of an endpoint, or why it cannot be used; nil if there is none.
    func result(of value: JSONValue?, _ name: String) -> Result<HTTPURL, DiscoveryError>? {
        do throws(DiscoveryError) { return try endpoint(value, name).map { .success($0) } } catch {
            return .failure(error)
        }
    }

    private func endpoint(_ value: JSONValue?, _ name: String) throws(DiscoveryError) -> HTTPURL? {
        guard let value else { return nil }
        guard let text = value.string else { throw .invalidEndpoint(name, .notAString) }
        do { return try HTTPURL(text, namedBy: issuer, in: zone, allowsPlainHTTP: allowsPlainHTTP) } catch {
            throw .invalidEndpoint(name, error)
        }
    }
}

extension HTTPURL {
    /// A URL in a document of `server`, which is in a zone.
    init(
        _ text: String, namedBy server: HTTPURL, in zone: NetworkZone, allowsPlainHTTP: Bool = false
    ) throws(DiscoveryError.EndpointFault) {
        guard let url = try? HTTPURL(text) else { throw .notAURL }
        // An https server must not name plain http URLs: its TLS would not protect them.
        guard url.isSecure || !server.isSecure && (url.isLoopback || allowsPlainHTTP) else { throw .plainHTTP }
        if let literal = url.literalZone, literal < zone { throw .privateNetwork }
        self = url
    }

    /// Whether two issuers are the same. They are compared byte by byte; only an issuer without a path may have a
    /// trailing slash or none (RFC 3986 section 6.2.3), because Python's MCP SDK always adds it.
    package func isSameIssuer(as other: HTTPURL) -> Bool {
        text.hasSameBytes(as: other.text)
            || query == nil && ["", "/"].contains(path) && textWithoutSlash.hasSameBytes(as: other.textWithoutSlash)
    }
}
