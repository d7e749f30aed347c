import ArgumentParser
import AuthCore

/// Parses the arguments, runs one command, and prints the result or the error as text or JSON.
@main
enum EntryPoint {
    static func main() {
        Process.protect()
        let typed = Process.typed
        HotPath.run(typed)
        if typed.isEmpty, let command = try? StartCommand.parse([]) { run(command) }
        var arguments = FormerCommands.renamed(in: CommandPlace.commandFirst(typed))
        // The server of a URL is examined by another command, which has its own JSON.
        if arguments.first == "doctor", arguments.contains(where: { $0.contains("://") }) {
            arguments.replaceSubrange(..<1, with: ["providers", "discover"])
        }
        if let help = Help(requestedBy: arguments) {
            Output.help(help.text)
            Process.exit(0)
        }
        Process.rememberInherited()
        if let command = named(in: arguments) { run(command) }
        // A value that a script of `CompletionScript` asks for.
        if arguments.first == "---completion" { CompletionScript<Authctl>.main(arguments) }
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
            Output.help(CompletionScript<Authctl>.text(for: completion.shell))
            Process.exit(0)
        }
        var settings = command.settings
        settings.isAccepted = CommandPlace.accepts
        if let field = settings.field, field.whole == nil {
            let path = CommandPlace.path(of: type(of: command))
            settings.field?.whole = .run(ShellCommand(words: ["authctl"] + path + ["--json"]))
        }
        let errorContext: @Sendable () -> ErrorContext = {
            var errorContext = command.errorContext
            errorContext.command = CommandPlace.path(of: type(of: command))
            return errorContext
        }
        do {
            try command.requireOneAccount()
            var context = try Context(settings: settings, output: Output(settings: settings))
            context.outputs = { CommandPlace.outputs }
            run(context, as: errorContext, body: command.run)
        } catch {
            let code = report(error, in: errorContext(), settings: settings)
            Process.exit(command is StartCommand ? 0 : code)
        }
    }

    static func run(
        _ context: Context, as errorContext: @escaping @Sendable () -> ErrorContext,
        body: @escaping @Sendable (Context) async throws -> Void
    ) -> Never {
        Process.run {
            do {
                try await body(context)
                return 0
            } catch {
                var errorContext = errorContext()
                errorContext.otherMethod = await otherMethod(after: error, named: errorContext.provider, in: context)
                return report(await context.explained(error), in: errorContext, settings: context.settings)
            }
        }
    }

    /// How to send the client secret in the other way, if the provider rejected it.
    private static func otherMethod(after error: any Error, named: String?, in context: Context) async -> Hint {
        guard case OAuthError.refused("invalid_client", _, _) = error,
            let ids = try? named.map({ [$0] }) ?? context.profile.providerIDs(), ids.count == 1,
            let method = try? await context.profile.client(ids[0]).otherSecretMethod
        else { return "" }
        let command: ShellCommand = "authctl providers set \(ids[0]) --auth-method \(method.rawValue)"
        return "; otherwise the server may require: \(run: command)"
    }

    static func report(_ error: any Error, in errorContext: ErrorContext, settings: Settings) -> Int32 {
        if let status = error as? ExitStatus { return status.code }
        let failure = Failure(error, while: errorContext).repeating(settings.repeatedOptions)
        Output.report(failure, isJSON: settings.json)
        return failure.exitCode
    }
}
