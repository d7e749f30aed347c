/// The keys of an issuer that does not sign users in, for example a CI system. Its document has no other endpoints.
package struct PublishedKeys: Sendable {
    package let issuer: String
    package let urls: [HTTPURL]
    /// All built-in providers sign with RS256. (Apple's documentation names another algorithm, but its keys are RSA.)
    package private(set) var algorithms: Set<SignatureAlgorithm> = [.rs256]
    /// The algorithms in the order of the metadata, without synonyms.
    private(set) var listedAlgorithms: [SignatureAlgorithm] = [.rs256]
    package private(set) var zone = NetworkZone.loopback
}

extension PublishedKeys {
    /// - unlisted: the algorithms if the document does not list them.
    init(
        _ document: IssuerDocument, areNeeded: Bool = true, unlisted: [SignatureAlgorithm] = [.rs256]
    ) throws(DiscoveryError) {
        issuer = document.issuer.text
        zone = document.zone
        urls = areNeeded ? [try document.required("jwks_uri")] : (try? document.endpoint("jwks_uri")).map { [$0] } ?? []
        let names = document.object["id_token_signing_alg_values_supported"]?.strings
        listedAlgorithms = names?.compactMap(SignatureAlgorithm.init(rawValue:)) ?? unlisted
        algorithms = Set(listedAlgorithms.flatMap(\.synonyms))
        guard !areNeeded || !algorithms.isEmpty else { throw .unsupported(.signedIDTokens) }
    }
}
