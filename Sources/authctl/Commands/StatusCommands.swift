import ArgumentParser
import AuthCore

struct WhoAmICommand: Command {
    static let configuration = CommandConfiguration(commandName: "whoami", abstract: "Show the current account.")

    @OptionGroup var options: GlobalOptions

    var task: Undertaking { Undertaking("nobody to show", again: "authctl signin") }

    func run(_ context: Context) async throws {
        let directory = try context.directory(creating: false)
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
        if let store = try context.store(creating: false) {
            let directory = context.shownDirectory(store)
            present = directory.origin
            // A store that cannot be written can still be shown.
            try? await directory.forgetExpiredMachineTokens(now: context.clock.now())
            all = try await AccountStatus.all(in: directory)
            pending = try await PendingCredentials(directory: directory, clock: context.clock).all()
        }
        let shown =
            try context.account.map { name in
                try all.filter { $0.account.uid == name || $0.account.email == name }.orThrow(
                    NotSignedIn.unknownAccount(name))
            } ?? all
        let given = try context.environmentTokens()
        // An empty list is data, and the exit code says that nobody is signed in.
        if context.output.isJSON { context.output.json(.object(accounts(shown, given))) }
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
        }
    }

    private func accounts(_ shown: [AccountStatus], _ given: [EnvironmentToken]) -> JSONObject {
        var object = JSONObject()
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

/// Accounts as a person wants to see them.
enum AccountText {
    static func lines(_ account: Account) -> [String] {
        var rows = [["account", name(account)], ["uid", account.uid]]
        if let email = account.email {
            rows.append(["email", "\(ServerText.shown(email))\(account.isEmailVerified ? "" : " (not verified)")"])
        }
        if account.isMachine { rows.append(["kind", "machine"]) }
        if let display = account.displayName { rows.append(["name", ServerText.shown(display)]) }
        let providers = Table.lines(account.providerData.map { [$0.key.providerID, self.identity($0)] })
        rows += providers.map { ["provider", $0] }
        return Table.lines(rows)
    }

    /// Who somebody is at a provider, in the word that a person knows.
    private static func identity(_ identity: Identity) -> String {
        let name = identity.email ?? identity.displayName ?? identity.key.federatedID
        let number = name == identity.key.federatedID ? "" : " (\(identity.key.federatedID))"
        return ServerText.shown(name + number) + (identity.isPrivateRelay ? ", a relay address" : "")
    }

    /// - Parameter present: what makes the sessions of the profile now: of others it is said.
    static func lines(_ status: AccountStatus, _ present: DirectoryOrigin, now: Int64) -> [String] {
        let mark = status.isCurrent ? "*" : " "
        let title = "\(mark) \(name(status.account))  \(status.account.uid)"
        let rows = status.account.providerData.compactMap { identity -> [String]? in
            let provider = identity.key.providerID
            guard let session = status.sessions.first(where: { $0.providerID == provider }) else {
                return status.account.isMachine ? nil : ["    \(provider)", "linked, no session here"]
            }
            return ["    \(provider)"] + cells(session, present, now: now)
        }
        // A job's token may be another provider's than the one that says who it is.
        let exchanged = status.sessions.filter { session in
            !status.account.providerData.contains { $0.key.providerID == session.providerID }
        }.map { ["    \($0.providerID)"] + cells($0, present, now: now) }
        return [title] + (status.sessions.isEmpty ? ["    signed out"] : Table.lines(rows + exchanged))
    }

    private static func cells(_ session: SessionSummary, _ present: DirectoryOrigin, now: Int64) -> [String] {
        var proven =
            session.lastProvenAt == 0
            ? "by \(session.source)"
            : "by \(session.source), proven \(Relative.span(max(0, now - session.lastProvenAt))) ago"
        if session.directory != present {
            proven += ", of \(Failure.text(session.directory)): not used now"
        } else if let emulator = session.directory?.emulator {
            proven += ", at the emulator '\(emulator)'"
        }
        guard session.providerID != PasswordProvider.id else { return ["no tokens", "signs in by password", proven] }
        let renewal =
            session.isRenewable
            ? "renews itself" : session.expiresAt == nil ? "lasts until revoked" : "needs you to renew it"
        return [Relative.expiry(session.expiresAt, now: now), renewal, proven]
    }

    /// What a person should do, before anything else.
    static func attention(
        _ all: [AccountStatus], _ pending: [PendingCredential], _ present: DirectoryOrigin, now: Int64
    ) -> [String] {
        var lines = all.flatMap { status in
            status.sessions.compactMap { session -> String? in
                guard let expiresAt = session.expiresAt, expiresAt <= now, !session.isRenewable,
                    session.directory == present
                else { return nil }
                return "! '\(session.providerID)' of \(name(status.account)) has expired: "
                    + Hint.signIn(session.signInProvider).text
            }
        }
        lines += pending.map { pending in
            "! a credential of '\(pending.providerID)' waits, \(Relative.span(pending.expiresAt - now)) left: "
                + PendingText.command(pending).text
        }
        return lines
    }

    static func name(_ account: Account) -> String {
        ServerText.shown(account.email ?? account.displayName ?? account.uid)
    }
}
