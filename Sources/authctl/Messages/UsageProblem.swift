import AuthCore

/// A command line that breaks a rule of its command. Its hint is the help of the command, unless it has another one.
/// The parser prints the description of an error that a rule throws.
enum UsageProblem: UserFacingError, CustomStringConvertible, ExpressibleByStringInterpolation, Equatable {
    /// All of these are required: options, as `--name`, or one argument, as `<name>`. The note ends the message.
    case missing([String], note: String = "")
    /// The option requires one of the others.
    case requires(String, [String])
    case excluded(String, by: String)
    /// An operation that cannot be undone requires `--yes`.
    case unconfirmed(String)
    case other(String, hint: Hint? = nil)

    init(stringLiteral value: String) { self = .other(value) }

    static func anonymousLost(_ what: String, uid: String) -> UsageProblem {
        .other(
            "\(what) cannot be recovered afterwards; pass --yes to confirm",
            hint: "to keep it, first: \(run: "authctl link password --account \(uid) --email ADDRESS")")
    }

    var code: ErrorCode { .usage }

    var description: String {
        switch self {
        case .missing(let names, _) where names[0].hasPrefix("<"): "Missing expected argument '\(names[0])'"
        case .missing(let names, let note):
            "\(names.joined(separator: " and ")) \(names.count == 1 ? "is" : "are") required\(note)"
        case .requires(let option, let others): "\(option) requires \(others.joined(separator: " or "))"
        case .excluded(let option, let other): "\(option) cannot be used with \(other)"
        case .unconfirmed(let text): "\(text): pass --yes to confirm"
        case .other(let text, _): text
        }
    }

    func explanation(_ context: ErrorContext) -> Explanation {
        if case .other(_, let hint) = self { description.hint(hint) } else { description.hint(nil) }
    }
}

/// Refuses the command line unless the condition holds.
func require(_ isValid: Bool, _ problem: @autoclosure () -> UsageProblem) throws(UsageProblem) {
    if !isValid { throw problem() }
}

func refuse(if isInvalid: Bool, _ problem: @autoclosure () -> UsageProblem) throws(UsageProblem) {
    if isInvalid { throw problem() }
}
