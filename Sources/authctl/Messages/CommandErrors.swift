import AuthCore

/// An error of the command line, which is reported and never handled.
struct CommandError: UserFacingError {
    let code: ErrorCode
    private let text: Explanation
    let isComplete: Bool

    init(_ code: ErrorCode, _ message: String, hint: Hint? = nil, isComplete: Bool? = nil) {
        self.code = code
        self.isComplete = isComplete ?? (code == .usage)
        text = message.hint(hint)
    }

    func explanation(_ context: ErrorContext) -> Explanation { text }

    /// Reads the URL in an argument of a command.
    static func url(_ text: String, as command: ShellCommand) throws(CommandError) -> HTTPURL {
        do {
            return try HTTPURL(text)
        } catch {
            let secure = "https://\(text)"
            throw CommandError(
                .usage, error.message(ServerText.shown(text)),
                // A path without a host, for example of `gh api`, must not become a host.
                hint: (try? HTTPURL(secure)).flatMap { url in
                    url.host.contains(".") || url.isLoopback ? .run("\(command) \(secure)") : nil
                })
        }
    }
}

/// A named file or standard input cannot be read.
struct InputProblem: UserFacingError {
    let what: String
    let reason: String
    var code: ErrorCode { .usage }
    var isComplete: Bool { false }

    func explanation(_ context: ErrorContext) -> Explanation { "\(what) cannot be read: \(reason)" }
}

/// The last attempt to answer a question was invalid too.
extension InvalidInput: UserFacingError {
    var code: ErrorCode { .usage }
    var isComplete: Bool { false }
    func explanation(_ context: ErrorContext) -> Explanation { "five answers were invalid: \(reason)" }
}

extension Child.NotStarted: UserFacingError {
    var code: ErrorCode { .commandNotRun }

    func explanation(_ context: ErrorContext) -> Explanation {
        "'\(ServerText(command))': \(SystemText.of(number))"
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
    func explanation(_ context: ErrorContext) -> Explanation { "cancelled" }
}
