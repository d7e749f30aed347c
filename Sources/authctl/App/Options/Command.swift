import ArgumentParser
import AuthCore

/// A command, with what `EntryPoint` needs to run it and to report an error.
protocol Command: AsyncParsableCommand, HasExamples, Sendable {
    var options: GlobalOptions { get }
    var errorContext: ErrorContext { get }
    /// The field of the result to print; nil for the whole result.
    var field: FieldPath? { get }
    var readsOneTimeCode: Bool { get }
    /// The name of a session that selects the account, as `--account` does.
    var sessionName: String? { get }
    /// Whether the command also runs if the profile's name is invalid or cannot be read.
    var reportsProblems: Bool { get }
    /// The command that asks for the values of this one.
    static var asking: ShellCommand? { get }
    /// The options in the short help; if empty, those without a titled group.
    static var mostUsed: [String] { get }
    func run(_ context: Context) async throws
}

/// A command for all accounts: it rejects or ignores `--account`.
protocol AccountIndependent: Command {}

/// A command for all accounts and profiles.
protocol ProfileIndependent: AccountIndependent {}

/// A command that accepts `--field`.
protocol SupportsFields: Command {
    var part: FieldFlag { get }
    /// The command that prints all fields, if it has arguments.
    var whole: Hint? { get }
}

/// A command whose JSON has a schema.
protocol PrintsJSON: Command {
    associatedtype Printed
    static var output: View<Printed> { get }
    /// `output`, and the outputs with certain options.
    static var outputs: [any Outlined] { get }
}

extension PrintsJSON {
    static var outputs: [any Outlined] { [output] }
}

/// A command whose caller also reads from standard output why it failed.
protocol AnswersWithFailure: Command {
    static func response(to failure: Failure) -> JSONValue
}

/// A command that prints one account.
protocol PrintsAccount: PrintsJSON where Printed == Account {}

extension PrintsAccount {
    static var output: View<Account> { Account.output }
}

/// A command that names a provider, for which the name of a session is accepted too.
protocol UsesSession: Command {
    associatedtype Name: NamesSession
    var provider: Name { get }
}

extension UsesSession {
    var sessionName: String? { provider.account }
}

extension Command {
    func requireOneAccount() throws {
        try refuse(["--account": options.account], with: ["a name such as github.com/ada": sessionName])
    }

    static var asking: ShellCommand? { nil }
    static var mostUsed: [String] { [] }

    var settings: Settings {
        var settings = options.settings
        settings.account = settings.account ?? sessionName
        settings.field = field
        settings.readsOneTimeCode = readsOneTimeCode
        settings.reportsProblems = reportsProblems
        return settings
    }

    var field: FieldPath? { nil }
    var readsOneTimeCode: Bool { false }
    var sessionName: String? { nil }
    var reportsProblems: Bool { false }
}

extension SupportsFields {
    var whole: Hint? { nil }
    var field: FieldPath? { part.field.map { FieldPath(text: $0, whole: whole) } }
}
