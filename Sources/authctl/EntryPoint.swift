import ArgumentParser
import AuthCore

/// Parses the arguments, runs one command, and prints the result or the error as text or JSON.
@main
enum EntryPoint {
    static func main() {
        Process.protect()
        let typed = Process.typed
        HotPath.run(typed)
        let arguments = CommandPlace.commandFirst(typed)
        if let help = Help(requestedBy: arguments) {
            Output.help(help.text)
            Process.exit(0)
        }
        Process.rememberInherited()
        if let command = named(in: arguments) { run(command) }
        do {
            var command = try Authctl.parseAsRoot(arguments)
            if let own = command as? any Command { run(own) }
            // A command of ArgumentParser itself.
            try command.run()
            Process.exit(0)
        } catch {
            Process.exit(Usage.report(error, arguments: arguments))
        }
    }

    /// Parses only the command that the first words name, because parsing the whole command tree takes longer than most
    /// commands. Returns nil otherwise, also for errors and for options of `authctl` itself.
    static func named(in arguments: [String]) -> (any Command)? {
        let place = CommandPlace(of: arguments)
        guard let command = place.command as? any Command.Type else { return nil }
        return (try? command.parseAsRoot(Array(arguments.dropFirst(place.path.count)))) as? any Command
    }

    private static func run(_ command: any Command) -> Never {
        if let completion = command as? CompletionCommand {
            Output.help(CompletionScript<Authctl>.completionScript(for: completion.shell))
            Process.exit(0)
        }
        var settings = command.settings
        settings.isAccepted = CommandPlace.accepts
        let task: @Sendable () -> ErrorContext = {
            var task = command.task
            task.command = CommandPlace.path(of: type(of: command))
            return task
        }
        do {
            let context = try Context(settings: settings, output: Output(settings: settings))
            run(context, as: task, command.run)
        } catch {
            Process.exit(report(error, task(), settings))
        }
    }

    static func run(
        _ context: Context, as task: @escaping @Sendable () -> ErrorContext,
        _ body: @escaping @Sendable (Context) async throws -> Void
    ) -> Never {
        Process.run {
            do {
                try await body(context)
                return 0
            } catch {
                return report(await context.explained(error), task(), context.settings)
            }
        }
    }

    static func report(_ error: any Error, _ task: ErrorContext, _ settings: Settings) -> Int32 {
        if let status = error as? ExitStatus { return status.code }
        var task = task
        task.services = SetupService.names
        task.typed = Shell.repeatable()
        // Set for these errors only, because the parser takes milliseconds to describe the options.
        if let code = (error as? any UserFacingError)?.code, [.usage, .requiresRecentLogin].contains(code) {
            task.options = CommandPlace(of: task.command).options
        }
        let failure = Failure(error, while: task).repeating(settings.repeatedOptions)
        Output(settings: settings).report(failure)
        return failure.exitCode
    }
}
