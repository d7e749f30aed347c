/// An authorization request (RFC 6749 section 4.1.1), with the secrets that its response must match.
package struct AuthorizationRequest: Sendable {
    package private(set) var url: HTTPURL
    /// Seconds within which the browser must open the URL; nil if the URL does not expire.
    package private(set) var urlExpiresIn: Int64?
    /// The request's parameters: the URL's query, or the body of the pushed request (RFC 9126).
    private(set) var parameters: [(String, String)] = []
    package let redirectURI: String
    package let state: AuthorizationState
    /// Nil if the provider does not support OpenID Connect.
    package let nonce: Nonce?
    package let proofKey: ProofKey
    package let scopes: [String]
    package let responseMode: ResponseMode

    package static let reservedParameters: Set<String> = [
        "client_id", "redirect_uri", "response_type", "response_mode", "scope", "state", "nonce", "code_challenge",
        "code_challenge_method",
    ]
}

extension AuthorizationRequest {
    package init(
        endpoint: HTTPURL, clientID: String, redirectURI: String, scopes: [String], nonce: Nonce?, sentNonce: String?,
        parameters: [(String, String)] = [], scopeSeparator: String = " ", responseMode: ResponseMode? = nil,
        isPushed: Bool = false, random: RandomSource = .openSSL
    ) throws {
        for (name, _) in parameters where AuthorizationRequest.reservedParameters.contains(name) {
            throw OAuthError.reservedParameter(name)
        }
        let state = AuthorizationState(try random.token(bytes: 24))
        let proofKey = try ProofKey(random: random)
        var all: [(String, String)] = [
            ("response_type", "code"), ("client_id", clientID), ("redirect_uri", redirectURI),
            ("state", state.revealed()), ("code_challenge", proofKey.challenge), ("code_challenge_method", "S256"),
        ]
        if !scopes.isEmpty { all.insert(("scope", scopes.joined(separator: scopeSeparator)), at: 3) }
        if let sentNonce { all.append(("nonce", sentNonce)) }
        if let responseMode { all.append(("response_mode", responseMode.rawValue)) }
        self.init(
            // A request that is pushed may be too long for a URL.
            url: isPushed ? endpoint : try HTTPURL(endpoint.appending(all + parameters)), parameters: all + parameters,
            redirectURI: redirectURI, state: state, nonce: nonce, proofKey: proofKey, scopes: scopes,
            responseMode: responseMode ?? .query)
    }

    /// This request after it was pushed. The browser's URL contains only the client ID and `request_uri` (RFC 9126
    /// section 4). If pushing fails, it is not sent through the browser, because an attacker who can make the push fail
    /// could then read it.
    func named(by pushed: PushedRequest, at endpoint: HTTPURL, clientID: String) throws -> AuthorizationRequest {
        var request = self
        request.url = try HTTPURL(endpoint.appending([("client_id", clientID), ("request_uri", pushed.requestURI)]))
        request.urlExpiresIn = pushed.expiresIn
        return request
    }
}
