import ArgumentParser
import AuthCore

struct ExecCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "exec", abstract: "Run a command with the token in its environment.",
        discussion: """
            The command replaces the authctl process, so its exit code and signals are passed on. With --renew, \
            authctl keeps running and keeps a valid token in the file named by AUTHCTL_TOKEN_FILE.
            """)
    static let examples = [
        Example(
            "Pass the token to npm in GITHUB_TOKEN.",
            "authctl exec --provider github.com --as GITHUB_TOKEN -- npm publish"),
        Example("Keep a valid token in the file named by AUTHCTL_TOKEN_FILE.", "authctl exec --renew -- ./server"),
    ]

    @OptionGroup var provider: ProviderOption
    @OptionGroup var options: GlobalOptions

    @OptionGroup var kind: TokenFlags

    @Option(
        name: .customLong("as"),
        help: ArgumentHelp(
            "The environment variable for the token (default: AUTHCTL_TOKEN); repeatable.", valueName: "name"))
    var names: [String] = []

    @Flag(help: "Keep a valid token in a file while the command runs.")
    var renew = false

    @Argument(
        parsing: .postTerminator, help: ArgumentHelp("The command and its arguments, after --.", valueName: "command"))
    var command: [String]

    var task: ErrorContext {
        kind.task("command not run", provider.id)
    }

    func validate() throws {
        guard !command.isEmpty else {
            throw ValidationError("a command is required after --, for example: authctl exec -- env")
        }
        if kind.installation.repository != nil, options.account != nil {
            throw ValidationError("--repository cannot be used with --account")
        }
        for name in names {
            guard name.hasOnlyLettersAndDigits(or: "_"), let first = name.utf8.first, !first.isDigit else {
                throw ValidationError("'\(name)' is not a valid variable name")
            }
        }
    }

    func run(_ context: Context) async throws {
        // Without the settings it is unknown which variables are secrets.
        _ = try context.profile.secretVariables()
        let result = try await kind.token(try kind.request(provider, context), for: .bearer, context)
        context.show(result.notes)
        let token = try result.bearer().revealed()
        var environment = Child.environment(from: context.environmentOfPrograms)
        for name in names.isEmpty ? ["AUTHCTL_TOKEN"] : names { environment[name] = token }
        guard renew else { throw Child.replace(command, environment) }
        let file = try TokenFile(context.environment)
        try file.write(token)
        environment["AUTHCTL_TOKEN_FILE"] = file.path
        let child = try Child.start(command, environment)
        let renewing = Task { try await keepFresh(file, after: result, context) }
        let status = await child.wait()
        renewing.cancel()
        file.remove()
        Child.end(like: status)
    }

    /// Writes a new token whenever the old one is about to expire. After an error it tries again ten seconds later, with a
    /// note: the command can use the old token until it expires.
    private func keepFresh(_ file: TokenFile, after first: CurrentToken.Result, _ context: Context) async throws {
        func wait(_ result: CurrentToken.Result) -> Int64? {
            result.validity.timeUntilRefresh(kind.minTtl?.seconds, at: context.clock.now())
        }
        var next = wait(first)
        while let seconds = next {
            try await context.clock.sleep(Double(min(max(1, seconds), 86400)))
            do {
                // The settings and the store may have changed.
                let reopened = context.reopened()
                var request = try kind.request(provider, reopened)
                if let account = first.accountUID {
                    // The command was started with this session's token: another account must not take its place.
                    (request.account, request.provider) = (account, first.providerID)
                }
                let result = try await kind.token(request, for: .bearer, reopened)
                try file.write(result.bearer().revealed())
                context.show(result.notes)
                next = wait(result)
            } catch is CancellationError {
                return
            } catch {
                context.output.note("the token was not refreshed: \(Failure(error, while: task).message)")
                // A rejected exchange is not repeated.
                if let failed = error as? ExchangeFailed, failed.isFinal { return }
                next = 10
            }
        }
    }
}
