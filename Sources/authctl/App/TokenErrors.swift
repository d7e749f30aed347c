import AuthCore

extension CommandError {
    static func unknownHost(
        _ host: String, of provider: String?, owner: String? = nil, isOwnerMoved: Bool = false
    ) -> CommandError {
        if let owner, isOwnerMoved {
            return CommandError(
                .operationNotAllowed,
                "the host '\(shown: host)' is not allowed, because '\(owner)' is configured with another server",
                hint: .run("authctl providers show \(owner)"))
        }
        if let owner, owner != provider {
            let other = provider.map { ", not from '\(shown: $0)'" } ?? ""
            return CommandError(
                .operationNotAllowed, "the host '\(shown: host)' requires a token from the provider '\(owner)'\(other)",
                hint: .signIn(owner))
        }
        let name = provider ?? ErrorContext.anyProvider
        return CommandError(
            .operationNotAllowed, "no configured provider allows tokens for '\(host)'",
            hint: "check the host; to allow another: \(run: "authctl providers set \(name) --api-host HOST")")
    }
}

/// A token exchange failed (RFC 8693).
struct ExchangeFailed: WrappingError {
    let provider: String
    let audiences: [String]
    let resource: String?
    let error: any Error

    var isFinal: Bool {
        if case OAuthError.refused = error { return true }
        return error is TokenBindingError
    }

    func explanation(_ context: ErrorContext) -> Explanation {
        var own = ErrorContext(provider: provider, again: "authctl providers check \(provider)")
        (own.purpose, own.typed) = (context.purpose, context.typed)
        own.resource = resource
        own.audiences = audiences
        return inner.explanation(own)
    }
}
