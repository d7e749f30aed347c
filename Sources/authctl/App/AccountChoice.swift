import AuthCore

/// Which account a command uses, and what chose it.
enum AccountChoice: Sendable, Equatable {
    case option(String)
    case environment(String)
    case rule(AccountRule)
    case gitConfiguration(String)
    case current

    var account: String? {
        switch self {
        case .option(let name), .environment(let name), .gitConfiguration(let name): name
        case .rule(let rule): rule.account
        case .current: nil
        }
    }

    /// The value of `chosenBy` in JSON.
    var name: String {
        switch self {
        case .option: "option"
        case .environment: "environment"
        case .rule(let rule):
            if case .remote = rule.place { "remote-rule" } else { "directory-rule" }
        case .gitConfiguration: "git-config"
        case .current: "current"
        }
    }

    var place: AccountRule.Place? {
        switch self {
        case .rule(let rule): rule.place
        case .gitConfiguration: .gitConfiguration
        case .option, .environment, .current: nil
        }
    }

    /// The error if the account that a rule or a variable chooses for every command here does not exist.
    var missing: CommandError? {
        func error(_ origin: String, _ removal: ShellCommand) -> CommandError {
            CommandError(
                .accountNotFound,
                "the account of \(origin) does not exist on this machine: '\(shown: account ?? "")'",
                hint: .run(removal))
        }
        if case .environment = self { return error("AUTHCTL_ACCOUNT", "unset AUTHCTL_ACCOUNT") }
        return place.map { error("the rule for '\(ServerText.shown($0.text))'", $0.removal) }
    }

    var text: String {
        switch self {
        case .option: "chosen by --account"
        case .environment: "chosen by AUTHCTL_ACCOUNT"
        case .rule(let rule): "chosen by the rule for '\(shown: rule.place.text)'"
        case .gitConfiguration: "chosen by \(GitRemote.accountSetting) in git's global configuration"
        case .current: "the current account"
        }
    }
}

/// The account choice of this process, so that git runs only once.
final class RememberedAccountChoice: Sendable {
    let choice = Lock<AccountChoice?>(nil)
}
