import AuthCore

/// What linking asks of the person.
enum Linking {
    /// Attaches a pending credential.
    static func pending(_ id: String?, to account: Account, _ consent: Bool, _ context: Context) async throws {
        let credentials = PendingCredentials(
            directory: try context.directory(creating: false), clock: context.clock)
        let pending = try await credentials.choose(id) {
            $0.reason == .accountExists && $0.names(account)
        }
        let hasConsent = try self.consent(consent, pending.providerID, account, context)
        let result = try await credentials.link(pending.id, to: account.uid, hasConsent: hasConsent)
        SignInText.show(result, context)
    }

    /// Whether the person agrees, asked in words they understand where it must be asked and can be.
    /// - Throws: `AccountRefusal.consentRequired`.
    static func consent(_ given: Bool, _ provider: String, _ account: Account, _ context: Context) throws -> Bool {
        guard !given, let asking = LinkingRules.asking(provider, account, Dialect.wantingConsent) else { return given }
        let others = (account.providerData.map(\.key.providerID) + [provider]).filter { $0 != asking }
        let question = """
            '\(asking)' lets people keep to themselves who they are. Linking ties that identity to what \
            \(others.map { "'\($0)'" }.joined(separator: ", ")) knows about you, in this account. Do you agree?
            """
        guard !context.isUnattended, context.output.confirm(question) else {
            throw AccountRefusal.consentRequired(provider: asking)
        }
        return true
    }
}
