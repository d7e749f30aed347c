import AuthCore

/// An error as the command line prints it: the stable code, the exit code, the message and the next command.
struct Failure {
    let code: String
    let exitCode: Int32
    let message: String
    private(set) var hint: Hint?
    let details: JSONObject

    var lines: [String] {
        ["authctl: error: \(message) (\(code))"] + (hint.map { ["authctl: hint: \($0.text)"] } ?? [])
    }

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
    }

    init(unusable provider: String, _ error: any Error) {
        self.init(error, while: ErrorContext(provider: provider, again: "authctl providers check \(provider)"))
    }

    func repeating(_ given: RepeatedOptions) -> Failure {
        var failure = self
        failure.hint = hint?.repeating(given)
        return failure
    }

    static func usage(_ message: String, hint: Hint) -> Failure {
        Failure(CommandError(.usage, message, hint: hint), while: ErrorContext(again: "authctl"))
    }
}

extension Output {
    static func report(_ failure: Failure, isJSON: Bool) { errors(isJSON ? [failure.json.text] : failure.lines) }
}
