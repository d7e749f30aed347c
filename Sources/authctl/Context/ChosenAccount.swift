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
        settings.account.map(AccountChoice.option) ?? environment["AUTHCTL_ACCOUNT"].map(AccountChoice.environment)
    }

    func accountRules() throws -> AccountRules { try AccountRules.load(from: configDirectory).of(profile.name) }

    private func ruled() throws -> AccountChoice {
        let rules = try accountRules()
        if let choice = try local(rules) { return choice }
        guard rules.haveRemotes, let repository = repository else { return .current }
        // All remotes: others can write each of them, and which one the user means is unknown.
        for line in try git("remote", "-v").split(separator: "\n") {
            guard let tab = line.lastIndex(of: "\t"), let end = line.lastIndex(of: " "), tab < end,
                let remote = GitRemote(String(line[line.index(after: tab)..<end])),
                let rule = rules.rule(forRemote: remote)
            else { continue }
            throw CommandError.unconfirmedRepository(repository, remote: remote.name, account: rule.account)
        }
        return .current
    }

    /// The account of a directory, which the user named, or of the user's own git configuration.
    private func local(_ rules: AccountRules) throws -> AccountChoice? {
        guard !rules.rules.isEmpty else { return nil }
        guard let directory = WorkingTree.directory else { throw CommandError.noWorkingDirectory }
        if let rule = rules.rule(forDirectory: directory) { return .rule(rule) }
        guard rules.readsGitConfiguration, try isRepositoryOwn() else { return nil }
        // Never a repository's configuration, which others may have written.
        let account = try git("config", "--global", "--includes", "--default", "", "--get", GitRemote.accountSetting)
        return account.isEmpty ? nil : .gitConfiguration(account)
    }

    /// The directory that a rule must name for the repository of this process.
    private var repository: String? { environment["GIT_DIR"] == nil ? WorkingTree.repository : WorkingTree.directory }

    /// Whether git takes this repository for itself. A `.git` that leads to another repository would make `includeIf` see
    /// that one's directory; a worktree is named by its repository, and a submodule is inside of it.
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

    /// - Throws: if git fails: another account than the rule's must not be used instead.
    private func git(_ words: String...) throws(CommandError) -> String {
        let result: Program.Result
        do {
            result = try Program(command: ["git"] + words, environment: environmentOfPrograms).finish()
        } catch {
            throw .gitFailed("'git': \(SystemText.of(error.number))")
        }
        guard result.isSuccess else {
            throw .gitFailed(String(decoding: result.errors.prefix { $0 != 10 }, as: UTF8.self))
        }
        let text = String(decoding: result.output, as: UTF8.self)
        return text.hasSuffix("\n") ? String(text.dropLast()) : text
    }
}

private enum WorkingTree {
    static var directory: String? { ConfigDirectory.resolved(".").flatMap { $0.hasPrefix("/") ? $0 : nil } }

    /// The directory of the repository that contains this one. It may be bare.
    static var repository: String? {
        ancestors(of: directory ?? "/").first { path in
            func exists(_ name: String) -> Bool { access("\(path)/\(name)", F_OK) == 0 }
            return exists(".git") || exists("HEAD") && exists("objects") && exists("refs")
        }
    }

    /// This directory and those above it, without the root.
    static func ancestors(of path: String) -> [String] {
        let names = path.split(separator: "/")
        return names.indices.reversed().map { "/" + names[...$0].joined(separator: "/") }
    }
}
