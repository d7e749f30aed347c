import AuthCore

/// The differences of a provider's OAuth endpoints from OpenID Connect. `Dialect` is the client's counterpart.
struct OAuthRules: Sendable {
    var issuer: @Sendable (Settings) -> String = { $0.base }

    // MARK: Authorization endpoint

    /// The lifetime of a code in seconds.
    var codeLifetime: Int64 = 600
    var needsState = true
    var needsProofKey = true
    var redirectProblem: @Sendable (HTTPURL, _ registered: [String]) -> String? = OAuthRules.loopbackOrRegistered
    var refusal: @Sendable (_ request: Form, _ scopes: [String]) -> Refusal? = OAuthRules.withoutOpenID
    var responseMode: @Sendable (Form) -> String? = { _ in nil }
    var responseParameters: @Sendable (AuthorizationServer, Grant?) -> [(String, String)] = { _, _ in [] }
    var denial = [("error", "access_denied"), ("error_description", "the user declined")]

    // MARK: Token endpoint

    var client: @Sendable (AuthorizationServer, Request) throws -> String = { try $0.registeredClient($1) }
    var rotatesRefreshTokens = true
    var accessTokenPrefix: @Sendable (Settings) -> String = { _ in "" }
    /// The claims of the ID token and of userinfo, without those that every ID token has.
    var claims: @Sendable (AuthorizationServer, Grant) -> JSONObject = { _, _ in [:] }
    var complete: @Sendable (AuthorizationServer, inout JSONObject, Issued) throws -> Void
    var tokenReply: @Sendable (AuthorizationServer, JSONObject, Request) -> Reply = { _, object, _ in
        .json(.object(object))
    }
    var errorReply: @Sendable (AuthorizationServer, Refusal, Request) -> Reply = { _, refusal, _ in
        OAuthRules.standardError(refusal)
    }

    var device = Device()

    struct Device: Sendable {
        var sendsCompleteURL = true
        var verificationName = "verification_uri"
        var page = "/emulator/device"
        /// The response to a poll before the user has decided.
        var pendingRefusal = Refusal("authorization_pending", "The user has not decided yet.")
        var deniedStatus = 400
    }
}

/// Tokens that are about to be issued.
struct Issued {
    var grant: Grant
    var accessToken: String
    var isRefresh: Bool
}

extension OAuthRules {
    static func loopbackOrRegistered(_ redirectURI: HTTPURL, _ registered: [String]) -> String? {
        // If a loopback redirect URI is registered, host and path must match it, not the port (RFC 8252 section 7.3).
        // Otherwise, every loopback URI is accepted.
        let known = registered.compactMap { try? HTTPURL($0) }.filter(\.isLoopback)
        let fits =
            known.isEmpty
            ? redirectURI.isLoopback : known.contains { $0.host == redirectURI.host && $0.path == redirectURI.path }
        return fits || registered.contains(redirectURI.text) ? nil : "redirect_uri is neither loopback nor registered."
    }

    static func withoutOpenID(_ request: Form, _ scopes: [String]) -> Refusal? {
        scopes.contains("openid") || request["resource"] != nil ? nil : Refusal("invalid_scope", "openid is missing.")
    }

    static func standardError(_ refusal: Refusal) -> Reply {
        .json(
            ["error": .string(refusal.error), "error_description": .string(refusal.description)],
            status: refusal.status,
            headers: (refusal.status == 401 ? [("WWW-Authenticate", "Basic realm=\"emulator\"")] : [])
                + (refusal.nonce.map { [("DPoP-Nonce", $0)] } ?? []))
    }
}
