import AuthCore
import Glibc

extension Context {
    /// The account that --account, AUTHCTL_ACCOUNT or a rule names; nil for the current account.
    var account: String? { get throws { try accountChoice().account } }

    func accountChoice() throws -> AccountChoice {
        if let namedAccount { return namedAccount }
        return try remembered.choice.withLock { choice in
            let found = try choice ?? ruled()
            choice = found
            return found
        }
    }

    /// The account for git's request at a URL. The token is sent to this URL. Therefore, a rule for remotes applies
    /// without confirmation, and before a rule for directories.
    func accountChoice(forRequestAt url: String) throws -> AccountChoice {
        if let namedAccount { return namedAccount }
        let rules = try accountRules()
        if let rule = GitRemote(url).flatMap(rules.rule(forRemote:)) { return AccountChoice(rule) }
        return try local(rules) ?? AccountChoice(source: .current)
    }

    /// The account of --account or AUTHCTL_ACCOUNT. It takes precedence over a token in the environment, which takes
    /// precedence over a rule.
    var namedAccount: AccountChoice? {
        settings.account.map { AccountChoice(source: .option, account: $0) }
            ?? environment["AUTHCTL_ACCOUNT"].map { AccountChoice(source: .environment, account: $0) }
    }

    func accountRules() throws -> [AccountRule] {
        try AccountRules.load(from: configDirectory).filter { $0.profile == profile.name }
    }

    private func ruled() throws -> AccountChoice {
        let rules = try accountRules()
        if let choice = try local(rules) { return choice }
        let isCurrent = AccountChoice(source: .current)
        guard rules.contains(where: { $0.place.remote != nil }), let repository else { return isCurrent }
        // Checks all remotes: other users can write each of them, and it is unknown which one the user means.
        for line in try git("remote", "-v").split(separator: "\n") {
            guard let tab = line.lastIndex(of: "\t"), let end = line.lastIndex(of: " "), tab < end,
                let remote = GitRemote(String(line[line.index(after: tab)..<end])),
                let rule = rules.rule(forRemote: remote), let missing = AccountChoice(rule).missing
            else { continue }
            throw UnconfirmedRepository(
                path: repository, remote: remote.name, account: rule.account, missing: missing)
        }
        return isCurrent
    }

    /// The account that a rule for directories or the user's own git configuration selects.
    private func local(_ rules: [AccountRule]) throws -> AccountChoice? {
        guard !rules.isEmpty else { return nil }
        // Another account than the rule's must not be used instead.
        guard let directory = WorkingTree.directory else {
            throw CommandError(
                .invalidConfiguration,
                "the working directory does not exist any more, so account rules for directories cannot be applied",
                hint: "change to another directory, or choose the account with --account", isComplete: true)
        }
        if let rule = rules.rule(forDirectory: directory) { return AccountChoice(rule) }
        guard rules.contains(where: { $0.place == .gitConfiguration }), try isRepositoryOwn() else { return nil }
        // Ignores the repository's configuration, which another user may have written.
        let account = try git("config", "--global", "--includes", "--default", "", "--get", GitRemote.accountSetting)
        guard !account.isEmpty else { return nil }
        try refuseBranchCondition()
        return AccountChoice(source: .gitConfiguration, account: account, place: .gitConfiguration)
    }

    /// Refuses an account that git includes by `onbranch:`, because a repository chooses the name of its branch.
    private func refuseBranchCondition() throws(CommandError) {
        let words = try git(
            "config", "--global", "--includes", "--show-origin", "--null", "--get-regexp",
            #"^(authctl\.account|include(if\..*)?\.path)$"#
        ).split(separator: "\0")
        // git prints the entries of a file directly after the entry that includes it.
        var files: [(name: Substring, isByBranch: Bool)] = []
        var (includesByBranch, isChosenByBranch) = (false, false)
        for index in stride(from: 1, to: words.count, by: 2) {
            let (file, entry) = (words[index - 1], words[index])
            if let known = files.lastIndex(where: { $0.name == file }) {
                files.removeSubrange((known + 1)...)
            } else {
                files.append((file, includesByBranch || files.last?.isByBranch == true))
            }
            includesByBranch = entry.hasPrefix("includeif.onbranch:")
            if entry.hasPrefix("\(GitRemote.accountSetting)\n") { isChosenByBranch = files.last?.isByBranch == true }
        }
        guard isChosenByBranch else { return }
        throw CommandError(
            .operationNotAllowed,
            "git includes authctl.account by 'onbranch', and a repository chooses the name of its branch",
            hint: "use 'gitdir' for includeIf, or choose an account with --account")
    }

    /// The directory that a rule must name for the repository of this process.
    private var repository: String? { environment["GIT_DIR"] == nil ? WorkingTree.repository : WorkingTree.directory }

    /// Whether git's directory belongs to this repository: it is inside the repository or a containing one (a
    /// submodule), or names the repository as its worktree. Otherwise, a `.git` file could make `includeIf` match the
    /// directory of another repository.
    private func isRepositoryOwn() throws -> Bool {
        guard environment["GIT_DIR"] == nil, let repository = WorkingTree.repository else { return true }
        let directory = try git("rev-parse", "--absolute-git-dir")
        let isInside = WorkingTree.ancestors(of: repository).contains { path in
            directory == path || "\(directory)/".hasPrefix("\(path)/.git/")
        }
        if isInside { return true }
        guard let bytes = try? profile.host.file("\(directory)/gitdir").bytes else { return false }
        let named = String(decoding: bytes, as: UTF8.self).split(separator: "\n").first.map(String.init) ?? ""
        return (named.hasPrefix("/") ? named : ConfigDirectory.resolved("\(directory)/\(named)"))
            == "\(repository)/.git"
    }

    /// - Throws: if git fails, because no account other than the rule's may be used.
    private func git(_ words: String...) throws(CommandError) -> String {
        let reason: String
        do {
            let result = try Program(command: ["git"] + words, environment: environmentOfPrograms).finish()
            let text = String(decoding: result.output, as: UTF8.self)
            if result.isSuccess { return text.hasSuffix("\n") ? String(text.dropLast()) : text }
            reason = String(decoding: result.errors.prefix { $0 != 10 }, as: UTF8.self)
        } catch {
            reason = "'git': \(SystemText.of(error.number))"
        }
        throw CommandError(
            .operationNotAllowed, "the rules cannot choose an account, because git failed: \(shown: reason)",
            hint: "correct that, or choose an account with --account")
    }
}

private enum WorkingTree {
    static var directory: String? { ConfigDirectory.resolved(".").flatMap { $0.hasPrefix("/") ? $0 : nil } }

    /// The root of the repository, possibly a bare one, that contains the working directory.
    static var repository: String? {
        ancestors(of: directory ?? "/").first { path in
            func exists(_ name: String) -> Bool { access("\(path)/\(name)", F_OK) == 0 }
            return exists(".git") || exists("HEAD") && exists("objects") && exists("refs")
        }
    }

    /// A directory and its ancestors, without the root.
    static func ancestors(of path: String) -> [String] {
        let names = path.split(separator: "/")
        return names.indices.reversed().map { "/" + names[...$0].joined(separator: "/") }
    }
}

/// A remote in the repository's configuration, which another user may have written, matches a rule.
struct UnconfirmedRepository: UserFacingError {
    let path: String
    let remote: String
    let account: String
    /// The error if the rule's account does not exist.
    let missing: CommandError
    var code: ErrorCode { .operationNotAllowed }

    func explanation(_ context: ErrorContext) -> Explanation {
        "the remote '\(shown: remote)' has a rule, but this repository is not confirmed: others can write a remote into it"
            .hint(
                "if the repository is yours: \(run: "authctl accounts rule add --directory \(path) \(account)"); otherwise choose an account with --account"
            )
    }
}
