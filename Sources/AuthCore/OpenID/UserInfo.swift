/// A request to the userinfo endpoint (OpenID Connect Core section 5.3).
package struct UserInfoRequest: Sendable {
    let keys: KeySource
    @Shared var metadata: ProviderMetadata
    let transport: any HTTPTransport
    let clientID: String
    /// The DPoP key of the access token (RFC 9449); nil for a bearer token.
    var prover: DPoPProver?
    /// The certificate of the access token (RFC 8705 section 3); nil for other tokens.
    var certificate: ClientCertificate?

    /// Returns the claims, plain or signed; nil if the provider has no userinfo endpoint.
    ///
    /// - Parameter subject: the ID token's subject. Claims with another subject are rejected (section 5.3.2). Nil if there
    ///   is no ID token.
    package func claims(of subject: String?, accessToken: AccessToken) async throws -> JSONObject? {
        guard let endpoint = try metadata.userInfoEndpoint(isBound: certificate != nil) else { return nil }
        var request = HTTPRequest(
            .get, endpoint,
            headers: [
                (name: "Authorization", value: "Bearer \(accessToken.revealed())"),
                (name: "Accept", value: "application/json, application/jwt"),
            ],
            narrowestZone: keys.published.zone, allowsPlainHTTP: keys.allowsPlainHTTP,
            secrets: [accessToken.revealed()])
        request.clientCertificate = certificate
        // A DPoP proof must not be sent twice (RFC 9449 section 11.1).
        if prover == nil { request.repeats = keys.fetcher.clock }
        let response =
            if let prover { try await prover.response(to: request, with: accessToken, transport) } else {
                try await transport.response(to: request)
            }
        guard response.status == 200 else { throw OAuthError.invalidResponse(.status(response.status), at: .userInfo) }
        let claims: JSONObject
        if response.mediaType == "application/jwt" {
            claims = try await signedClaims(response.body)
        } else {
            guard let object = response.object else {
                throw OAuthError.invalidResponse(.noObject(status: nil), at: .userInfo)
            }
            claims = response.withoutSecrets(.object(object)).object ?? object
        }
        let named = try claims.subject()
        guard subject.map(named.hasSameBytes) ?? true else { throw IDTokenRejection.claim("sub") }
        return claims
    }

    /// Verifies signed claims like an ID token, but only `iss` and `aud` are required. `exp` is obeyed (RFC 7519 section
    /// 4.1.4).
    private func signedClaims(_ body: [UInt8]) async throws -> JSONObject {
        do {
            let token = try UnverifiedJWS(String(decoding: body, as: UTF8.self).trimmingSpaces())
            let verified = try await keys.verify(token, algorithms: Set(SignatureAlgorithm.allCases))
            let claims = try verified.claims()
            guard let issuer = claims["iss"]?.string, metadata.issuers.matches(issuer) else {
                throw IDTokenRejection.claim("iss")
            }
            let audiences = claims["aud"]?.oneOrMoreStrings ?? []
            guard audiences.containsBytes(of: clientID) else {
                throw IDTokenRejection.audience(ServerText(audiences.joined(separator: ", ")), expected: clientID)
            }
            if let expiresAt = try claims.time("exp") {
                try claims.checkPeriod(until: expiresAt, now: keys.fetcher.clock.now())
            }
            return claims
        } catch let error as JOSEError {
            throw IDTokenRejection.jose(error)
        }
    }
}
