import AuthCore

/// An error with a message for users. This folder adds the messages for AuthCore's errors, by subject.
protocol UserFacingError: CodedError {
    func explanation(_ context: ErrorContext) -> Explanation
    /// Whether the message says what failed, without the command's context.
    var isComplete: Bool { get }
    var exitCode: Int32 { get }
}

extension UserFacingError {
    var isComplete: Bool { code == .usage }
    var exitCode: Int32 { code.exitCode }
}

/// The reason of an error, as a clause without the command's context, and a hint: `"it is too long".hint("…")`.
struct Explanation {
    let message: String
    /// If nil, a usage error gets the help of the command, and other errors have no hint.
    var hint: Hint?
    var details = JSONObject()

    /// The same with more text, and with another hint.
    func adding(_ text: String, hint: Hint?) -> Explanation {
        Explanation(message: message + text, hint: hint, details: details)
    }

    func details(_ details: JSONObject) -> Explanation { Explanation(message: message, hint: hint, details: details) }
}

extension Explanation: ExpressibleByStringInterpolation {
    init(stringLiteral value: String) { self.init(message: value) }
}

extension String {
    func hint(_ hint: Hint?) -> Explanation { Explanation(message: self, hint: hint) }
    func hint(run command: ShellCommand) -> Explanation { hint(.run(command)) }
}

extension DefaultStringInterpolation {
    mutating func appendInterpolation(shown text: String) { appendInterpolation(ServerText.shown(text)) }

    mutating func appendInterpolation(shown texts: some Sequence<String>) {
        appendInterpolation(texts.map { ServerText.shown($0) }.joined(separator: ", "))
    }

    mutating func appendInterpolation(quoted names: [String]) {
        appendInterpolation(names.map { "'\($0)'" }.joined(separator: ", "))
    }
}

/// An error that has no message for users.
struct UnexpectedError: UserFacingError {
    let error: any Error
    var code: ErrorCode { .internalError }

    func explanation(_ context: ErrorContext) -> Explanation {
        "\(ServerText("\(error)"))".hint("run it again with --verbose")
    }
}

/// An error that adds to the message of another error, and has its code.
protocol WrappingError: UserFacingError { var error: any Error { get } }

extension WrappingError {
    var inner: any UserFacingError { error as? any UserFacingError ?? UnexpectedError(error: error) }
    var code: ErrorCode { inner.code }
    var exitCode: Int32 { inner.exitCode }
    var isComplete: Bool { inner.isComplete }
}

extension Hint {
    static func again(after seconds: Int64) -> Hint { "try again in \(seconds) seconds" }
    static let raiseFileLimit: Hint = "raise the limit of this shell: \(run: "ulimit -S -n 1024")"
    static let onlyNamedHosts: Hint = "a provider's token is sent only to the hosts that its settings name: --api-host"
    static let strongPassword: Hint = "use several unrelated words"
}
