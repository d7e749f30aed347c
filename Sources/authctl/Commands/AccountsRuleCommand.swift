import ArgumentParser
import AuthCore
import Glibc

struct AccountsRuleCommand: AccountIndependent {
    static let configuration = CommandConfiguration(
        commandName: "rule", abstract: "Choose the account by directory or by git remote.",
        discussion: """
            --account and AUTHCTL_ACCOUNT come before rules. Of several directories the innermost counts. A rule for \
            remotes applies when git asks for a token, if credential.useHttpPath is set; in a repository's directory, \
            other commands ask for a rule for that directory first.
            """)
    static let examples = [
        Example("Use an account in a directory and below it.", "authctl accounts rule add --directory ~/work work"),
        Example(
            "Use it for the repositories of an organization.",
            "authctl accounts rule add --remote 'github.com/corp/*' work"),
        Example("List the rules.", "authctl accounts rule list"),
        Example("Remove a rule.", "authctl accounts rule remove --directory ~/work"),
    ]

    enum Operation: String, ExpressibleByArgument, CaseIterable {
        case add, list, remove
    }

    @Argument(help: "The operation: add, list or remove.")
    var operation: Operation

    @Argument(help: "The account, by alias, uid or address.", completion: .accounts)
    var account: String?

    @Option(help: ArgumentHelp("This directory and everything below it.", valueName: "dir"), completion: .directory)
    var directory: String?

    @Option(
        help: ArgumentHelp(
            "Repositories with this remote, as HOST/PATH; * is any part, and a last ** any path.", valueName: "pattern")
    )
    var remote: String?

    @Flag(help: "Where authctl.account is set in your global git configuration, for example with includeIf.")
    var gitConfig = false

    @OptionGroup var options: GlobalOptions

    var task: ErrorContext { ErrorContext("rules not changed", again: .typed) }

    func validate() throws {
        let places = [directory != nil, remote != nil, gitConfig].filter(\.self).count
        switch operation {
        case .list:
            guard places == 0, account == nil else { throw ValidationError("list takes no account and no place") }
        case .add, .remove:
            guard places <= 1 else {
                throw ValidationError("only one of --directory, --remote and --git-config is allowed")
            }
            guard places == 1 else {
                throw ValidationError("--directory is required, for example ~/work, or --remote or --git-config")
            }
            let hasAccount = account != nil
            guard hasAccount == (operation == .add && !gitConfig) else {
                throw ValidationError(
                    hasAccount ? "an account is named only by add" : "Missing expected argument '<account>'")
            }
        }
    }

    func run(_ context: Context) async throws {
        var all = try AccountRules.load(from: context.configDirectory)
        guard operation != .list else { return try await show(context, nil) }
        let place = try self.place()
        var uid = ""
        if let account {
            let directory = try context.profile.directory()
            uid = try await AccountStatus.one(account, in: directory, unproven: true).account.uid
        }
        let count = all.rules.count
        all.rules.removeAll { $0.place == place && $0.profile == context.profile.name }
        if operation == .add {
            all.rules.append(AccountRule(profile: context.profile.name, place: place, account: uid))
        } else if all.rules.count == count {
            throw CommandError(
                .usage, "there is no rule for '\(place.text)'", hint: .run("authctl accounts rule list"))
        }
        try all.save(in: context.configDirectory)
        let text = "'\(ServerText.shown(place.text))'"
        try await show(context, operation == .add ? "added the rule for \(text)" : "removed the rule for \(text)")
    }

    private func place() throws -> AccountRule.Place {
        if gitConfig { return .gitConfiguration }
        if let remote {
            let parts = remote.split(separator: "/", omittingEmptySubsequences: false)
            guard parts.count > 1, !parts.contains(""), !parts[0].contains(where: { "*?[".contains($0) }) else {
                throw CommandError(.usage, "--remote must be a host and a path, for example github.com/corp/*")
            }
            return .remote(remote)
        }
        let path = directory ?? "."
        guard let pointer = realpath(path, nil) else {
            // A rule can be removed after its directory was.
            let absolute = ConfigDirectory.absolute(path)
            guard operation == .remove else {
                throw CommandError(.usage, "'\(path)' cannot be found: \(String(cString: strerror(errno)))")
            }
            return .directory(absolute)
        }
        defer { free(pointer) }
        var status = stat()
        guard stat(pointer, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else {
            throw CommandError(.usage, "'\(path)' is not a directory")
        }
        return .directory(String(cString: pointer))
    }

    private func show(_ context: Context, _ done: String?) async throws {
        let rules = try context.accountRules().rules
        let sessionStore = try context.profile.sessionStoreForDisplay()
        var (rows, values): ([[Cell]], [JSONValue]) = ([], [])
        for rule in rules {
            var account: Account?
            if let sessionStore, !rule.account.isEmpty {
                account = try await AccountStatus.shown(in: sessionStore, named: rule.account).first?.account
            }
            let missing = rule.account.isEmpty ? "" : "the account does not exist"
            rows.append([Cell(rule.place.text), Cell(account.map(AccountText.name) ?? missing)])
            var object = rule.json
            for name in ["directory", "remote"] where object[name] == nil { object[name] = .null }
            object["gitConfig"] = .bool(rule.place == .gitConfiguration)
            object["account"] = account.map { .object(JSONShapes.account($0)) } ?? .null
            values.append(.object(object))
        }
        let json: JSONValue = ["rules": .array(values)]
        if let done { return context.output.done(json, done) }
        try context.show(json) { Table.lines(rows, on: $0) }
        if rules.isEmpty { context.output.note("no account rules") }
    }
}
