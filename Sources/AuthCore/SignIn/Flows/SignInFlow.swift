/// A way to the tokens of a sign-in. However they were got, the same follows for them.
protocol SignInFlow: Sendable {
    func redeemed(_ finish: @Sendable (RedeemedTokens) async throws -> SignInResult) async throws -> SignInResult
}

/// Tokens that a flow got, and what they must fit.
struct RedeemedTokens: Sendable {
    let response: TokenEndpoint.Response
    let scopes: [String]
    let source: Grant.Source
    var nonce: Nonce?
    var code: AuthorizationCode?
    var user: String?
    var renewal: SessionRenewal.TokenRequest?

    /// The scopes that were granted (RFC 6749 section 5.1).
    var granted: [String] { response.tokens.scopes ?? scopes }
}
