import ArgumentParser
import AuthCore

struct WhoAmICommand: PartlyShown {
    static let configuration = CommandConfiguration(commandName: "whoami", abstract: "Show the current account.")
    static let examples = [
        Example("Show the current account.", "authctl whoami"),
        Example("Its address alone, for a script.", "authctl whoami --field account.email"),
    ]
    var whole: Hint { .run("authctl whoami --json") }

    @OptionGroup var options: GlobalOptions
    @OptionGroup var part: FieldFlag

    var task: Undertaking { Undertaking("nobody to show", again: "authctl signin") }

    func run(_ context: Context) async throws {
        let directory = try context.profile.directory()
        let status = try await AccountStatus.one(context.account, in: directory)
        var object: JSONObject = ["account": .object(JSONShapes.account(status.account))]
        if let emulator = directory.origin.emulator { object["emulator"] = .string(emulator) }
        if case .project(let id, let tenant, _) = directory.origin {
            object["projectId"] = .string(id)
            if let tenant { object["tenantId"] = .string(tenant) }
            // Sealed: where the vault is locked the account is shown without.
            if context.output.isJSON || context.output.field != nil,
                let claims = try? await directory.claims(of: status.account.uid)
            {
                object["claims"] = .object(claims)
            }
        }
        let screen = context.screen
        try context.output.show(.object(object), on: screen) {
            Table.lines(AccountText.rows(status.account), on: screen)
                + (directory.origin.emulator.map {
                    [Table.line("at the emulator '\($0)', whose tokens nobody signs", on: screen)]
                } ?? [])
        }
    }
}

struct StatusCommand: PartlyShown {
    static let configuration = CommandConfiguration(
        commandName: "status", abstract: "Show every account, its sessions, and how long they last.",
        discussion: """
            Exits 4 when the account that is asked about, the current one or that of --account, needs a person before it \
            has a token.
            """)
    static let examples = [
        Example("Show every account with its sessions.", "authctl status"),
        Example(
            "Ask in a script whether GitHub's session works without a person.",
            "authctl status --provider github.com --json"),
    ]
    var whole: Hint { .run("authctl status --json") }

    @OptionGroup var options: GlobalOptions
    @OptionGroup var provider: ProviderOption
    @OptionGroup var part: FieldFlag

    var task: Undertaking { Undertaking("no status", provider: provider.id, again: "authctl signin") }

    func run(_ context: Context) async throws {
        var all: [AccountStatus] = []
        var pending: [PendingCredential] = []
        var unrevoked: [UnrevokedSession] = []
        var present = DirectoryOrigin.local
        var nobody: any Error = NotSignedIn.noAccount
        let vault = try await context.profile.vaultStatus()
        if let ledger = try context.profile.shownLedger() {
            present = ledger.origin
            // A store that cannot be written can still be shown.
            try? await ledger.forgetExpiredMachineTokens(now: context.clock.now())
            all = try await AccountStatus.all(in: ledger)
            pending = try await ledger.pendingCredentials(now: context.clock.now())
            unrevoked = try await ledger.unrevokedSessions(now: context.clock.now())
            nobody = try await ledger.absence()
        }
        var shown = all
        if let name = context.account {
            let meant = try await context.profile.shownLedger()?.accounts(meantBy: name).map(\.uid) ?? []
            shown = all.filter { meant.contains($0.account.uid) }
            guard !shown.isEmpty else {
                throw try await context.profile.shownLedger()?.absence(of: name) ?? NotSignedIn.unknownAccount(name)
            }
        }
        var given = try context.environmentTokens()
        if let id = try provider.id.map(context.named) {
            shown = shown.map { $0.keeping { $0.providerID == id } }
                .filter { !$0.sessions.isEmpty || $0.account.providerData.contains { $0.key.providerID == id } }
            pending = pending.filter { $0.providerID == id }
            unrevoked = unrevoked.filter { $0.providerID == id }
            given = given.filter { $0.providerID == id }
        }
        let isSignedIn = shown.contains { !$0.sessions.isEmpty } || !given.isEmpty
        if let id = provider.id, !(nobody is MadeElsewhere) { nobody = NotSignedIn.noSession(provider: id) }
        let view = context.sessionView(present, vault)
        guard isSignedIn || context.output.isJSON && context.output.field == nil else {
            for (text, command) in AccountText.attention(unrevoked, view) {
                context.output.note("\(text): \(command.repeating(view.given).text)")
            }
            throw nobody
        }
        let text = StatusText(
            shown: shown, pending: pending, unrevoked: unrevoked, given: given, vault: vault, view: view)
        let screen = context.screen
        try context.output.show(text.json(), on: screen) { text.lines(on: screen) }
        // An empty list is data, and the exit code says that nobody is signed in.
        guard isSignedIn else { throw nobody }
        if needsPerson(shown, given, view, isNamed: context.account != nil) { throw ExitStatus(code: 4) }
    }

    /// Whether the account that is asked about has no token before a person did something.
    private func needsPerson(
        _ shown: [AccountStatus], _ given: [EnvironmentToken], _ view: SessionView, isNamed: Bool
    ) -> Bool {
        let asked = isNamed ? shown : shown.filter(\.isCurrent)
        // What the environment hands out is used before the store's, unless an account is named.
        let replaced = isNamed ? [] : given.map(\.providerID)
        if asked.isEmpty { return replaced.isEmpty }
        return asked.contains { status in
            let used = status.keeping { !replaced.contains($0.providerID) }
            return !(used.sessions.isEmpty && !replaced.isEmpty) && used.needsPerson(view.state)
        }
    }
}
