import AuthCore

/// Client authentication with a secret (RFC 6749 section 2.3), `private_key_jwt` (OpenID Connect Core section 9, RFC
/// 7523 section 3) or a certificate. Assertions are checked as FAPI 2.0 requires.
extension AuthorizationServer {
    private static let assertionType = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"

    func checkAssertion(_ request: Request, of clientID: String, _ key: PublicKey) throws {
        func refuse(_ why: String) -> Refusal { Refusal("invalid_client", why, status: 401) }
        guard let assertion = request.form["client_assertion"] else { throw refuse("client_assertion is missing.") }
        guard request.form["client_assertion_type"] == AuthorizationServer.assertionType else {
            throw refuse("client_assertion_type is not '\(AuthorizationServer.assertionType)'.")
        }
        guard let token = try? UnverifiedJWS(assertion) else { throw refuse("client_assertion is not a JWT.") }
        let algorithms = settings.clientAlgorithm.map { [$0] } ?? key.family.algorithms
        let verifier = JWSVerifier(
            keys: JWKSet(keys: [JWK(key: key, keyID: token.header.keyID)]), algorithms: Set(algorithms))
        guard algorithms.contains(token.header.algorithm) else {
            throw refuse("The assertion's alg is \(token.header.algorithm.rawValue).")
        }
        guard let verified = try? verifier.verify(token), let claims = try? StrictJSON.object(verified.payload) else {
            throw refuse("The signature of client_assertion is wrong.")
        }
        guard claims["iss"] == .string(clientID), claims["sub"] == .string(clientID) else {
            throw refuse("iss or sub is not the client.")
        }
        // A single string, the issuer: the token endpoint could be another server's.
        guard claims["aud"] == .string(issuer.name) else { throw refuse("aud is not '\(issuer.name)'.") }
        guard let expiresAt = claims["exp"]?.number?.integer, (now()...now() + 300).contains(expiresAt) else {
            throw refuse("exp is missing, expired, or more than 300 seconds in the future.")
        }
        guard let id = claims["jti"]?.string, usedAssertions.insert(id).inserted else {
            throw refuse("jti is missing, or was used before.")
        }
    }

    /// Finds a registered client by its ID. With the fault `metadata-documents`, the URL of a client's metadata is also
    /// accepted, without reading the metadata.
    func client(_ id: String) -> Client? {
        if let client = clients[id] { return client }
        guard has(.metadataDocuments), let url = try? HTTPURL(id), url.isSecure, url.path.utf8.count > 1 else {
            return nil
        }
        return Client(secret: nil, key: nil, redirectURIs: [])
    }

    func registeredClient(_ request: Request) throws -> String {
        var id = request.form["client_id"]
        var secret = request.form["client_secret"]
        let basic = has(.rawBasic) ? request.rawBasicCredentials : request.basicCredentials
        if has(.secretInBasic) { secret = nil }
        if has(.secretRefused) && (secret != nil || basic != nil) || has(.basicAlways) && basic == nil {
            throw Refusal("invalid_client", "The client must authenticate in another way.", status: 401)
        }
        if let pair = basic {
            guard secret == nil, id == nil || id == pair.name else {
                throw Refusal("invalid_request", "The client authenticates in two ways, or as two clients.")
            }
            (id, secret) = (pair.name, pair.secret)
        }
        guard let id else {
            let isForm = !request.form.isEmpty || request.body.isEmpty
            throw Refusal(
                "invalid_request",
                isForm ? "client_id is missing." : "The body must be application/x-www-form-urlencoded.")
        }
        guard let client = client(id) else { throw Refusal("invalid_client", "client_id is unknown.", status: 401) }
        try checkCertificateFaults(request)
        if let key = client.key {
            try checkAssertion(request, of: id, key)
            return id
        }
        if client.isKnownByCertificate {
            try checkCertificate(request, of: client)
            return id
        }
        if try asserted(request) != nil { return id }
        guard let expected = client.secret else { return id }
        if has(.secretInBody), basic != nil { secret = nil }
        guard let secret else { throw Refusal("invalid_client", "client_secret is missing.", status: 401) }
        guard constantTimeEqual(secret, expected) else {
            throw Refusal("invalid_client", "client_secret is wrong.", status: 401)
        }
        return id
    }
}
