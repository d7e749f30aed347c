import ArgumentParser
import AuthCore

struct WhoAmICommand: Command {
    static let configuration = CommandConfiguration(commandName: "whoami", abstract: "Show the current account.")

    @OptionGroup var options: GlobalOptions

    var task: Undertaking { Undertaking("nobody to show", again: "authctl signin") }

    func run(_ context: Context) async throws {
        let status = try await AccountStatus.one(context.account, in: context.directory(creating: false))
        context.output.result(["account": .object(JSONShapes.account(status.account))]) {
            AccountText.lines(status.account)
        }
    }
}

struct StatusCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "status", abstract: "Show every account, its sessions, and how long they last.")

    @OptionGroup var options: GlobalOptions

    var task: Undertaking { Undertaking("no status", again: "authctl signin") }

    func run(_ context: Context) async throws {
        let all: [AccountStatus]
        if let store = try context.store(creating: false) {
            all = try await AccountStatus.all(in: LocalDirectory(store: store, profile: context.profile))
        } else {
            all = []
        }
        let shown =
            try context.account.map { name in
                try all.filter { $0.account.uid == name || $0.account.email == name }.orThrow(
                    NotSignedIn.unknownAccount(name))
            } ?? all
        // An empty list is data, and the exit code says that nobody is signed in.
        if context.output.isJSON { context.output.data(JSONValue.object(accounts(shown)).text) }
        guard shown.contains(where: { !$0.sessions.isEmpty }) else { throw NotSignedIn.noAccount }
        if !context.output.isJSON {
            for line in shown.flatMap({ AccountText.lines($0, now: context.clock.now()) }) { context.output.data(line) }
        }
    }

    private func accounts(_ shown: [AccountStatus]) -> JSONObject {
        var object = JSONObject()
        object["accounts"] = .array(shown.map(JSONShapes.status))
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
            rows.append(["email", "\(ServerText.escaped(email))\(account.isEmailVerified ? "" : " (not verified)")"])
        }
        for identity in account.providerData {
            rows.append(["provider", "\(identity.key.providerID) (\(ServerText.escaped(identity.key.federatedID)))"])
        }
        return Table.lines(rows)
    }

    static func lines(_ status: AccountStatus, now: Int64) -> [String] {
        let mark = status.isCurrent ? "*" : " "
        let title = "\(mark) \(name(status.account))  \(status.account.uid)"
        let rows = status.sessions.map { session in
            let renewal =
                session.hasRefreshToken
                ? "renews itself" : session.expiresAt == nil ? "lasts until revoked" : "needs you to renew it"
            return [
                "    \(session.providerID)", Relative.expiry(session.expiresAt, now: now), renewal,
                "by \(session.source)",
            ]
        }
        return [title] + (rows.isEmpty ? ["    signed out"] : Table.lines(rows))
    }

    static func name(_ account: Account) -> String {
        ServerText.escaped(account.email ?? account.displayName ?? account.uid)
    }
}
