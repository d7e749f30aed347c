import ArgumentParser
import AuthCore

enum Linking {
    static func pending(_ id: String?, to account: Account, hasConsent: Bool, in context: Context) async throws {
        SignInText.show(
            try await Link(context.profile).pending(
                id, to: account, hasConsent: hasConsent, requestConsent: context.consents), context)
    }

    /// Links every pending credential of the account. At least one is required.
    static func allPending(to account: Account, hasConsent: Bool, _ context: Context) async throws {
        let link = Link(context.profile)
        var (account, ids) = (account, try await link.pendingIDs(for: account))
        while ids.count > 1 {
            let result = try await link.pending(
                ids.removeFirst(), to: account, hasConsent: hasConsent, requestConsent: context.consents)
            SignInText.note(result, context)
            account = result.account
        }
        try await pending(ids.first, to: account, hasConsent: hasConsent, in: context)
    }

    static func offered(
        _ conflict: AccountConflict, hasConsent: Bool, in context: Context
    ) async throws -> Bool {
        guard case .existsWithDifferentCredential(let email, let providers, let pendingID) = conflict,
            !context.isUnattended, !context.output.isJSON
        else { return false }
        let usable = try providers.filter {
            try ProjectSignInProvider.byAddress.contains($0) || context.profile.find($0) != nil
        }
        guard let other = usable.first else { return false }
        let question =
            "'\(shown: email)' already signs in with '\(other)'. Sign in with '\(other)' now, and link the new identity?"
        guard context.output.confirm(question) else { return false }
        let result = try await signIn(with: other, as: email, context)
        SignInText.show(result, context)
        try await pending(pendingID, to: result.account, hasConsent: hasConsent, in: context)
        return true
    }

    private static func signIn(
        with provider: String, as email: String, _ context: Context
    ) async throws -> SignInResult {
        switch provider {
        case PasswordProvider.id: return try await PasswordInput.signIn(email, as: .signIn, in: context)
        case ProjectSignInProvider.emailLink:
            return try await EmailLinkFlags.parse([]).run(
                email, as: .signIn, again: SignInCommand.byLink(email), in: context)
        default: return try await FlowFlags.parse([]).run(provider, as: .signIn, in: context)
        }
    }
}

extension Context {
    func consents(_ question: Link.ConsentQuestion) throws -> Bool {
        try agrees(
            """
            '\(question.provider)' lets users hide their identity. Linking connects your '\(question.provider)' identity with your \
            \(quoted: question.others) identity in this account. Continue?
            """)
    }
}
