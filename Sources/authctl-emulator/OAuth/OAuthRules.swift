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
    var refusal: @Sendable (_ request: Form, _ scopes: [String]) -> Refusal? = OAuthRules.openID
    var responseModes = ["query"]
    /// Whether `response_type`, `grant_type` and `redirect_uri` are required, as in the standard.
    var needsStandardParameters = true
    var responseParameters: @Sendable (AuthorizationServer, Grant?) -> [(String, String)] = { _, _ in [] }
    var denial = [("error", "access_denied"), ("error_description", "the user declined")]

    // MARK: Token endpoint

    var client: @Sendable (AuthorizationServer, Request) throws -> String = { try $0.registeredClient($1) }
    var rotatesRefreshTokens = true
    /// Whether the reuse of a code or refresh token revokes all tokens of the sign-in (RFC 9700 section 4.14.2).
    var revokesFamilies = false
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
        guard !registered.isEmpty else {
            return redirectURI.isLoopback
                ? nil : "The redirect URI '\(redirectURI)' is neither loopback nor registered."
        }
        // The port of a loopback redirect URI may differ (RFC 8252 section 7.3).
        let known = registered.compactMap { try? HTTPURL($0) }.filter(\.isLoopback)
        let fits = known.contains { $0.host == redirectURI.host && $0.path == redirectURI.path }
        return fits || registered.contains(redirectURI.text)
            ? nil : "The redirect URI '\(redirectURI)' is not registered."
    }

    /// Refuses what an OpenID Provider does not support (OpenID Connect Core section 3.1.2.1).
    static func openID(_ request: Form, _ scopes: [String]) -> Refusal? {
        guard scopes.contains("openid") || request["resource"] != nil else {
            return Refusal("invalid_scope", "openid is missing.")
        }
        guard request["request"] == nil else {
            return Refusal("request_not_supported", "The parameter request is not supported.")
        }
        let prompts = Scopes.split(request["prompt"] ?? "")
        guard prompts.allSatisfy(["none", "login", "consent", "select_account"].contains) else {
            return Refusal("invalid_request", "prompt has an unknown value.")
        }
        guard !prompts.contains("none") || prompts.count == 1 else {
            return Refusal("invalid_request", "prompt=none cannot be used with other values.")
        }
        guard request["max_age"].map({ UInt32($0) != nil }) != false else {
            return Refusal("invalid_request", "max_age is not a number of seconds.")
        }
        guard request["claims"].map({ (try? StrictJSON.object(Array($0.utf8))) != nil }) != false else {
            return Refusal("invalid_request", "claims is not a JSON object.")
        }
        return nil
    }

    static func standardError(_ refusal: Refusal) -> Reply {
        .json(
            ["error": .string(refusal.error), "error_description": .string(refusal.description)],
            status: refusal.status,
            headers: (refusal.status == 401 ? [("WWW-Authenticate", "Basic realm=\"emulator\"")] : [])
                + (refusal.nonce.map { [("DPoP-Nonce", $0)] } ?? []))
    }
}
