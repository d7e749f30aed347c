import AuthCore

/// Why typed input is invalid.
struct InvalidInput: Error, Equatable {
    let reason: String
    init(_ reason: String) { self.reason = reason }
}

// Questions to the user. Invalid input repeats the question a limited number of times, so that a program does not loop.
// The result is nil without a terminal. Ctrl-D cancels.
extension Output {
    private static let tries = 5

    @_semantics("optimize.sil.specialize.generic.never")
    func ask<Value>(_ question: String, isHidden: Bool = false, read: (String) throws -> Value) throws -> Value? {
        for attempt in 1... {
            guard let line = try line(question, isHidden) else { return nil }
            do { return try read(line) } catch let no as InvalidInput { try again(no, attempt) }
        }
        return nil
    }

    /// Asks a question whose check is asynchronous.
    @_semantics("optimize.sil.specialize.generic.never")
    func ask<Value>(
        _ question: String, isHidden: Bool = false, read: (String) async throws -> Value
    ) async throws -> Value? {
        for attempt in 1... {
            guard let line = try line(question, isHidden) else { return nil }
            do { return try await read(line) } catch let no as InvalidInput { try again(no, attempt) }
        }
        return nil
    }

    func choose(_ question: String, among choices: [String]) throws -> String? {
        guard Prompt.canPrompt else { return nil }
        list(question, choices)
        return try ask("> ") { try Output.choice($0, among: choices) }
    }

    func list(_ question: String, _ choices: [String]) {
        prompt(question)
        for (index, choice) in choices.enumerated() { prompt("  \(index + 1)  \(choice)") }
    }

    static func choice(_ typed: String, among choices: [String]) throws(InvalidInput) -> String {
        if let number = Int(typed), number > 0, number <= choices.count { return choices[number - 1] }
        if choices.contains(typed) { return typed }
        let begun = typed.isEmpty ? [] : choices.filter { $0.hasPrefix(typed) }
        guard begun.count == 1 else { throw InvalidInput("enter a number from 1 to \(choices.count), or a name") }
        return begun[0]
    }

    /// Asks a yes-or-no question; nil without a terminal. Enter alone is the answer in capitals. Ctrl-D cancels.
    func decide(_ question: String, enterIsYes: Bool) throws -> Bool? {
        try ask("\(question) [\(enterIsYes ? "Y/n" : "y/N")] ") { typed in
            switch typed.lowercased() {
            case "": enterIsYes
            case "y", "yes": true
            case "n", "no": false
            default: throw InvalidInput("answer y or n")
            }
        }
    }

    func again(_ no: InvalidInput, _ attempt: Int) throws(InvalidInput) {
        guard attempt < Output.tries else { throw no }
        prompt("Invalid input: \(no.reason)\(no.reason.hasSuffix("?") ? "" : ".")")
    }

    /// Reads a line and trims its spaces, except for secrets, which may contain them.
    private func line(_ question: String, _ isHidden: Bool) throws(CancellationError) -> String? {
        let answer = isHidden ? Prompt.hiddenLine(question) : Prompt.line(question)
        switch answer {
        case .text(let text): return isHidden ? text : text.trimmingSpaces()
        case .empty: return ""
        case .ended: throw CancellationError()
        case .late, .noTerminal: return nil
        }
    }
}
