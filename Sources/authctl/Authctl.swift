import ArgumentParser
import AuthCore

/// The sign-in tool. Reads its arguments, hands them to one command, and turns whatever comes back into text or JSON and
/// an exit code.
@main
struct Authctl: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "authctl",
        abstract: "Sign in to identity providers from the command line, and hand out the right token.",
        discussion: """
            Add a provider once, sign in, and let scripts ask for the token:

              authctl providers add oidc.work --issuer https://id.example.com --client-id my-client
              authctl signin --provider oidc.work
              curl -H "$(authctl token --header)" https://api.example.com/
            """,
        version: Version.text,
        subcommands: [
            SignInCommand.self, TokenCommand.self, WhoAmICommand.self, StatusCommand.self, SignOutCommand.self,
            AccountsCommand.self, ProvidersCommand.self, VerifyCommand.self,
        ])

    static func main() async {
        Process.protect()
        let arguments = Array(CommandLine.arguments.dropFirst())
        var command: any ParsableCommand
        do {
            command = try parseAsRoot(arguments)
        } catch {
            Process.exit(Usage.report(error, arguments: arguments))
        }
        guard let ours = command as? any Command else {
            // A command group without a verb, or one of ArgumentParser's own.
            do {
                if var asynchronous = command as? any AsyncParsableCommand {
                    try await asynchronous.run()
                } else {
                    try command.run()
                }
                Process.exit(0)
            } catch {
                Process.exit(Usage.report(error, arguments: arguments))
            }
        }
        let output = Output(options: ours.options)
        do {
            let context = try Context(options: ours.options, output: output)
            try await ours.run(context)
            Process.exit(0)
        } catch let status as ExitStatus {
            Process.exit(status.code)
        } catch {
            let failure = Failure(error, while: ours.task)
            output.report(failure)
            Process.exit(failure.exitCode)
        }
    }
}

/// A command of ours: what `main` needs to run it and to say what failed.
protocol Command: AsyncParsableCommand {
    var options: GlobalOptions { get }
    /// What was being done, for the error line.
    var task: Undertaking { get }
    func run(_ context: Context) async throws
}

extension Command {
    mutating func run() async throws {
        try await run(Context(options: options, output: Output(options: options)))
    }
}

/// Ends the process with a code after everything was already said.
struct ExitStatus: Error {
    let code: Int32
}

enum Version {
    static let text = "0.1.0"
}
