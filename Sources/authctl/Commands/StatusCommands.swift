import ArgumentParser
import AuthCore

struct WhoAmICommand: SupportsFields {
    static let configuration = CommandConfiguration(commandName: "whoami", abstract: "Show the current account.")
    static let examples: Examples = [
        "Show the current account.": "authctl whoami",
        "Print only the email address, for a script.": "authctl whoami --field account.email",
    ]

    @OptionGroup var options: GlobalOptions
    @OptionGroup var part: FieldFlag

    static let task = ErrorContext("account not shown", again: "authctl signin")
    var task: ErrorContext { Self.task }

    func run(_ context: Context) async throws { try await Self.show(context) }

    static func show(_ context: Context) async throws {
        let directory = try context.profile.directory()
        let status = try await AccountStatus.one(try context.account, in: directory)
        var object: JSONObject = ["account": JSONShapes.account(status.account)]
        object.merge(JSONShapes.project(directory.origin))
        object["claims"] = .null
        // The claims are encrypted: if the vault is locked, the account is shown without them.
        if case .project = directory.origin, context.output.isJSON || context.output.field != nil,
            let claims = try? await directory.claims(of: status.account.uid)
        {
            object["claims"] = .object(claims)
        }
        try context.show(.object(object)) { screen in
            Table.lines(AccountText.rows(status.account), on: screen)
                + (directory.origin.emulator.map {
                    [Table.line("at the emulator '\($0)', which does not sign its tokens", on: screen)]
                } ?? [])
        }
    }
}

struct StatusCommand: SupportsFields {
    static let configuration = CommandConfiguration(
        commandName: "status", abstract: "Show the accounts, their sessions and when they expire.",
        discussion: """
            Exits with 4 if the account requires a new sign-in before it has a token, and with 74 if the key of its \
            tokens is missing or unavailable. The account is the current one, or that of --account.
            """)
    static let examples: Examples = [
        "Show the signed-in accounts, a line each.": "authctl status",
        "Show each session.": "authctl status --long",
        "Check in a script whether GitHub's session requires user interaction.":
            "authctl status --provider github.com --json",
    ]

    @OptionGroup var options: GlobalOptions
    @OptionGroup var provider: ProviderOption
    @OptionGroup var part: FieldFlag

    @Flag(help: "Also show what chose the account: an option, a rule, or that it is the current one.")
    var why = false

    @Flag(help: "Also show each session, when it expires, and where the encryption key is.")
    var long = false

    var task: ErrorContext { Self.task(provider.id) }

    static func task(_ provider: String?) -> ErrorContext {
        ErrorContext("status not shown", provider: provider, again: "authctl signin")
    }

    func run(_ context: Context) async throws { try await Self.show(of: provider.id, isLong: long, why: why, context) }

    static func show(of provider: String?, isLong: Bool = false, why: Bool = false, _ context: Context) async throws {
        var shown: [AccountStatus] = []
        var pending: [PendingCredential] = []
        var unrevoked: [UnrevokedSession] = []
        var present = DirectoryOrigin.local
        var absence: any Error = NotSignedIn.noAccount
        let choice = try context.accountChoice()
        let vault = try await context.profile.vaultStatus()
        let sessionStore = try context.profile.sessionStoreForDisplay()
        if let sessionStore {
            present = sessionStore.origin
            // A store that cannot be written can still be shown.
            try? await sessionStore.forgetExpiredMachineTokens(now: context.clock.now())
            shown = try await AccountStatus.shown(in: sessionStore, named: choice.account)
            pending = try await sessionStore.pendingCredentials(now: context.clock.now())
            unrevoked = try await sessionStore.unrevokedSessions(now: context.clock.now())
            absence = try await sessionStore.absence()
        }
        if let name = choice.account, shown.isEmpty {
            throw try await sessionStore?.absence(of: name) ?? NotSignedIn.unknownAccount(name)
        }
        var given = try context.environmentTokens()
        let id = try provider.map(context.named)
        if let id {
            shown = shown.map { $0.keeping { $0.providerID == id } }
                .filter { !$0.sessions.isEmpty || $0.account.has(id) }
            pending = pending.filter { $0.providerID == id }
            unrevoked = unrevoked.filter { $0.providerID == id }
            given = given.filter { $0.providerID == id }
        }
        var others = 0
        if choice.account == nil, let sessionStore {
            let counted = shown.filter { status in id.map { status.account.has($0) } ?? true }.count
            others = try await sessionStore.accountCount(provider: id) - counted
        }
        let isSignedIn = shown.contains { !$0.sessions.isEmpty } || !given.isEmpty
        if let provider, !(absence is DirectoryMismatch) { absence = NotSignedIn.noSession(provider: provider) }
        var view = context.sessionView(present, vault)
        var keyProblem: (any Error)?
        // A locked vault is reported separately, and reading its key could open a prompt.
        if vault.state != .locked, shown.contains(where: { !$0.sessions.isEmpty }) {
            do { try await context.profile.checkKey() } catch { keyProblem = error }
        }
        view.isKeyLost = keyProblem != nil
        // A rule's account is shown even if it has no session, as the current account is.
        let isRuled = choice.place != nil && !shown.isEmpty
        guard isSignedIn || isRuled || context.output.isJSON && context.output.field == nil else {
            for (text, command) in AccountText.attention(unrevoked, view) {
                context.output.note("\(text): \(command.repeating(view.given).text)")
            }
            throw absence
        }
        let text = StatusText(
            shown: shown, others: others, pending: pending, unrevoked: unrevoked, given: given, vault: vault,
            view: view, choice: choice)
        if why, let used = shown.first(where: { choice.account != nil || $0.isCurrent }) {
            context.output.note("\(AccountText.name(used.account)): \(choice.text)")
        }
        try context.show(text.json()) { isLong ? text.longLines(on: $0) : text.lines(on: $0) }
        // An empty list is valid output; the exit code reports that no user is signed in.
        guard isSignedIn || isRuled else { throw absence }
        let used = used(shown, given, choice)
        if let keyProblem, used.contains(where: { $0.sessions.contains { view.state($0) == .unreadable } }) {
            throw keyProblem
        }
        if used.isEmpty, given.isEmpty {
            let others = shown.filter { !$0.sessions.isEmpty && !$0.account.isMachine }.map(\.account)
            if !others.isEmpty {
                throw NotSignedIn.noCurrent(others: others.map(\.label).sorted())
            }
        }
        let requiresUser = used.isEmpty ? given.isEmpty : used.contains { $0.requiresUser(view.state) }
        if requiresUser { throw ExitStatus(code: 4) }
    }

    /// The requested accounts, with the sessions whose tokens a command would use. The environment's tokens take
    /// precedence over the store's, unless an account is named.
    private static func used(_ shown: [AccountStatus], _ given: [EnvironmentToken], _ choice: AccountChoice)
        -> [AccountStatus]
    {
        let isRule = choice.place != nil
        guard isRule || choice.account == nil else { return shown }
        let replaced = given.map(\.providerID)
        return shown.filter { isRule || $0.isCurrent }.map { $0.keeping { !replaced.contains($0.providerID) } }
            .filter { !$0.sessions.isEmpty || replaced.isEmpty }
    }
}
