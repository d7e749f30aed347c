import AuthCore

/// The session of commands without a name, as it was before a sign-in.
struct DefaultSession: Sendable {
    let uid: String
    let providerID: String?

    init?(_ context: Context) async throws {
        guard let current = try await Self.all(context).first(where: \.isCurrent) else { return nil }
        self.init(current)
    }

    private init(_ current: AccountStatus) {
        (uid, providerID) = (current.account.uid, current.defaultSession?.providerID)
    }

    private static func all(_ context: Context) async throws -> [AccountStatus] {
        guard let sessionStore = try context.profile.sessionStoreForDisplay() else { return [] }
        return try await AccountStatus.signedIn(in: sessionStore)
    }

    /// The names of the default session now and before; nil if it has not changed.
    static func change(from before: DefaultSession?, _ context: Context) async throws -> (now: String, before: String?)?
    {
        let all = try await all(context)
        guard let current = all.first(where: \.isCurrent) else { return nil }
        let now = DefaultSession(current)
        guard now.uid != before?.uid || now.providerID != before?.providerID else { return nil }
        let names = context.names(of: all)
        guard let old = all.first(where: { $0.account.uid == before?.uid }) else { return (names.short(current), nil) }
        if let session = old.sessions.first(where: { $0.providerID == before?.providerID && $0.resource == nil }) {
            return (names.short(current), names.short(session, of: old.account))
        }
        // An account with several sessions may have had no default.
        return (names.short(current), old.account.uid == now.uid ? nil : names.short(old))
    }

    /// Makes this the default session again. Returns its name.
    func restored(_ context: Context) async throws -> String? {
        let all = try await Self.all(context)
        guard let status = all.first(where: { $0.account.uid == uid }) else { return nil }
        try await context.profile.directory().sessionStore.makeCurrent(uid, session: providerID)
        return context.names(of: all).short(status)
    }
}
