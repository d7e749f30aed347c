import AuthCore

/// A command line that breaks a rule of its command. Message and hint follow from the case, or a string is the message.
/// The parser prints the description of an error that a rule throws.
enum UsageProblem: UserFacingError, CustomStringConvertible, ExpressibleByStringInterpolation, Equatable {
    /// All of these are required: options, as `--name`, or one argument, as `<name>`. The note ends the message.
    case missing([String], note: String = "")
    /// The option requires one of the others.
    case requires(String, [String])
    /// - Parameter instead: an option with the same kind of value that can be used.
    case excluded(String, by: String, instead: String? = nil)
    /// The value of an option, why it is invalid, the corrected value, and a command with that if the user typed none.
    case value(String, of: String, String, corrected: String, otherwise: ShellCommand)
    /// An operation that cannot be undone requires `--yes`.
    case unconfirmed(String)
    case other(String, hint: Hint? = nil)

    init(stringLiteral value: String) { self = .other(value) }

    static func anonymousLost(_ what: String, uid: String) -> UsageProblem {
        .other(
            "\(what) cannot be recovered afterwards; pass --yes to confirm",
            hint: "to keep it, first: \(run: "authctl link --provider password --account \(uid) --email ADDRESS")")
    }

    var code: ErrorCode { .usage }

    var description: String {
        switch self {
        case .missing(let names, _) where names[0].hasPrefix("<"): "Missing expected argument '\(names[0])'"
        case .missing(let names, let note):
            "\(names.joined(separator: " and ")) \(names.count == 1 ? "is" : "are") required\(note)"
        case .requires(let option, let others): "\(option) requires \(others.joined(separator: " or "))"
        case .excluded(let option, let other, _): "\(option) cannot be used with \(other)"
        case .value(let value, let option, let problem, _, _):
            "invalid value of \(option) '\(shown: value)': \(shown: problem)"
        case .unconfirmed(let text): "\(text): pass --yes to confirm"
        case .other(let text, _): text
        }
    }

    func explanation(_ context: ErrorContext) -> Explanation {
        switch self {
        case .missing(let names, _): description.hint(context.adding(names))
        case .requires(_, let others) where others.count == 1: description.hint(context.adding(others))
        case .excluded(let option, _, let other?): description.hint(context.replacing(option, with: other))
        case .value(let value, _, _, let other, let command):
            description.hint(context.correcting(value, to: other) ?? .run(command))
        case .unconfirmed: description.hint(context.adding(["--yes"]))
        case .other(_, let hint): description.hint(hint)
        case .requires, .excluded: description.hint(nil)
        }
    }
}

/// Refuses the command line unless the condition holds.
func require(_ isValid: Bool, _ problem: @autoclosure () -> UsageProblem) throws(UsageProblem) {
    if !isValid { throw problem() }
}

func refuse(if isInvalid: Bool, _ problem: @autoclosure () -> UsageProblem) throws(UsageProblem) {
    if isInvalid { throw problem() }
}
