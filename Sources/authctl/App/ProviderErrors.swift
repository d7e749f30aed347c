import AuthCore

/// A session was requested for a provider that is not configured.
struct NotConfigured: UserFacingError {
    let provider: String
    var code: ErrorCode { .signInRequired }
    var isComplete: Bool { true }

    func explanation(_ context: ErrorContext) -> Explanation {
        if ProjectSignInProvider.byAddress.contains(provider) {
            return "'\(provider)' does not issue tokens".hint("for the account's token: \(run: "authctl token")")
        }
        return "not signed in to '\(shown: provider)': this provider is not configured"
            .hint(context.settingUp(provider))
    }
}

struct NoProviderConfigured: UserFacingError {
    var code: ErrorCode { .invalidConfiguration }

    func explanation(_ context: ErrorContext) -> Explanation {
        "no provider is configured".hint(run: .setup(nil))
    }
}
