import ArgumentParser
import AuthCore

/// What ArgumentParser has to say, in this tool's form.
enum Usage {
    /// Prints help and versions on standard output, everything else as an error line; returns the exit code.
    static func report(_ error: any Error, arguments: [String]) -> Int32 {
        let code = Authctl.exitCode(for: error)
        if code.isSuccess {
            Output.help(Authctl.fullMessage(for: error))
            return 0
        }
        let message = Authctl.message(for: error).split(separator: "\n").first.map(String.init) ?? "wrong usage"
        let command = arguments.first.flatMap { first in
            Authctl.configuration.subcommands.first {
                $0._commandName == first || $0.configuration.aliases.contains(first)
            }
        }
        let hint: Hint = command.map { "authctl \($0._commandName) --help" } ?? "authctl --help"
        let failure = Failure.usage(message, hint: hint)
        Output.report(failure, isJSON: arguments.contains("--json"))
        return failure.exitCode
    }
}
