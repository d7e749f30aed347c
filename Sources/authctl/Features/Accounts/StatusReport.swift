import AuthCore

/// The data that `status` shows, for all providers or for one.
struct StatusReport {
    let choice: AccountChoice
    /// What makes an account the default one.
    let cause: String
    let vault: VaultStatus
    /// What JSON lists: with a rule or a named account, only that account.
    private(set) var accounts: [AccountStatus] = []
    /// What the lines list: without a named session, all of them.
    private(set) var listed: [AccountStatus] = []
    private(set) var names = SessionNames([], configured: [])
    /// Whether a provider or a session is named, and therefore no other is listed.
    let isNamed: Bool
    /// The number of accounts that are not shown because they have no session.
    private(set) var otherCount = 0
    /// The pending credentials, each with the command that uses it and the account that it waits for.
    private(set) var pending: [(credential: PendingCredential, command: Hint, owner: String?)] = []
    private(set) var unrevoked: [UnrevokedSession] = []
    /// The environment's tokens.
    private(set) var tokens: [EnvironmentToken]
    private(set) var view: SessionView
    /// The error if no user is signed in.
    private(set) var absence: any Error = NotSignedIn.noAccount
    /// The error that every command reports which uses the settings.
    private var settingsProblem: (any Error)?
    private var keyProblem: (any Error)?

    init(of provider: String?, namesUser: Bool = false, in context: Context) async throws {
        let now = context.clock.now()
        choice = try context.accountChoice()
        cause = choice.cause(context.environment)
        vault = try await context.profile.vaultStatus()
        let sessionStore = try context.profile.sessionStoreForDisplay()
        if let sessionStore {
            // A store that cannot be written can still be shown.
            try? await sessionStore.forgetExpiredMachineTokens(now: now)
            accounts = try await AccountStatus.shown(in: sessionStore, named: choice.account)
            listed = try await AccountStatus.signedIn(in: sessionStore)
            names = context.names(of: listed)
            let listedNames = names
            if namesUser { listed = accounts }
            let waiting = try await sessionStore.pendingCredentials(now: now)
            if !waiting.isEmpty {
                let known = try await AccountStatus.signedIn(in: sessionStore, and: waiting.compactMap(\.accountUID))
                pending = waiting.map { credential in
                    let owner = known.first { credential.names($0.account) }.map(listedNames.short)
                    return (credential, credential.command(known, isOnly: waiting.count == 1), owner)
                }
            }
            unrevoked = try await sessionStore.unrevokedSessions(now: now)
            absence = try await sessionStore.absence()
        }
        if let name = choice.account, accounts.isEmpty {
            throw try await sessionStore?.absence(of: name) ?? NotSignedIn.unknownAccount(name)
        }
        tokens = try context.environmentTokens()
        isNamed = provider != nil
        let id = try provider.map(context.named)
        view = context.sessionView(sessionStore?.origin ?? .local, vault)
        do { _ = try context.profile.providerIDs() } catch { settingsProblem = error }
        if let id { keepOnly(id) }
        if let id, !(absence is DirectoryMismatch) { absence = NotSignedIn.noSession(provider: id) }
        if choice.account == nil, let sessionStore {
            let shown = accounts.filter { status in id.map(status.account.has) ?? true }
            otherCount = try await sessionStore.accountCount(provider: id) - shown.count
        }
        // A locked vault is reported separately, and reading its key could open a prompt.
        if vault.state != .locked, hasSession {
            do { try await context.profile.checkKey() } catch { keyProblem = error }
            view.isKeyLost = keyProblem != nil
        }
    }

    private mutating func keepOnly(_ id: String) {
        for list in [\StatusReport.accounts, \.listed] {
            self[keyPath: list] = self[keyPath: list].map { $0.filtered { $0.providerID == id } }
                .filter { !$0.sessions.isEmpty || $0.account.has(id) }
        }
        pending = pending.filter { $0.credential.providerID == id }
        unrevoked = unrevoked.filter { $0.providerID == id }
        tokens = tokens.filter { $0.providerID == id }
    }

    private var hasSession: Bool { accounts.contains { !$0.sessions.isEmpty } }

    /// Whether there is an account or a token to show. A rule's account is shown even if it has no session, as the
    /// current account is.
    var hasContent: Bool { hasSession || !tokens.isEmpty || choice.place != nil && !accounts.isEmpty }

    /// The account of other commands, if it is shown.
    var chosen: AccountStatus? { accounts.first { choice.account != nil || $0.isCurrent } }
    /// The session that commands use without a name.
    var defaultSession: SessionSummary? {
        choice.account.flatMap { chosen?.session(named: $0) } ?? chosen?.defaultSession
    }

    /// Why a command would not get a token: an error to print, or only an exit code.
    var problem: (any Error)? {
        guard hasContent else { return absence }
        if let settingsProblem { return settingsProblem }
        let used = usedAccounts
        if used.contains(where: { $0.sessions.contains { view.state($0) == .unreadable } }) {
            return keyProblem ?? StoreError.damagedEntry("session")
        }
        let signIn = ExitStatus(code: 4)
        guard used.isEmpty else { return used.contains { $0.requiresUser(view.state) } ? signIn : nil }
        guard tokens.isEmpty else { return nil }
        let others = accounts.filter { !$0.sessions.isEmpty && !$0.account.isMachine }.map(\.account.label).sorted()
        return others.isEmpty ? signIn : NotSignedIn.noCurrent(others: others)
    }

    /// The requested accounts, with the sessions whose tokens a command would use. The environment's tokens take
    /// precedence over the store's, unless an account is named.
    private var usedAccounts: [AccountStatus] {
        let isRule = choice.place != nil
        guard isRule || choice.account == nil else { return accounts }
        let replaced = tokens.map(\.providerID)
        return accounts.filter { isRule || $0.isCurrent }.map { $0.filtered { !replaced.contains($0.providerID) } }
            .filter { !$0.sessions.isEmpty || replaced.isEmpty }
    }
}
