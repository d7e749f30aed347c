import ArgumentParser
import AuthCore

struct ExecCommand: Command, UsesSession {
    static let configuration = CommandConfiguration(
        commandName: "exec", abstract: "Run a command with the token in its environment.",
        discussion: """
            The command replaces the authctl process, so its exit code and signals are passed on. With --renew, \
            authctl keeps running and keeps a valid token in the file named by AUTHCTL_TOKEN_FILE, or by the variables \
            of --file-as.
            """)
    static let examples: Examples = [
        "Pass the token to npm in GITHUB_TOKEN.": "authctl exec --provider github.com --as GITHUB_TOKEN -- npm publish",
        "Keep a valid token in the file named by AUTHCTL_TOKEN_FILE.": "authctl exec --renew -- ./server",
        "Keep a valid ID token in the file that AWS tools read.":
            "authctl exec --renew --file-as AWS_WEB_IDENTITY_TOKEN_FILE,type=id -- ./backup",
    ]

    @OptionGroup var provider: ProviderOption
    @OptionGroup var options: GlobalOptions

    @OptionGroup var flags: TokenFlags

    @Option(
        name: .customLong("as"),
        help: .init("The environment variable for the token (default: AUTHCTL_TOKEN); repeatable.", valueName: "name"))
    var names: [String] = []

    @Flag(help: "Keep a valid token in a file while the command runs.")
    var renew = false

    @Option(
        help: .init(
            "The variable for the path of such a file; ,type=id and ,audience=AUDIENCE can follow; repeatable (requires --renew).",
            valueName: "variable"), transform: TokenVariable.init)
    var fileAs: [TokenVariable] = []

    @Argument(parsing: .postTerminator, help: "The command and its arguments, after --.")
    var command: [String]

    var errorContext: ErrorContext { flags.errorContext("command not run", provider: provider.id) }

    func validate() throws {
        try require(!command.isEmpty, "a command is required after --, for example: authctl exec -- env")
        try refuse(flags.installation.given, with: ["--account": options.account])
        for name in names { _ = try TokenVariable.checked(name) }
        try require("--renew", isGiven: renew, for: ["--file-as": !fileAs.isEmpty])
        for variable in fileAs { _ = try variable.flags(flags) }
        let files = fileAs.map(\.name)
        try require(
            Set(files).count == files.count && Set(files).isDisjoint(with: names),
            "--file-as names a variable that is already used")
    }

    func run(_ context: Context) async throws {
        // Fails if the settings, which name the variables with secrets, cannot be read.
        _ = try context.profile.secretVariables()
        // If only files are requested, the token is not set in the environment.
        let isInEnvironment = fileAs.isEmpty || !names.isEmpty
        let variables = (isInEnvironment ? [try TokenVariable("AUTHCTL_TOKEN_FILE")] : []) + fileAs
        var results: [CurrentToken.Result] = []
        for variable in variables {
            let result = try await token(variable, in: context)
            context.show(result.notes.filter { note in !results.contains { $0.notes.contains(note) } })
            results.append(result)
        }
        var environment = context.environmentOfPrograms
        if isInEnvironment {
            let token = try results[0].bearer().revealed()
            for name in names.isEmpty ? ["AUTHCTL_TOKEN"] : names { environment[name] = token }
        }
        guard renew else { throw Child.replace(command, environment) }
        Child.end(like: try await runRenewing(results, in: variables, environment: environment, context: context))
    }

    /// Runs the command with the tokens in files, which are replaced until the command ends.
    private func runRenewing(
        _ tokens: [CurrentToken.Result], in variables: [TokenVariable], environment: Environment, context: Context
    ) async throws -> Int32 {
        Child.forwardSignals()
        let files = try TokenFiles(context.environment)
        defer { files.remove() }
        var environment = environment
        let all = variables.enumerated().map { RenewedFile(variable: $1, number: $0, files: files) }
        for (file, token) in zip(all, tokens) {
            try file.write(token)
            environment[file.variable.name] = files.path(of: file.number)
        }
        let child = try Child.start(command, environment)
        let renewing = zip(all, tokens).map { file, token in
            Task { try await refreshPeriodically(file, after: token, in: context) }
        }
        let status = await child.wait()
        for task in renewing { task.cancel() }
        // A refresh that is running stores the new refresh token.
        for task in renewing { _ = await task.result }
        return status
    }

    /// - Parameter first: the token with which the command was started; a new token must belong to the same account.
    private func token(
        _ variable: TokenVariable, after first: CurrentToken.Result? = nil, in context: Context
    ) async throws -> CurrentToken.Result {
        let flags = try variable.flags(self.flags)
        var request = try flags.request(provider, context)
        if let first, let account = first.accountUID {
            (request.account, request.provider) = (account, first.providerID)
        }
        if let audience = variable.audience, flags.exchangeFlags.exchange == nil {
            return try await context.jobToken(request, for: audience)
        }
        return try await flags.token(request, for: .bearer, in: context)
    }

    /// Seconds between two looks at the clock, which can be set. The timers of a suspended machine stand still.
    private static let longestPause: Int64 = 10

    /// Replaces the token in a file before it expires. If that fails, prints one note and retries at least every ten
    /// seconds. When its token expires, the file is removed, with another note.
    private func refreshPeriodically(
        _ file: RenewedFile, after first: CurrentToken.Result, in context: Context
    ) async throws {
        var current = first
        var (hasFailed, isRemoved) = (false, false)
        while let seconds = timeUntilRefresh(of: current, context) {
            let left = (current.expiresAt ?? 0) - context.clock.now()
            let pause = !hasFailed ? seconds : left > 0 ? left : ExecCommand.longestPause
            try await context.clock.sleep(Double(min(max(1, pause), ExecCommand.longestPause)))
            guard timeUntilRefresh(of: current, context) == 0 else { continue }
            let notes: [String]
            var (isRefreshed, isRejected) = (false, false)
            do {
                // The settings and the store may have changed.
                let result = try await token(file.variable, after: first, in: context.reopened())
                try file.write(result)
                current = result
                notes = result.notes.map { $0.text(context) }
                isRefreshed = !result.notes.contains(where: \.isFailure)
            } catch let error where error is CancellationError || Task.isCancelled {
                return
            } catch {
                let failure = Failure(error, while: ErrorContext())
                notes = ["the token was not refreshed: \(failure.message)"]
                isRejected = (error as? ExchangeFailed)?.isFinal == true
            }
            let isExpired = !isRefreshed && (current.expiresAt ?? 0) <= context.clock.now()
            if !hasFailed || isExpired && !isRemoved { for note in notes { context.output.note(note) } }
            // A rejected exchange is not repeated.
            if isRejected {
                while let end = current.expiresAt, case let left = end - context.clock.now(), left > 0 {
                    try await context.clock.sleep(Double(min(left, ExecCommand.longestPause)))
                }
                return file.remove()
            }
            hasFailed = !isRefreshed
            if isExpired {
                file.remove()
                if !isRemoved { context.output.note("the token has expired, and its file was removed") }
            }
            isRemoved = isExpired
        }
    }

    private func timeUntilRefresh(of token: CurrentToken.Result, _ context: Context) -> Int64? {
        token.validity.timeUntilRefresh(flags.minTtl?.seconds, at: context.clock.now())
    }
}

/// The file that a variable names, with its token.
private struct RenewedFile {
    let variable: TokenVariable
    let number: Int
    let files: TokenFiles

    /// Without a newline, because many programs use the whole file as the token.
    func write(_ token: CurrentToken.Result) throws { try files.write(token.bearer().revealed(), to: number) }

    func remove() { files.remove(number) }
}
