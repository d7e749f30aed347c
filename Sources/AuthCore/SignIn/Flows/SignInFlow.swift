/// A way to the tokens of a sign-in. However they were got, the same follows for them.
protocol SignInFlow: Sendable {
    /// Gets tokens and hands them on; who waits in a browser is shown how that ended.
    func redeemed(
        _ finish: @Sendable (RedeemedTokens) async throws -> SignInResult
    ) async throws -> SignInResult
}

/// Tokens that a flow got, and what they must fit.
struct RedeemedTokens: Sendable {
    let answer: TokenEndpoint.Answer
    /// The scopes that were asked for.
    let scopes: [String]
    let source: Grant.Source
    var nonce: Nonce?
    /// The code they were redeemed for; nil where there was none.
    var code: AuthorizationCode?
    /// What the provider said beside the code (Apple).
    var user: String?
    /// What a program asks again when they have expired; nil for a person's.
    var renewal: SessionRenewal.TokenRequest?

    /// The scopes that were granted (RFC 6749 section 5.1).
    var granted: [String] { answer.tokens.scopes ?? scopes }
}
