import AuthCore

/// An error of the command line's own, which nothing catches.
struct CommandError: UserFacingError {
    let code: ErrorCode
    private let text: Explanation
    let isComplete: Bool

    init(_ code: ErrorCode, _ message: String, hint: Hint? = nil, isComplete: Bool? = nil) {
        self.code = code
        self.isComplete = isComplete ?? (code == .usage)
        text = message.hint(hint)
    }

    func explanation(_ context: ErrorContext) -> Explanation {
        guard text.hint == nil, code == .toolNotSetUp else { return text }
        return text.message.hint("when that is corrected: \(run: context.again)")
    }
}

extension CommandError {
    static func nothingToVerify(in source: String) -> CommandError {
        CommandError(
            .invalidIDToken, "no token found in \(source)",
            hint: "a file with one token, or one on each line of standard input: \(run: "authctl verify FILE")")
    }

    /// Reads the URL in an argument of a command.
    static func url(_ text: String, as command: ShellCommand) throws(CommandError) -> HTTPURL {
        do {
            return try HTTPURL(text)
        } catch {
            let secure = "https://\(text)"
            throw CommandError(
                .usage, error.message(ServerText.shown(text)),
                hint: (try? HTTPURL(secure)).map { _ in .run("\(command) \(secure)") })
        }
    }

    static func settingsDropped(_ settings: [String], of provider: String, typed: [String]) -> CommandError {
        let changing = typed.firstIndex(of: "add").map { index in
            ShellCommand(words: ["authctl"] + typed[..<index] + ["set"] + typed[(index + 1)...])
        }
        return CommandError(
            .usage,
            "'\(provider)' is already configured, and this would remove its \(settings.joined(separator: ", "))",
            hint:
                "to change single settings: \(run: changing ?? "authctl providers set \(provider)"); to remove the others: add --replace",
            isComplete: false)
    }

    static func organizationsEntry(_ provider: String, _ place: SystemConfiguration.Place) -> CommandError {
        CommandError(
            .invalidConfiguration,
            "'\(provider)' is part of the system configuration, in '\(shown: place.path)' line \(place.line): only root can remove it",
            hint: "to override it for this user: \(run: "authctl providers set \(provider) --help")")
    }

    static func noSuchProfile(_ profile: String, known: [String], isUsed: Bool = false) -> CommandError {
        CommandError(
            .usage, "profile not found: '\(profile)'; known: \(known.joined(separator: ", "))",
            hint: isUsed
                ? "to create it: \(run: "authctl profile use \(profile) --create")" : .run("authctl profile list"))
    }

    static func invalidProfileVariable(_ name: String) -> CommandError {
        CommandError(
            .invalidConfiguration, "AUTHCTL_PROFILE is '\(shown: name)', which is not the name of a profile",
            hint: .run("unset AUTHCTL_PROFILE"), isComplete: true)
    }

    static func invalidProfileChoice(_ name: String, in path: String) -> CommandError {
        CommandError(
            .invalidConfiguration, "'\(shown: path)' contains '\(shown: name)', which is not the name of a profile",
            hint: "to use the default profile: \(run: "mv \(path) \(path + ".old")")", isComplete: true)
    }

    /// The user must read an email, but the run is non-interactive.
    static func linkNeeded(_ command: ShellCommand) -> CommandError {
        CommandError(
            .interactionRequired, "user interaction is required: the link from the email must be pasted",
            hint:
                "to send the email: \(run: "\(command) --begin"), then complete it with its link: \(run: "\(command) --code -")"
        )
    }

    static func anonymousLost(_ what: String) -> CommandError {
        CommandError(
            .usage, "\(what) cannot be recovered after signing out; pass --yes to confirm",
            hint: "to keep it, first: \(run: "authctl link --provider password")")
    }

    static func unknownHost(_ host: String, of provider: String?, owner: String? = nil) -> CommandError {
        if let owner, owner != provider {
            let other = provider.map { ", not from '\(shown: $0)'" } ?? ""
            return CommandError(
                .operationNotAllowed, "the host '\(shown: host)' requires a token from the provider '\(owner)'\(other)",
                hint: .signIn(owner))
        }
        let name = provider ?? ErrorContext.anyProvider
        return CommandError(
            .operationNotAllowed, "no configured provider allows tokens for '\(host)'",
            hint: "to allow one: \(run: "authctl providers set \(name) --api-host \(host)")")
    }

    static func notRevoked(
        _ providers: [String], isStored: Bool = false, isRetried: Bool = false, isOtherClients: Bool = false
    ) -> CommandError {
        let reason =
            isOtherClients
            ? "the tokens of \(quoted: providers) were issued to another client than the configured one, and were not revoked"
            : "\(quoted: providers) did not confirm the revocation"
        let retry: Hint = "\(run: "authctl signout --retry"); or \(RevocationUnavailable.revokeManually)"
        let hint: Hint =
            isOtherClients
            ? "to restore that client: \(run: "authctl providers set \(providers.first ?? ErrorContext.anyProvider) --client-id ID"); then: \(retry)"
            : "to try again: \(retry)"
        return CommandError(
            .providerUnavailable,
            isRetried ? reason + (isOtherClients ? "" : ", again") : "signed out on this machine, but \(reason)",
            hint: isStored ? hint : RevocationUnavailable.revokeManually, isComplete: true)
    }
}

/// Why a provider's tokens were not revoked.
struct RevocationUnavailable: WrappingError {
    let provider: String
    var isStored = false
    var isRetried = false
    let error: any Error
    private var isOtherIssuer: Bool { if case NotSignedIn.otherIssuer = error { true } else { false } }
    /// Whether no request was sent.
    private var isUnsent: Bool { error is any UnusableClient || isOtherIssuer }
    var code: ErrorCode { isOtherIssuer ? .invalidConfiguration : isUnsent ? inner.code : .providerUnavailable }
    var exitCode: Int32 { code.exitCode }
    var isComplete: Bool { true }

    static let revokeManually: Hint = "revoke the session on the provider's web page"

    func explanation(_ context: ErrorContext) -> Explanation {
        var own = ErrorContext(provider: provider, again: "authctl signout --retry")
        own.command = context.command
        let reason = inner.explanation(own)
        let retry: ShellCommand = "authctl signout --retry --provider \(provider)"
        let hint = isOtherIssuer ? "restore the configuration for that issuer" : reason.hint
        let again: Hint = hint.map { "\($0); then: \(run: retry)" } ?? .run(retry)
        let failed: Explanation =
            isUnsent ? "no token was revoked" : "'\(provider)' did not confirm the revocation"
        return "\(isRetried ? "" : "signed out on this machine, but ")\(failed.message): \(reason.message)"
            .hint(isStored ? again : RevocationUnavailable.revokeManually)
    }
}

/// A file or standard input that was named and cannot be read.
struct InputProblem: UserFacingError {
    let what: String
    let reason: String
    var code: ErrorCode { .usage }
    var isComplete: Bool { false }

    func explanation(_ context: ErrorContext) -> Explanation {
        let isFile = what.hasPrefix("'") || what == "the given file"
        return "\(what) cannot be read: \(reason)".hint(isFile ? "give the name of a file that you can read" : nil)
    }
}

/// A session was requested, of a provider that has no entry here.
struct NotConfigured: UserFacingError {
    let provider: String
    var code: ErrorCode { .signInRequired }
    var isComplete: Bool { true }

    func explanation(_ context: ErrorContext) -> Explanation {
        "not signed in to '\(shown: provider)': this provider is not configured".hint(context.registering(provider))
    }
}

/// No account is signed in, and no provider is configured to sign in with.
struct NothingSetUp: WrappingError {
    /// The provider that is configured as a GitHub App only.
    let app: String?
    let error: any Error

    func explanation(_ context: ErrorContext) -> Explanation {
        let found = inner.explanation(context)
        guard context.resource == nil else { return found }
        if let app { return found.message.hint(ProviderError.onlyAnApp(app).explanation(context).hint) }
        return "\(found.message): no provider is configured".hint("to add one: \(run: "authctl setup")")
    }
}

struct NoProviderConfigured: UserFacingError {
    var code: ErrorCode { .invalidConfiguration }

    func explanation(_ context: ErrorContext) -> Explanation {
        "no provider is configured".hint("to add one: \(run: "authctl setup")")
    }
}

/// The provider was added, but no user has signed in with it yet.
struct SignInAfterSetup: WrappingError {
    let provider: String
    let again: ShellCommand
    let error: any Error
    var isComplete: Bool { true }

    func explanation(_ context: ErrorContext) -> Explanation {
        var own = ErrorContext("sign-in failed", provider: provider, again: again)
        own.command = ["signin"]
        let failure = Failure(error, while: own)
        let hint = failure.hint ?? .run(again)
        return "'\(shown: provider)' is configured, but signing in failed: \(failure.message)"
            .hint(hint.parts.contains(.command(again)) ? hint : "\(hint); to continue: \(run: again)")
            .details(failure.details)
    }
}

/// A token was not exchanged (RFC 8693).
struct ExchangeFailed: WrappingError {
    let provider: String
    let audiences: [String]
    let resource: String?
    let error: any Error

    var isFinal: Bool {
        if case OAuthError.refused = error { return true }
        return error is BoundToken
    }

    func explanation(_ context: ErrorContext) -> Explanation {
        var own = ErrorContext(provider: provider, again: "authctl providers check \(provider)")
        (own.command, own.typed) = (context.command, context.typed)
        own.resource = resource
        own.audiences = audiences
        return inner.explanation(own)
    }
}

/// An identity's email is that of the account that is signed in already.
struct ConflictWithCurrentAccount: UserFacingError {
    let conflict: AccountConflict
    let pendingID: String
    var code: ErrorCode { .accountExistsWithDifferentCredential }

    func explanation(_ context: ErrorContext) -> Explanation {
        conflict.explanation(context).adding(", the current account", hint: .run("authctl link --pending \(pendingID)"))
    }
}

/// A sign-in conflicts with an account, where the next command would use yet another one.
struct ConflictWithChosenAccount: WrappingError {
    let error: any Error

    func explanation(_ context: ErrorContext) -> Explanation {
        var own = context
        own.hasChosenAccount = true
        return inner.explanation(own)
    }
}

/// The account of a rule does not exist any more.
struct RuleOfMissingAccount: WrappingError {
    let place: String
    let removal: ShellCommand
    let error: any Error

    func explanation(_ context: ErrorContext) -> Explanation {
        inner.explanation(context)
            .adding(", which is the account of the rule for '\(shown: place)'", hint: .run(removal))
    }
}

/// The account of a rule has no session.
struct RuleOfSignedOutAccount: WrappingError {
    let account: String
    let choice: String
    let error: any Error

    func explanation(_ context: ErrorContext) -> Explanation {
        "the account '\(shown: account)' has no session on this machine; it is \(choice)"
            .hint(inner.explanation(context).hint)
    }
}

/// A provider has no entry, but one with a similar name has.
struct MisspelledProvider: WrappingError {
    let id: String
    let near: String
    let error: any Error

    func explanation(_ context: ErrorContext) -> Explanation {
        let found = inner.explanation(context)
        return found.adding(Spelling.question([near]), hint: context.correcting(id, to: near) ?? found.hint)
    }
}

/// A command found nothing, in a profile that is nowhere: its name is likely to be the reason.
struct EmptyProfile: WrappingError {
    let profile: String
    let known: [String]
    let error: any Error

    func explanation(_ context: ErrorContext) -> Explanation {
        let more = "; profile '\(profile)' is empty; known profiles: \(known.joined(separator: ", "))"
        return inner.explanation(context).adding(more, hint: .run("authctl profile list"))
    }
}

extension InvalidInput: UserFacingError {
    var code: ErrorCode { .usage }
    func explanation(_ context: ErrorContext) -> Explanation { Explanation(message: reason) }
}

extension Child.NotStarted: UserFacingError {
    var code: ErrorCode { .commandNotRun }

    func explanation(_ context: ErrorContext) -> Explanation {
        "'\(ServerText(command))': \(SystemText.of(number))".hint("check the command after --, and PATH")
    }
}

extension FieldMissing: UserFacingError {
    var code: ErrorCode { .usage }

    func explanation(_ context: ErrorContext) -> Explanation {
        let place = self.place.isEmpty ? "" : " in '\(shown: self.place)'"
        let listed = known.isEmpty ? "" : "; known: \(known.joined(separator: ", "))"
        return "--field: '\(shown: part)' not found\(place)\(listed)".hint(path.whole)
    }
}

extension CancellationError: UserFacingError {
    func explanation(_ context: ErrorContext) -> Explanation {
        "cancelled".hint(context.command.last == "delete" ? "nothing was changed" : .run(context.again))
    }
}

extension LocalDirectoryRequired: UserFacingError {
    func explanation(_ context: ErrorContext) -> Explanation {
        let tool: Hint = context.command.first == "accounts" ? "use firebase auth:\(context.command[1]), or " : ""
        return "this profile uses a Firebase project".hint("\(tool)select another profile with --profile")
    }
}

extension NoProject: UserFacingError {
    func explanation(_ context: ErrorContext) -> Explanation {
        "this requires a Firebase project, but this profile uses the local directory".hint(
            "choose another profile with --profile, or add a project: \(run: "authctl profile import FILE")")
    }
}

// What the rules for accounts report.
extension CommandError {
    /// A repository's own configuration names a remote with a rule. Others may have written it.
    static func unconfirmedRepository(_ path: String, remote: String, account: String) -> CommandError {
        CommandError(
            .operationNotAllowed,
            "the remote '\(shown: remote)' has a rule, but this repository is not confirmed: others can write a remote into it",
            hint: """
                if the repository is yours: \(run: "authctl accounts rule add --directory \(path) \(account)"); \
                otherwise choose an account with --account
                """)
    }

    static func gitFailed(_ reason: String) -> CommandError {
        CommandError(
            .operationNotAllowed, "the rules cannot choose an account, because git failed: \(shown: reason)",
            hint: "correct that, or choose an account with --account")
    }
}

// What the bridge of `credential mcp --stdio` reports to its client.
extension CommandError {
    static func mcpStatus(_ status: Int, of url: HTTPURL) -> CommandError {
        switch status {
        case 401:
            CommandError(
                .signInRequired, "the server rejected a new token of the session",
                hint: "to sign in again: \(run: "authctl signin --resource \(url.text)")")
        case 300...399: CommandError(.requestFailed, "the server redirects to another URL (status \(status))")
        default: CommandError(.requestFailed, "the server responded with status \(status)")
        }
    }

    static var mcpSessionEnded: CommandError {
        CommandError(
            .requestFailed, "the server ended the MCP session (404), so the client must send a new initialize request",
            hint: "reconnect to this server in the MCP client; you need not sign in again")
    }

    static var mcpResponseLost: CommandError {
        CommandError(.networkFailed, "the connection ended before the response arrived", hint: .again)
    }

    static var mcpInvalidResponse: CommandError {
        CommandError(.invalidResponse, "the server's response is not a JSON-RPC message")
    }

    static func mcpMessageTooLong(_ limit: Int) -> CommandError {
        CommandError(.invalidResponse, "the server's message is longer than \(limit >> 20) MiB")
    }
}
