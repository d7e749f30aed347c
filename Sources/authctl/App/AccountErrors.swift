import AuthCore

/// A sign-in conflicts with an account, while a rule or the environment selects the account of the next command.
struct ConflictWithChosenAccount: WrappingError {
    let error: any Error

    func explanation(_ context: ErrorContext) -> Explanation {
        var own = context
        own.hasChosenAccount = true
        return inner.explanation(own)
    }
}

/// A remote in the repository's configuration, which another user may have written, matches a rule.
struct UnconfirmedRepository: UserFacingError {
    let path: String
    let remote: String
    /// The error if the rule's account does not exist.
    let missing: ChosenAccountMissing
    var code: ErrorCode { .operationNotAllowed }

    func explanation(_ context: ErrorContext) -> Explanation {
        "the remote '\(shown: remote)' has a rule, but this repository is not confirmed: others can write a remote into it"
            .hint(
                "if the repository is yours: \(run: "authctl accounts rule add --directory \(path) \(missing.account)"); otherwise choose an account with --account"
            )
    }
}

/// The account that a rule or a variable chooses does not exist.
struct ChosenAccountMissing: UserFacingError {
    let account: String
    let place: String
    let removal: ShellCommand
    var code: ErrorCode { .accountNotFound }

    func explanation(_ context: ErrorContext) -> Explanation {
        "the account of \(place) does not exist on this machine: '\(shown: account)'".hint(run: removal)
    }
}

/// The account that a rule or a variable chooses has no session.
struct ChosenAccountSignedOut: WrappingError {
    let account: String
    let choice: String
    let error: any Error

    func explanation(_ context: ErrorContext) -> Explanation {
        "the account '\(shown: account)' has no session on this machine; it is \(choice)"
            .hint(inner.explanation(context).hint)
    }
}

extension UsageProblem {
    static func anonymousLost(_ what: String, uid: String) -> UsageProblem {
        .other(
            "\(what) cannot be recovered afterwards; pass --yes to confirm",
            hint: "to keep it, first: \(run: "authctl link --provider password --account \(uid) --email ADDRESS")")
    }
}
