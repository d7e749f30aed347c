/// The tokens of one response, and how long they are valid.
package struct Tokens: Sendable, Equatable {
    package var accessToken: AccessToken?
    /// Seconds since 1970; nil if the response has no lifetime of the access token.
    package var expiresAt: Int64?
    /// Seconds from issue to expiry (`expires_in`, RFC 6749 section 5.1).
    package var lifetime: Int64?
    package var refreshToken: RefreshToken?
    /// Seconds since 1970; nil if the provider does not say it, or if the refresh token does not expire.
    package var refreshTokenExpiresAt: Int64?
    /// When to remind the user to sign in again, in seconds since 1970; nil if each refresh may extend the session.
    var remindsAt: Int64?
    package var idToken: RawIDToken?
    /// Seconds since 1970.
    package var idTokenExpiresAt: Int64?
    /// Seconds from `iat` to `exp`; nil if that is unknown.
    package var idTokenLifetime: Int64?
    package var scopes: [String] = []
    package var tokenOrigin: String
    /// The paths for which git's server rejected the access token; `everywhere` if the provider rejects it. See
    /// docs/decisions/054.
    var rejectedFor: [String] = []
    /// The unproven refresh token of `RefreshNote`, which a sign-out also revokes; nil in a session that is not ended.
    var unproven: RefreshToken?

    static let everywhere = "*"

    var isRejected: Bool { rejectedFor.contains(Tokens.everywhere) }

    package var accessTokenValidity: TokenValidity { TokenValidity(expiresAt: expiresAt, lifetime: lifetime) }
    package var idTokenValidity: TokenValidity { TokenValidity(expiresAt: idTokenExpiresAt, lifetime: idTokenLifetime) }
}

extension Tokens: StoredObject {
    init(stored object: JSONObject) throws(UnexpectedJSON) {
        accessToken = try object.storedIfPresent("accessToken")
        expiresAt = try object.storedIfPresent("expiresAt")
        lifetime = try object.storedIfPresent("expiresIn")
        refreshToken = try object.storedIfPresent("refreshToken")
        refreshTokenExpiresAt = try object.storedIfPresent("refreshTokenExpiresAt")
        remindsAt = try object.storedIfPresent("remindsAt")
        idToken = try object.storedIfPresent("idToken")
        idTokenExpiresAt = try object.storedIfPresent("idTokenExpiresAt")
        idTokenLifetime = try object.storedIfPresent("idTokenExpiresIn")
        scopes = try object.stored("scopes")
        tokenOrigin = try object.stored("tokenOrigin")
        rejectedFor = try object.storedIfPresent("rejectedFor") ?? []
        unproven = try object.storedIfPresent("unprovenRefreshToken")
    }

    var members: KeyValuePairs<String, (any StoredJSON)?> {
        [
            "accessToken": accessToken, "expiresAt": expiresAt, "expiresIn": lifetime, "refreshToken": refreshToken,
            "refreshTokenExpiresAt": refreshTokenExpiresAt, "remindsAt": remindsAt,
            "idToken": idToken, "idTokenExpiresAt": idTokenExpiresAt, "idTokenExpiresIn": idTokenLifetime,
            "scopes": scopes, "tokenOrigin": tokenOrigin, "rejectedFor": rejectedFor.isEmpty ? nil : rejectedFor,
            "unprovenRefreshToken": unproven,
        ]
    }
}

extension Tokens {
    /// The tokens of a token endpoint's response, without the ID token, which is not verified yet.
    ///
    /// - Parameters:
    ///   - requested: the requested scopes, which were granted if the response omits `scope` (RFC 6749 section 5.1).
    ///   - now: seconds since 1970.
    init(_ response: TokenResponse, requested: [String], isRefresh: Bool = false, from origin: String, now: Int64) {
        self.init(
            accessToken: response.accessToken, expiresAt: response.expiresIn.map { now + $0 },
            lifetime: response.expiresIn,
            refreshToken: response.refreshToken, refreshTokenExpiresAt: response.refreshExpiresIn.map { now + $0 },
            scopes: response.granted(of: requested, isRefresh: isRefresh), tokenOrigin: origin)
        // A session that is shorter is extended by each refresh, unless a refresh shows that it is not.
        remindsAt = refreshTokenExpiresAt.map { $0 - Tokens.reminderPeriod }.flatMap { $0 > now ? $0 : nil }
    }

    /// How long before the end of the session the user is reminded, in seconds.
    private static let reminderPeriod: Int64 = 3 * 86400

    /// The longest difference, in seconds, by which a refresh moves an end that the provider does not change.
    private static let endTolerance: Int64 = 10

    /// Whether the user has not been reminded today that the session ends soon.
    func isReminderDue(at now: Int64) -> Bool {
        guard let remindsAt, let refreshTokenExpiresAt else { return false }
        return remindsAt <= now && now < refreshTokenExpiresAt
    }

    mutating func removeRefreshToken() { (refreshToken, refreshTokenExpiresAt, remindsAt) = (nil, nil, nil) }

    mutating func take(_ verified: VerifiedIDToken?) {
        guard let verified else { return }
        idToken = verified.raw
        idTokenExpiresAt = verified.expiresAt
        idTokenLifetime = verified.lifetime
    }

    /// The tokens after a refresh. Tokens that the response omits are retained (RFC 6749 section 6).
    func refreshed(by response: TokenResponse, from origin: String, now: Int64) -> Tokens {
        var tokens = Tokens(response, requested: scopes, isRefresh: true, from: origin, now: now)
        tokens.refreshToken = tokens.refreshToken ?? refreshToken
        if response.refreshExpiresIn == nil, tokens.refreshToken == refreshToken {
            tokens.refreshTokenExpiresAt = refreshTokenExpiresAt
        }
        if let end = tokens.refreshTokenExpiresAt, let before = refreshTokenExpiresAt,
            end <= before + Tokens.endTolerance
        {
            tokens.remindsAt = remindsAt ?? end - Tokens.reminderPeriod
        }
        tokens.idToken = idToken
        tokens.idTokenExpiresAt = idTokenExpiresAt
        tokens.idTokenLifetime = idTokenLifetime
        return tokens
    }
}
