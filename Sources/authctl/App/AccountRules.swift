import AuthCore

/// The accounts for directories and repositories, in the file `account-rules` of the configuration directory. It is
/// separate from `config.yaml`, so that `token` does not have to read YAML.
enum AccountRules {
    private static let name = "account-rules"

    static func load(from directory: ConfigDirectory) throws -> [AccountRule] {
        guard let bytes = try directory.read(name, as: .settings, maximumLength: 1 << 18) else { return [] }
        let path = "\(directory.path)/\(name)"
        do {
            guard let entries = try StrictJSON.object(bytes)["rules"]?.array else { throw damaged(path) }
            return try entries.map { entry in
                guard let rule = entry.object.flatMap(AccountRule.init) else { throw damaged(path) }
                return rule
            }
        } catch is JSONError { throw damaged(path) }
    }

    private static func damaged(_ path: String) -> CommandError {
        CommandError(
            .invalidConfiguration, "'\(path)' does not contain account rules",
            hint: "remove this file, and add the rules again: \(run: "authctl accounts rule --help")", isComplete: true)
    }

    static func save(_ rules: [AccountRule], in directory: ConfigDirectory) throws {
        let object: JSONObject = ["rules": .array(rules.map { .object($0.json) })]
        try directory.replaceFile(name, Array((JSONValue.object(object).text + "\n").utf8))
    }

    /// Renames a profile in the rules, or removes its rules.
    static func move(_ profile: String, to other: String?, in directory: ConfigDirectory) throws {
        let known = try load(from: directory)
        guard known.contains(where: { $0.profile == profile }) else { return }
        let rules = known.compactMap { rule -> AccountRule? in
            guard rule.profile == profile else { return rule }
            return other.map { AccountRule(profile: $0, place: rule.place, account: rule.account) }
        }
        try save(rules, in: directory)
    }
}

extension [AccountRule] {
    /// The rule of the innermost directory that contains this one.
    func rule(forDirectory path: String) -> AccountRule? {
        longest { place in
            guard let directory = place.directory else { return nil }
            // Compared by bytes: Swift compares names in different Unicode forms as equal.
            let prefix = directory == "/" ? "/" : directory + "/"
            return "\(path)/".utf8.starts(with: prefix.utf8) ? directory.utf8.count : nil
        }
    }

    /// The rule with the longest pattern that matches a remote.
    func rule(forRemote remote: GitRemote) -> AccountRule? {
        longest { $0.remote.flatMap { remote.matches($0) ? $0.utf8.count : nil } }
    }

    private func longest(_ length: (AccountRule.Place) -> Int?) -> AccountRule? {
        compactMap { rule in length(rule.place).map { (rule, $0) } }.max { $0.1 < $1.1 }?.0
    }
}

/// A place, and the account that is used in it (`accounts rule add`).
struct AccountRule: Sendable, Equatable {
    enum Place: Sendable, Equatable {
        /// This directory, without symbolic links, and everything below it.
        case directory(String)
        /// A pattern for remotes in lower case, such as `github.com/corp/*`.
        case remote(String)
        /// `authctl.account` in the user's own git configuration.
        case gitConfiguration
    }

    var profile: String
    var place: Place
    /// The account's uid, after `PROVIDER/` if the rule is for one of its sessions. Empty for `gitConfiguration`, because
    /// `authctl.account` names the account.
    var account: String
}

extension AccountRule {
    init?(_ object: JSONObject) {
        guard let profile = object["profile"]?.string, let account = object["account"]?.string else { return nil }
        let named: Place? =
            object["directory"]?.string.map(Place.directory)
            ?? object["remote"]?.string.map { .remote($0.lowercased()) }
        let place = named ?? (object["gitConfig"] == true ? .gitConfiguration : nil)
        guard let place, place == .gitConfiguration || !account.isEmpty else { return nil }
        self.init(profile: profile, place: place, account: account)
    }

    var json: JSONObject {
        var object: JSONObject = ["profile": .string(profile), "account": .string(account)]
        object["directory"] = place.directory.map(JSONValue.string)
        object["remote"] = place.remote.map(JSONValue.string)
        if place == .gitConfiguration { object["gitConfig"] = true }
        return object
    }
}

extension AccountRule.Place {
    var directory: String? { if case .directory(let path) = self { path } else { nil } }
    var remote: String? { if case .remote(let pattern) = self { pattern } else { nil } }

    var text: String { directory ?? remote ?? GitRemote.accountSetting }

    /// Why the rule is never applied.
    var problem: String? {
        guard let directory, ConfigDirectory.resolved(directory) != directory else { return nil }
        return "the directory was moved or removed"
    }

    var removal: ShellCommand {
        ShellCommand("authctl accounts rule remove").with([
            "--directory": directory, "--remote": remote, "--git-config": self == .gitConfiguration,
        ])
    }
}
