import AuthCore

extension UsageProblem {
    static func anonymousLost(_ what: String, uid: String) -> UsageProblem {
        .other(
            "\(what) cannot be recovered afterwards; pass --yes to confirm",
            hint: "to keep it, first: \(run: "authctl link --provider password --account \(uid) --email ADDRESS")")
    }
}

/// Why the tokens of sessions that have ended were not revoked.
struct NotRevoked: UserFacingError {
    /// The provider of the error is the first.
    let providers: [String]
    var isStored = false
    var isRetried = false
    var isOtherClients = false
    var error: (any Error)?

    private var isOtherIssuer: Bool { if case NotSignedIn.otherIssuer? = error { true } else { false } }
    private var unusable: (any UnusableClient)? { error as? any UnusableClient }
    var code: ErrorCode { isOtherIssuer ? .invalidConfiguration : unusable?.code ?? .providerUnavailable }
    var isComplete: Bool { true }

    func explanation(_ context: ErrorContext) -> Explanation {
        let provider = providers.first ?? ErrorContext.anyProvider
        let byHand: Hint = "revoke the session on the provider's web page"
        let retry: Hint = "\(run: "authctl signout --retry"); or \(byHand)"
        var (message, hint): (String, Hint)
        if let error {
            var own = ErrorContext(provider: provider, again: "authctl signout --retry")
            own.command = context.command
            let reason = (error as? any UserFacingError ?? UnexpectedError(error: error)).explanation(own)
            let retry: ShellCommand =
                providers.count == 1 ? "authctl signout --retry --provider \(provider)" : "authctl signout --retry"
            let remedy = isOtherIssuer ? "restore the configuration for that issuer" : reason.hint
            hint = remedy.map { "\($0); then: \(run: retry)" } ?? .run(retry)
            let isUnsent = isOtherIssuer || unusable != nil
            message = isUnsent ? "the tokens of \(quoted: providers) were not revoked" : unconfirmed([provider])
            message += ": \(reason.message)"
        } else if isOtherClients {
            message =
                "the tokens of \(quoted: providers) were issued to another client than the configured one, and were not revoked"
            hint = "to restore that client: \(run: "authctl providers set \(provider) --client-id ID"); then: \(retry)"
        } else {
            message = unconfirmed(providers) + (isRetried ? ", again" : "")
            hint = "to try again: \(retry)"
        }
        return ((isRetried ? "" : "signed out on this machine, but ") + message).hint(isStored ? hint : byHand)
    }

    private func unconfirmed(_ providers: [String]) -> String { "\(quoted: providers) did not confirm the revocation" }
}
