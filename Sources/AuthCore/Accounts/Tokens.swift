/// The tokens of one response, and how long they are valid.
package struct Tokens: Sendable, Equatable, Codable {
    package var accessToken: AccessToken?
    /// Seconds since 1970; nil when the provider did not say how long the access token lives.
    package var expiresAt: Int64?
    /// Seconds from issue to expiry (`expires_in`, RFC 6749 section 5.1).
    package var lifetime: Int64?
    package var refreshToken: RefreshToken?
    package var idToken: RawIDToken?
    /// Seconds since 1970.
    package var idTokenExpiresAt: Int64?
    /// Seconds from `iat` to `exp`; nil if that is unknown.
    package var idTokenLifetime: Int64?
    package var scopes: [String] = []
    package var tokenOrigin: String

    private enum CodingKeys: String, CodingKey {
        case accessToken, expiresAt, refreshToken, idToken, idTokenExpiresAt, scopes, tokenOrigin
        case lifetime = "expiresIn"
        case idTokenLifetime = "idTokenExpiresIn"
    }

    package var accessTokenValidity: TokenValidity { TokenValidity(expiresAt: expiresAt, lifetime: lifetime) }
    package var idTokenValidity: TokenValidity {
        TokenValidity(expiresAt: idTokenExpiresAt, lifetime: idTokenLifetime)
    }
}

extension Tokens {
    /// A token endpoint's response without the ID token, which is not verified yet.
    ///
    /// - requested: the requested scopes; they were granted if the response names none (RFC 6749 section 5.1).
    /// - now: seconds since 1970.
    init(_ response: TokenResponse, requested: [String], from origin: String, now: Int64) {
        self.init(
            accessToken: response.accessToken, expiresAt: response.expiresIn.map { now + $0 },
            lifetime: response.expiresIn,
            refreshToken: response.refreshToken, scopes: response.scopes ?? requested, tokenOrigin: origin)
    }

    mutating func take(_ verified: VerifiedIDToken?) {
        guard let verified else { return }
        idToken = verified.raw
        idTokenExpiresAt = verified.expiresAt
        idTokenLifetime = verified.lifetime
    }

    /// The same after a refresh: what the response does not repeat stays (RFC 6749 section 6).
    func refreshed(by response: TokenResponse, from origin: String, now: Int64) -> Tokens {
        var tokens = Tokens(response, requested: scopes, from: origin, now: now)
        tokens.refreshToken = tokens.refreshToken ?? refreshToken
        tokens.idToken = idToken
        tokens.idTokenExpiresAt = idTokenExpiresAt
        tokens.idTokenLifetime = idTokenLifetime
        return tokens
    }
}
