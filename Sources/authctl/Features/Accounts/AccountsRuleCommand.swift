import ArgumentParser
import AuthCore
import Glibc

struct AccountsRuleCommand: AccountIndependent, PrintsJSON {
    /// A rule and its account; nil if that does not exist.
    struct Listed: Viewed {
        static let view = View<Listed>("Rule") {
            Field("directory", of: \.rule.place.directory)
            Field("remote", of: \.rule.place.remote)
            Field("gitConfig", of: { $0.rule.place == .gitConfiguration })
            Field("profile", of: \.rule.profile)
            Field("account", of: \.account, means: "null: it does not exist, or git's configuration names it")
        }
        let rule: AccountRule
        let account: Account?

        var cells: [Cell] {
            let missing = rule.account.isEmpty ? "as git is configured" : "the account does not exist"
            let problem = rule.place.problem.map { [Cell($0, as: .bad)] } ?? []
            return [Cell(rule.place.text), Cell(account.map(AccountText.name) ?? missing)] + problem
        }
    }
    static let output = View<[Listed]> { Field("rules", of: \.self) }

    static let configuration = CommandConfiguration(
        commandName: "rule", abstract: "Choose the account by directory or by git remote.",
        discussion: """
            --account and AUTHCTL_ACCOUNT come before rules. Of several directories, the innermost counts. A rule for \
            remotes applies when git requests a token, if credential.useHttpPath is set. Other commands compare it with \
            all remotes of the repository, and fail until you add a rule for its directory.
            """)
    static let examples: Examples = [
        "Use an account in a directory and below it.": "authctl accounts rule add --directory ~/work work",
        "Use it for the repositories of an organization.":
            "authctl accounts rule add --remote 'github.com/corp/*' work",
        "List the rules.": "authctl accounts rule list",
        "Remove a rule.": "authctl accounts rule remove --directory ~/work",
    ]

    enum Operation: String, ExpressibleByArgument, CaseIterable { case add, list, remove }

    @Argument(help: "The operation: add, list or remove.")
    var operation = Operation.list

    @Argument(help: "The account, by alias, uid or address.", completion: .accounts)
    var account: String?

    @Option(help: .init("This directory and everything below it.", valueName: "dir"), completion: .directory)
    var directory: String?

    @Option(
        help: .init(
            "Repositories with this remote: HOST/PATH. * stands for any part of a name, ** at the end for any path.",
            valueName: "pattern"))
    var remote: String?

    @Flag(help: "Use authctl.account of your global git configuration, for example with includeIf.")
    var gitConfig = false

    @OptionGroup var options: GlobalOptions

    var errorContext: ErrorContext { .init("rules not changed") }

    func validate() throws {
        let places: GivenOptions = ["--directory": directory, "--remote": remote, "--git-config": gitConfig]
        let isPlace = !places.list.isEmpty
        switch operation {
        case .list: try require(!isPlace && account == nil, "list accepts neither an account nor a place")
        case .add, .remove:
            try refuse(
                if: operation == .remove && account != nil,
                "remove accepts a place, for example --directory, and no account")
            try refuseSeveral(of: places)
            try require(
                isPlace, .missing(["--directory"], note: ", for example ~/work, or --remote or --git-config"))
            try refuse(
                if: gitConfig && account != nil,
                "--git-config cannot be used with an account: authctl.account in git's configuration names it")
            try refuse(if: operation == .add && !gitConfig && account == nil, .missing(["<account>"]))
        }
    }

    func run(_ context: Context) async throws {
        guard operation != .list else { return try await show(context, nil) }
        let place = try self.place(context)
        var uid = ""
        if let account {
            let status = try await AccountStatus.one(account, in: context.profile.directory(), unproven: true)
            // The rule stays with this session, or with the account's default session.
            uid = (status.session(named: account).map { "\($0.providerID)/" } ?? "") + status.account.uid
        }
        let rule = AccountRule(profile: context.profile.name, place: place, account: uid)
        let done = try await context.profile.changingSettings { try change(rule, in: context.configDirectory) }
        try await show(context, "\(done) the rule for '\(shown: place.text)'")
        if operation == .add, let host = remote?.split(separator: "/").first {
            let command: ShellCommand = "git config --global \("credential.https://\(host).useHttpPath") true"
            context.output.note("git reports a repository's path only with: \(command.text)")
        }
    }

    private func change(_ rule: AccountRule, in directory: ConfigDirectory) throws -> String {
        var all = try AccountRules.load(from: directory)
        let count = all.count
        all.removeAll { $0.place == rule.place && $0.profile == rule.profile }
        let existed = all.count < count
        if operation == .add {
            all.append(rule)
        } else if !existed {
            throw UsageProblem.other(
                "there is no rule for '\(rule.place.text)'", hint: .run("authctl accounts rule list"))
        }
        try AccountRules.save(all, in: directory)
        return operation == .remove ? "removed" : existed ? "changed" : "added"
    }

    private func place(_ context: Context) throws -> AccountRule.Place {
        if gitConfig { return .gitConfiguration }
        if let remote {
            try require(
                operation == .remove || GitRemote.isPattern(remote),
                "--remote must be a host without a port, and a path, for example github.com/corp/*")
            return .remote(remote.lowercased())
        }
        let path = directory ?? "."
        // As in the list: the directory may be a link now.
        let listed = AccountRule.Place.directory(ConfigDirectory.absolute(path))
        if operation == .remove, try context.accountRules().contains(where: { $0.place == listed }) {
            return listed
        }
        guard let resolved = ConfigDirectory.resolved(path) else {
            // A rule can be removed after its directory was.
            try require(operation == .remove, "'\(path)' cannot be found: \(SystemText.of(errno))")
            return .directory(ConfigDirectory.absolute(path))
        }
        try require(stat(at: resolved)?.kind == S_IFDIR, "'\(path)' is not a directory")
        return .directory(resolved)
    }

    private func show(_ context: Context, _ done: String?) async throws {
        let sessionStore = try context.profile.sessionStoreForDisplay()
        var rules: [Listed] = []
        for rule in try context.accountRules() {
            var account: Account?
            if let sessionStore, !rule.account.isEmpty {
                account = try await AccountStatus.shown(in: sessionStore, named: rule.account).first?.account
            }
            rules.append(Listed(rule: rule, account: account))
        }
        if let done { return context.output.done(Self.output.json(rules), done) }
        try context.show(Self.output.json(rules)) { Table.lines(rules.map(\.cells), on: $0) }
        if rules.isEmpty { context.output.note("no account rules") }
    }
}
