import ArgumentParser
import AuthCore

struct WhoAmICommand: Command {
    static let configuration = CommandConfiguration(commandName: "whoami", abstract: "Show the current account.")

    @OptionGroup var options: GlobalOptions

    var task: Undertaking { Undertaking("nobody to show", again: "authctl signin") }

    func run(_ context: Context) async throws {
        let directory = try context.profile.directory()
        let status = try await AccountStatus.one(context.account, in: directory)
        var object: JSONObject = ["account": .object(JSONShapes.account(status.account))]
        if let emulator = directory.origin.emulator { object["emulator"] = .string(emulator) }
        context.output.result(.object(object)) {
            AccountText.lines(status.account)
                + (directory.origin.emulator.map { ["at the emulator '\($0)', whose tokens nobody signs"] } ?? [])
        }
    }
}

struct StatusCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "status", abstract: "Show every account, its sessions, and how long they last.")

    @OptionGroup var options: GlobalOptions

    var task: Undertaking { Undertaking("no status", again: "authctl signin") }

    func run(_ context: Context) async throws {
        var all: [AccountStatus] = []
        var pending: [PendingCredential] = []
        var present = DirectoryOrigin.local
        let vault = try await context.profile.vaultStatus()
        if let ledger = try context.profile.shownLedger() {
            present = ledger.origin
            // A store that cannot be written can still be shown.
            try? await ledger.forgetExpiredMachineTokens(now: context.clock.now())
            all = try await AccountStatus.all(in: ledger)
            pending = try await ledger.pendingCredentials(now: context.clock.now())
        }
        let shown =
            try context.account.map { name in
                try all.filter { $0.account.uid == name || $0.account.email == name }.orThrow(
                    NotSignedIn.unknownAccount(name))
            } ?? all
        let given = try context.environmentTokens()
        // An empty list is data, and the exit code says that nobody is signed in.
        if context.output.isJSON { context.output.json(.object(accounts(shown, given, vault))) }
        if !context.output.isJSON {
            for token in given {
                context.output.line("\(token.providerID) has its token from \(token.variable), instead of the store")
            }
        }
        guard shown.contains(where: { !$0.sessions.isEmpty }) || !given.isEmpty else { throw NotSignedIn.noAccount }
        if !context.output.isJSON {
            let now = context.clock.now()
            for line in AccountText.attention(shown, pending, present, now: now) { context.output.line(line) }
            // The current account first.
            for status in shown.filter(\.isCurrent) + shown.filter({ !$0.isCurrent }) {
                for line in AccountText.lines(status, present, now: now) { context.output.line(line) }
            }
            context.output.line("sealed by \(VaultText.line(vault, now: now))")
        }
    }

    private func accounts(
        _ shown: [AccountStatus], _ given: [EnvironmentToken], _ vault: VaultStatus
    ) -> JSONObject {
        var object = JSONObject()
        object["vault"] = VaultText.json(vault)
        object["accounts"] = .array(shown.map(JSONShapes.status))
        if !given.isEmpty {
            object["environment"] = .array(
                given.map { ["providerId": .string($0.providerID), "source": .string($0.variable)] })
        }
        return object
    }
}

extension Array {
    /// The array itself, unless it is empty.
    fileprivate func orThrow(_ error: some Error) throws -> [Element] {
        guard !isEmpty else { throw error }
        return self
    }
}
