import AuthCore

/// Which account a command uses, and what chose it.
struct AccountChoice: Sendable {
    /// The raw value is `chosenBy` in JSON.
    enum Source: String {
        case option, environment, current
        case directory = "directory-rule"
        case remote = "remote-rule"
        case gitConfiguration = "git-config"
    }

    let source: Source
    /// Nil for the current account.
    var account: String?
    /// The place of the rule.
    var place: AccountRule.Place?

    /// The error if the account that a rule or a variable chooses for every command here does not exist.
    var missing: CommandError? {
        func error(_ origin: String, _ removal: ShellCommand) -> CommandError {
            CommandError(
                .accountNotFound,
                "the account of \(origin) does not exist on this machine: '\(shown: account ?? "")'",
                hint: .run(removal))
        }
        if source == .environment { return error("AUTHCTL_ACCOUNT", "unset AUTHCTL_ACCOUNT") }
        return place.map { error("the rule for '\(ServerText.shown($0.text))'", $0.removal) }
    }

    /// What makes an account the default one, before "makes".
    func cause(_ environment: Environment) -> String {
        let place = environment.shortened(ServerText.shown(place?.text ?? ""))
        return switch source {
        case .option: "--account"
        case .environment: "AUTHCTL_ACCOUNT"
        case .directory: "In \(place) a rule"
        case .remote: "The rule for '\(place)'"
        case .gitConfiguration: "\(GitRemote.accountSetting) in git's global configuration"
        case .current: "The last sign-in"
        }
    }

    var text: String {
        switch source {
        case .option: "chosen by --account"
        case .environment: "chosen by AUTHCTL_ACCOUNT"
        case .directory, .remote: "chosen by the rule for '\(shown: place?.text ?? "")'"
        case .gitConfiguration: "chosen by \(GitRemote.accountSetting) in git's global configuration"
        case .current: "the current account"
        }
    }
}

extension AccountChoice {
    init(_ rule: AccountRule) {
        let source: Source = rule.place.remote == nil ? .directory : .remote
        self.init(source: source, account: rule.account, place: rule.place)
    }
}

/// The account choice of this process, so that git runs only once.
final class RememberedAccountChoice: Sendable {
    let choice = Lock<AccountChoice?>(nil)
}
