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
            .hint(context.registering(provider))
    }
}

/// No account is signed in, and no provider is configured to sign in with.
struct NothingSetUp: WrappingError {
    /// The provider that is configured as a GitHub App only.
    let app: String?
    let isUnattended: Bool
    let error: any Error

    func explanation(_ context: ErrorContext) -> Explanation {
        let found = inner.explanation(context)
        guard context.resource == nil else { return found }
        if let app { return found.message.hint(ProviderError.onlyAnApp(app).explanation(context).hint) }
        return "\(found.message): no provider is configured".hint(.addingProvider(isUnattended))
    }
}

struct NoProviderConfigured: UserFacingError {
    let isUnattended: Bool
    var code: ErrorCode { .invalidConfiguration }

    func explanation(_ context: ErrorContext) -> Explanation {
        "no provider is configured".hint(.addingProvider(isUnattended && context.purpose == .signIn))
    }
}

extension Hint {
    fileprivate static func addingProvider(_ isUnattended: Bool) -> Hint {
        isUnattended
            ? "in a CI job: \(run: "authctl signin --ci auto"); to add a provider: \(run: .setup(nil))"
            : "to add one: \(run: .setup(nil))"
    }
}

/// A provider is not configured, but one with a similar name is.
struct MisspelledProvider: WrappingError {
    let id: String
    let near: String
    let error: any Error

    func explanation(_ context: ErrorContext) -> Explanation {
        let found = inner.explanation(context)
        // A new provider may have a similar name.
        guard ![.addProvider, .setUp].contains(context.purpose) else { return found }
        return found.adding(Spelling.question([near]), hint: context.correctingProvider(id, to: near) ?? found.hint)
    }
}
