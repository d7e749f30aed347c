import AuthCore

/// An error as the command line prints it: the stable code, the exit code, the message and the next command.
struct Failure {
    let code: String
    let exitCode: Int32
    let message: String
    private(set) var hint: Hint?
    let details: JSONObject
    private let ownClient: String?

    var lines: [String] {
        ["authctl: error: \(message) (\(code))"] + (hint.map { ["authctl: hint: \($0.text)"] } ?? [])
    }

    /// The message with the hint, for a program that shows one text.
    var line: String { message + (hint.map { "; hint: \($0.text)" } ?? "") }

    var object: ErrorObject { ErrorObject(code: code, message: message, hint: hint?.text, details: details) }
    var json: JSONValue { ErrorObject.output.json(object) }

    init(_ error: any Error, while context: ErrorContext) {
        let known = error as? any UserFacingError ?? UnexpectedError(error: error)
        let explanation = known.explanation(context)
        let beginning = known.isComplete ? "" : context.failed.map { "\($0): " } ?? ""
        let message = beginning + explanation.message
        code = known.code.rawValue
        exitCode = known.exitCode
        // Limits the message, because its parts may be long.
        self.message = message.utf8.count > 4000 ? String(message.prefix(1000)) + "…" : message
        hint = explanation.hint ?? (known.code == .usage ? .run(context.help) : nil)
        details = explanation.details
        ownClient = context.ownClient
    }

    func repeating(_ given: RepeatedOptions) -> Failure {
        var failure = self
        failure.hint = hint?.forUser(given, client: ownClient)
        return failure
    }

    static func usage(_ message: String, hint: Hint) -> Failure {
        Failure(CommandError(.usage, message, hint: hint), while: ErrorContext())
    }
}

extension Output {
    static func report(_ failure: Failure, isJSON: Bool) { errors(isJSON ? [failure.json.text] : failure.lines) }
}

extension Hint {
    /// The hint for the user of this call, who may not be there.
    /// - Parameter client: the provider of a CI job that can sign in as its own client.
    func forUser(_ given: RepeatedOptions, client: String? = nil) -> Hint {
        let hint = given.isUnattended ? mapping { $0.withoutUser(isJob: given.isJob, client: client) } : self
        return hint.repeating(given)
    }
}

extension ShellCommand {
    /// Options with which a sign-in asks no user.
    private static let answers: Set = [
        "--ci", "--with-token", "--password-stdin", "--custom-token", "--code", "--complete", "--pending",
        "--link-pending", "client-credentials",
    ]

    /// A command that asks no user, instead of a sign-in in a browser or `setup`.
    fileprivate func withoutUser(isJob: Bool, client: String?) -> ShellCommand {
        guard let arguments, let command = arguments.first, ShellCommand.answers.isDisjoint(with: arguments) else {
            return self
        }
        let operand = arguments.dropFirst().first.flatMap { $0.hasPrefix("-") ? nil : $0 }
        let provider = operand ?? arguments.value(of: "--provider")
        let resource = arguments.value(of: "--resource")
        switch command {
        case "setup" where !isJob || arguments.count > 1: return "authctl providers add --help"
        case "signin" where provider == PasswordProvider.id: return "\(self) --password-stdin"
        case "signin" where provider.flatMap(Dialect.named)?.personalTokens != nil: return "\(self) --with-token"
        case "signin" where client != nil && resource == nil:
            return provider == nil
                ? "\(.signIn(client)) --flow client-credentials" : "\(self) --flow client-credentials"
        case "signin" where isJob, "setup":
            return ShellCommand("authctl signin --ci auto").with([
                "--resource": resource, "--exchange": resource == nil ? nil : provider,
            ])
        case "signin" where provider != nil: return "\(self) --begin"
        default: return self
        }
    }
}
