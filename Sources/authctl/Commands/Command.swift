import ArgumentParser
import AuthCore

/// A command of ours: what `main` needs to run it and to say what failed.
protocol Command: AsyncParsableCommand, HasExamples, Sendable {
    var options: GlobalOptions { get }
    var task: ErrorContext { get }
    /// The part of the result that is printed.
    var field: FieldPath? { get }
    var readsOneTimeCode: Bool { get }
    /// Whether the command also runs if the profile is unknown.
    var reportsProblems: Bool { get }
    /// The options that a shortened help shows. If there are none, it shows those that belong to no titled group.
    static var mostUsed: [String] { get }
    func run(_ context: Context) async throws
}

/// One that is for every account: it refuses `--account`, or ignores it.
protocol AccountIndependent: Command {}

/// One that is for every profile too.
protocol ProfileIndependent: AccountIndependent {}

/// One whose result can be had in part.
protocol SupportsFields: Command {
    var part: FieldFlag { get }
    var whole: Hint { get }
}

extension Command {
    static var mostUsed: [String] { [] }

    var settings: Settings {
        var settings = options.settings
        settings.field = field
        settings.readsOneTimeCode = readsOneTimeCode
        settings.reportsProblems = reportsProblems
        return settings
    }

    var field: FieldPath? { nil }
    var readsOneTimeCode: Bool { false }
    var reportsProblems: Bool { false }
}

extension SupportsFields {
    var field: FieldPath? { part.field.map { FieldPath(text: $0, whole: whole) } }
}
