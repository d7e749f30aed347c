import ArgumentParser
import AuthCore

/// A command of ours: what `main` needs to run it and to say what failed.
protocol Command: AsyncParsableCommand, HasExamples, Sendable {
    var options: GlobalOptions { get }
    var task: ErrorContext { get }
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
    var settings: Settings {
        var settings = options.settings
        if let partly = self as? any SupportsFields { settings.field = partly.field }
        if let asking = self as? any SignInOptions { settings.readsOneTimeCode = asking.factor.totpStdin }
        return settings
    }
}

extension SupportsFields {
    fileprivate var field: FieldPath? { part.field.map { FieldPath(text: $0, whole: whole) } }
}
