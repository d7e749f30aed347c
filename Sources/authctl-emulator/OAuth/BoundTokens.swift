import AuthCore

/// DPoP proofs (RFC 9449) and their faults.
extension AuthorizationServer {
    /// The thumbprint of the key that signed the request's DPoP proof; nil for a request without a proof.
    func proofKey(_ request: Request, accessToken: String? = nil) throws -> String? {
        guard let text = request.headers["dpop"] else {
            guard !has(.requiresProof) || accessToken != nil else { throw proofRefusal("DPoP is missing.") }
            return nil
        }
        if has(.refusesProof) { throw proofRefusal("The fault dpop-refused is on.") }
        guard let token = try? UnverifiedJWS(text),
            let header = Base64URL.decode(String(text.prefix { $0 != "." })).flatMap({ try? StrictJSON.object($0) }),
            header["typ"] == "dpop+jwt",
            header["alg"] == .string(token.header.algorithm.rawValue), let object = header["jwk"]?.object
        else { throw proofRefusal("The DPoP header is not a valid proof.") }
        guard object["d"] == nil, object["p"] == nil, let jwk = try JWK(object) else {
            throw proofRefusal("jwk is not a public key.")
        }
        let verifier = JWSVerifier(keys: JWKSet(keys: [jwk]), algorithms: Set(AuthorizationServer.proofAlgorithms))
        guard let verified = try? verifier.verify(token), let claims = try? StrictJSON.object(verified.payload) else {
            throw proofRefusal("The signature of the proof is wrong.")
        }
        let places = [settings.base, settings.mtlsURL].compactMap { $0.map { JSONValue.string($0 + request.path) } }
        guard claims["htm"] == .string(request.method), let place = claims["htu"], places.contains(place) else {
            throw proofRefusal("htm or htu does not match this request.")
        }
        let hash = try accessToken.map { Base64URL.encode(try HashFunction.sha256.digest($0.utf8)) }
        guard claims["ath"]?.string == hash else {
            throw proofRefusal("ath does not match the token, or is not allowed in this request.")
        }
        guard let issued = claims["iat"]?.number?.integer, abs(issued - now()) <= 60 else {
            throw proofRefusal("iat differs by more than a minute from the current time.")
        }
        if has(.requiresNonce) || has(.requiresNonceForever) {
            try checkNonce(claims["nonce"]?.string, accessToken != nil)
        }
        guard let id = claims["jti"]?.string, id.utf8.count >= 16, usedProofs.insert(id).inserted else {
            throw proofRefusal("jti is missing, short, or was used before.")
        }
        return try jwk.thumbprint()
    }

    static let proofAlgorithms: [SignatureAlgorithm] = [.es256, .es384, .edDSA]

    private func proofRefusal(_ why: String) -> Refusal { Refusal("invalid_dpop_proof", why) }

    private func checkNonce(_ nonce: String?, _ isResource: Bool) throws {
        let kind = isResource ? "resource" : "authorization"
        if !has(.requiresNonceForever), let nonce, nonce == nonces[kind]?.nonce, let left = nonces[kind]?.left, left > 0
        {
            nonces[kind]?.left -= 1
            return
        }
        if !has(.requiresNonceForever) || nonces[kind] == nil { nonces[kind] = ("\(kind)-\(try token())", 3) }
        count("nonce \(kind)")
        throw Refusal(
            "use_dpop_nonce", "The proof requires a nonce.", status: isResource ? 401 : 400, nonce: nonces[kind]?.nonce)
    }

    func granted(_ request: Request) throws -> Grant? {
        guard let text = request.authorization, let space = text.firstIndex(of: " ") else { return nil }
        let (scheme, token) = (text[..<space].lowercased(), String(text[text.index(after: space)...]))
        guard let grant = grant(ofAccessToken: token) else { return nil }
        guard let key = grant.proofKey else {
            let isShown = grant.certificate == nil || certificate(of: request)?.thumbprint == grant.certificate
            return scheme == "bearer" && isShown ? grant : nil
        }
        guard scheme == "dpop", try proofKey(request, accessToken: token) == key else { return nil }
        return grant
    }

    func tokenType(of grant: Grant) -> JSONValue {
        if has(.returnsBearerToken) { return "Bearer" }
        return grant.proofKey != nil || has(.returnsBoundToken) ? "DPoP" : "Bearer"
    }
}
