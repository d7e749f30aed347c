import AuthCore
import Glibc

extension Context {
    /// The account that --account, AUTHCTL_ACCOUNT or a rule names; nil for the current account.
    var account: String? { get throws { try accountChoice().account } }

    func accountChoice() throws -> AccountChoice {
        if let namedAccount { return namedAccount }
        return try remembered.choice.withLock { choice in
            if let choice { return choice }
            let found = try ruled()
            choice = found
            return found
        }
    }

    /// The account for git's request at a URL. The URL tells where the token will be sent, so that a rule for remotes
    /// applies without a question, and before one for directories.
    func accountChoice(forRequestAt url: String) throws -> AccountChoice {
        if let namedAccount { return namedAccount }
        let rules = try accountRules()
        if let rule = GitRemote(url).flatMap(rules.rule(forRemote:)) { return .rule(rule) }
        return try local(rules) ?? .current
    }

    /// The account that the call names. It comes before a token in the environment, and a rule after it.
    var namedAccount: AccountChoice? {
        settings.account.map(AccountChoice.option)
            ?? environment["AUTHCTL_ACCOUNT"].map(AccountChoice.environment)
    }

    func accountRules() throws -> AccountRules { try AccountRules.load(from: configDirectory).of(profile.name) }

    private func ruled() throws -> AccountChoice {
        let rules = try accountRules()
        if let choice = try local(rules) { return choice }
        guard rules.haveRemotes, let repository = WorkingTree.current else { return .current }
        guard let remote = try git("--get", "remote.origin.url").flatMap(GitRemote.init),
            let rule = rules.rule(forRemote: remote)
        else { return .current }
        throw UnconfirmedRepository(path: repository, remote: remote.name, account: rule.account)
    }

    /// The account of a directory, which the user named, or of the user's own git configuration.
    private func local(_ rules: AccountRules) throws -> AccountChoice? {
        guard !rules.rules.isEmpty, let directory = WorkingTree.directory else { return nil }
        if let rule = rules.rule(forDirectory: directory) { return .rule(rule) }
        guard rules.readsGitConfiguration else { return nil }
        // Never a repository's configuration, which others may have written.
        return try git("--global", "--includes", "--get", GitRemote.accountSetting).map(AccountChoice.gitConfiguration)
    }

    private func git(_ words: String...) throws -> String? {
        let result = try Program(command: ["git", "config"] + words, environment: environmentOfPrograms).finish()
        guard result.isSuccess else { return nil }
        let text = String(decoding: result.output, as: UTF8.self)
        return text.hasSuffix("\n") ? String(text.dropLast()) : text
    }
}

private enum WorkingTree {
    /// Without symbolic links.
    static var directory: String? {
        guard let path = getcwd(nil, 0) else { return nil }
        defer { free(path) }
        let text = String(cString: path)
        return text.hasPrefix("/") ? text : nil
    }

    /// The directory of the repository that contains this one.
    static var current: String? {
        var path = directory ?? "/"
        while path != "/" {
            if access(path + "/.git", F_OK) == 0 { return path }
            path = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "/"
            if path.isEmpty { path = "/" }
        }
        return nil
    }
}
