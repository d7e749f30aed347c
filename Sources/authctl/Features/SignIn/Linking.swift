import ArgumentParser
import AuthCore

enum Linking {
    static func pending(_ id: String?, to account: Account, hasConsent: Bool, in context: Context) async throws {
        try await SignInText.show(
            try await Link(context.profile).pending(
                id, to: account, hasConsent: hasConsent, requestConsent: context.consents), in: context)
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

    /// Resolves a conflict as the user decides: links the identity, or keeps it in an account of its own. If it stays
    /// pending, throws the conflict.
    static func resolve(
        _ conflict: AccountConflict, separately: Bool, hasConsent: Bool, in context: Context
    ) async throws {
        if try await resolved(conflict, separately: separately, hasConsent: hasConsent, in: context) { return }
        throw conflict
    }

    private static func resolved(
        _ conflict: AccountConflict, separately: Bool, hasConsent: Bool, in context: Context
    ) async throws -> Bool {
        guard case .existsWithDifferentCredential(let email, let providers, let id) = conflict else { return false }
        let directory = try context.profile.directory()
        let pending = PendingCredentials(directory: directory, clock: context.clock)
        if separately {
            let before = try await DefaultSession(context)
            guard let result = try await pending.separate(id) else { return false }
            try await SignInText.show(result, after: before, in: context)
            return true
        }
        guard context.canPrompt, let offer = try await ConflictOffer(id, of: email, with: providers, in: context),
            let isLinked = try offer.asked(context)
        else { return false }
        let before = try await DefaultSession(context)
        guard isLinked else {
            guard let result = try await pending.separate(id) else { return false }
            let user = context.names(of: []).user(result)
            context.output.say([["Signed in to \(user), separate from \(offer.existing)."]])
            SignInText.note(try await DefaultSession.change(from: before, context), context)
            return true
        }
        var account = offer.account
        if let provider = offer.signIn { account = try await signIn(with: provider, as: email, context).account }
        guard let account else { return false }
        let result = try await Link(context.profile).pending(
            id, to: account, hasConsent: hasConsent || offer.asksConsent, requestConsent: context.consents)
        let kept = try await before?.restored(context)
        let user = context.names(of: []).user(result)
        context.output.say(
            [["Signed in to \(user), linked to \(offer.existing)."]]
                + (kept.map { [["The default is still \($0)."]] } ?? []))
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
    func consents(_ question: Link.ConsentQuestion) throws -> Bool { try agrees("\(question.text) Continue?") }
}

extension Link.ConsentQuestion {
    var text: String {
        """
        '\(provider)' lets users hide their identity. Linking connects your '\(provider)' identity with your \
        \(quoted: others) identity in this account.
        """
    }
}
