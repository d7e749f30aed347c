import AuthCore

// Errors about accounts, and about the rules that choose one.
extension CommandError {
    /// The user must read an email, but the run is non-interactive.
    static func linkNeeded(_ command: ShellCommand) -> CommandError {
        CommandError(
            .interactionRequired, "user interaction is required: the link from the email must be pasted",
            hint:
                "to send the email: \(run: "\(command) --begin"), then complete it with its link: \(run: "\(command) --code -")"
        )
    }

    static let chosenByBranch = CommandError(
        .operationNotAllowed,
        "git includes authctl.account by 'onbranch', and a repository chooses the name of its branch",
        hint: "use 'gitdir' for includeIf, or choose an account with --account")

    static func gitFailed(_ reason: String) -> CommandError {
        CommandError(
            .operationNotAllowed, "the rules cannot choose an account, because git failed: \(shown: reason)",
            hint: "correct that, or choose an account with --account")
    }
}

/// The identity's email address belongs to the current account.
struct ConflictWithCurrentAccount: UserFacingError {
    let conflict: AccountConflict
    let pendingID: String
    var code: ErrorCode { .accountExistsWithDifferentCredential }

    func explanation(_ context: ErrorContext) -> Explanation {
        conflict.explanation(context).adding(", the current account", hint: .run("authctl link --pending \(pendingID)"))
    }
}

extension CommandError {
    /// Another account than the rule's must not be used instead.
    static var noWorkingDirectory: CommandError {
        CommandError(
            .invalidConfiguration,
            "the working directory does not exist any more, so account rules for directories cannot be applied",
            hint: "change to another directory, or choose the account with --account", isComplete: true)
    }
}

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

/// A non-interactive run cannot re-authenticate an account without a password.
struct ReauthenticationWithoutPassword: WrappingError {
    let error: any Error

    func explanation(_ context: ErrorContext) -> Explanation {
        inner.explanation(context).message.hint("on a terminal: \(run: context.again)")
    }
}

/// The user is signed in, but the pending credential was not linked.
struct PendingNotLinked: WrappingError {
    let error: any Error
    var isComplete: Bool { true }

    func explanation(_ context: ErrorContext) -> Explanation {
        let inner = inner.explanation(context)
        return "signed in, but the pending credential was not linked: \(inner.message)".hint(inner.hint)
            .details(inner.details)
    }
}
