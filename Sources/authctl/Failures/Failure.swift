import AuthCore

/// A failure as it is told: the stable code, the exit code, the wording and the next command.
struct Failure {
    let code: String
    let exitCode: Int32
    private(set) var message: String
    private(set) var hint: Hint?
    var details = JSONObject()

    var lines: [String] {
        ["authctl: error: \(message) (\(code))"] + (hint.map { ["authctl: hint: \($0.text)"] } ?? [])
    }

    var json: JSONValue {
        var error = JSONObject()
        error["code"] = .string(code)
        error["message"] = .string(message)
        error["hint"] = JSONValue(hint?.text)
        error.merge(details)
        return ["error": .object(error)]
    }

    /// - Parameter exitCode: where it says more than the code's own.
    init(_ code: Code, exitCode: Int32? = nil, _ message: String, hint: Hint?) {
        self.code = code.rawValue
        self.exitCode = exitCode ?? code.exitCode
        // Whatever a part of it was let through at: a line, not a page.
        self.message = message.utf8.count > 4000 ? String(message.prefix(1000)) + "…" : message
        self.hint = hint
    }

    init(_ error: any Error, while task: Undertaking) {
        self = (error as? any Told)?.told(task) ?? task.unexpected(error)
    }

    /// Why an entry is of no use, by itself.
    init(unusable provider: String, _ error: any Error) {
        let failure = Failure(
            error, while: Undertaking("", provider: provider, again: "authctl providers check \(provider)"))
        self = failure
        message = message.hasPrefix(": ") ? String(message.dropFirst(2)) : message
    }

    /// The same, with a hint that is for the profile and the account that this call was for.
    func repeating(_ given: GivenPlace) -> Failure {
        var failure = self
        failure.hint = hint?.repeating(given)
        return failure
    }

    static func usage(_ message: String, hint: Hint) -> Failure { Failure(.usage, message, hint: hint) }
}

/// An error with its wording. The extensions that say it stand in this folder, in one file for each room of `AuthCore`.
protocol Told: Error {
    func told(_ task: Undertaking) -> Failure
}

extension Undertaking {
    /// A failure that begins with what did not happen.
    func failure(_ code: Failure.Code, exitCode: Int32? = nil, _ message: String, hint: Hint?) -> Failure {
        Failure(code, exitCode: exitCode, "\(failed): \(message)", hint: hint)
    }

    /// Wrong use, with the command's own help where there is no better hint.
    func usage(_ message: String, hint: Hint? = nil) -> Failure {
        Failure(.usage, message, hint: hint ?? .run(help))
    }

    /// What should not happen, in its own words.
    func unexpected(_ error: any Error) -> Failure {
        failure(.internalError, "\(ServerText("\(error)"))", hint: "run it again with --verbose")
    }
}

extension Output {
    func report(_ failure: Failure) { Output.report(failure, isJSON: isJSON) }

    static func report(_ failure: Failure, isJSON: Bool) { errors(isJSON ? [failure.json.text] : failure.lines) }
}
