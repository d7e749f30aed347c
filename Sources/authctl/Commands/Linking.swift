import AuthCore

/// What linking asks of the person.
enum Linking {
    /// Attaches a pending credential.
    static func pending(_ id: String?, to account: Account, _ consent: Bool, _ context: Context) async throws {
        SignInText.show(
            try await Link(context.profile).pending(id, to: account, hasConsent: consent) { agrees($0, context) },
            context)
    }

    /// Whether the person agrees, asked in words they understand where that can be.
    static func agrees(_ asked: Link.ConsentQuestion, _ context: Context) -> Bool {
        let question = """
            '\(asked.provider)' lets people keep to themselves who they are. Linking ties that identity to what \
            \(asked.others.map { "'\($0)'" }.joined(separator: ", ")) knows about you, in this account. Do you agree?
            """
        return !context.isUnattended && context.output.confirm(question)
    }
}
