import ArgumentParser
import AuthCore
import CLinux

/// Parses the arguments, runs one command, and prints the result or the error as text or JSON.
@main
enum EntryPoint {
    static func main() {
        Process.protect()
        clinux_with_stack(start)
    }

    /// Not a closure in `main`, which would belong to the main thread.
    private static let start: @convention(c) () -> Void = { begin() }

    private static func begin() -> Never {
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

    static func run(_ command: any Command) -> Never {
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
                await errorContext.add(context, after: error)
                return report(await context.explained(error), in: errorContext, settings: context.settings)
            }
        }
    }

    static func report(_ error: any Error, in errorContext: ErrorContext, settings: Settings) -> Int32 {
        if let status = error as? ExitStatus { return status.code }
        let failure = Failure(error, while: errorContext).repeating(settings.repeatedOptions)
        return CommandPlace(of: errorContext.command).report(failure, isJSON: settings.json)
    }
}

extension ErrorContext {
    /// Adds what this machine knows of the provider.
    fileprivate mutating func add(_ context: Context, after error: any Error) async {
        guard let ids = try? provider.map({ [try context.named($0)] }) ?? context.profile.providerIDs(), ids.count == 1
        else { return }
        let id = ids[0]
        if case .environment? = try? context.profile.place(of: id) { variablesOf = id }
        if context.settings.repeatedOptions.isJob, Dialect.named(id) == nil,
            let known = try? context.profile.find(id)?.configuration,
            let keys = try? await context.profile.keys(of: known), keys.secret != nil || keys.privateKey != nil
        {
            ownClient = id
        }
        guard case OAuthError.refused("invalid_client", _, _) = error, variablesOf == nil else { return }
        registeredAt = await context.issuerOfRegistration(id)
        if registeredAt != nil {
            provider = id
        } else if let method = try? await context.profile.client(id).otherSecretMethod {
            let command: ShellCommand = "authctl providers set \(id) --auth-method \(method.rawValue)"
            otherMethod = "; otherwise the server may require: \(run: command)"
        }
    }
}
