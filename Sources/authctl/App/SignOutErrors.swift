import AuthCore

extension UsageProblem {
    static func anonymousLost(_ what: String, uid: String) -> UsageProblem {
        .other(
            "\(what) cannot be recovered afterwards; pass --yes to confirm",
            hint: "to keep it, first: \(run: "authctl link --provider password --account \(uid) --email ADDRESS")")
    }
}

extension CommandError {
    static func notRevoked(
        _ providers: [String], isStored: Bool = false, isRetried: Bool = false, isOtherClients: Bool = false
    ) -> CommandError {
        let reason =
            isOtherClients
            ? "the tokens of \(quoted: providers) were issued to another client than the configured one, and were not revoked"
            : "\(quoted: providers) did not confirm the revocation"
        let retry: Hint = "\(run: "authctl signout --retry"); or \(RevocationUnavailable.revokeManually)"
        let hint: Hint =
            isOtherClients
            ? "to restore that client: \(run: "authctl providers set \(providers.first ?? ErrorContext.anyProvider) --client-id ID"); then: \(retry)"
            : "to try again: \(retry)"
        return CommandError(
            .providerUnavailable,
            isRetried ? reason + (isOtherClients ? "" : ", again") : "signed out on this machine, but \(reason)",
            hint: isStored ? hint : RevocationUnavailable.revokeManually, isComplete: true)
    }
}

/// Why a provider's tokens were not revoked.
struct RevocationUnavailable: WrappingError {
    let provider: String
    /// Other providers whose tokens were not revoked, whatever the reason.
    var others: [String] = []
    var isStored = false
    var isRetried = false
    let error: any Error
    private var isOtherIssuer: Bool { if case NotSignedIn.otherIssuer = error { true } else { false } }
    /// Whether no request was sent.
    private var isUnsent: Bool { error is any UnusableClient || isOtherIssuer }
    var code: ErrorCode { isOtherIssuer ? .invalidConfiguration : isUnsent ? inner.code : .providerUnavailable }
    var exitCode: Int32 { code.exitCode }
    var isComplete: Bool { true }

    static let revokeManually: Hint = "revoke the session on the provider's web page"

    func explanation(_ context: ErrorContext) -> Explanation {
        let own = ErrorContext(provider: provider, again: "authctl signout --retry")
        let reason = inner.explanation(own)
        let retry: ShellCommand =
            others.isEmpty ? "authctl signout --retry --provider \(provider)" : "authctl signout --retry"
        let hint = isOtherIssuer ? "restore the configuration for that issuer" : reason.hint
        let again: Hint = hint.map { "\($0); then: \(run: retry)" } ?? .run(retry)
        let failed: Explanation =
            isUnsent
            ? "the tokens of \(quoted: [provider] + others) were not revoked"
            : "'\(provider)' did not confirm the revocation"
        return "\(isRetried ? "" : "signed out on this machine, but ")\(failed.message): \(reason.message)"
            .hint(isStored ? again : RevocationUnavailable.revokeManually)
    }
}
