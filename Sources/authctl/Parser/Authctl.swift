import ArgumentParser
import AuthCore

/// The command-line tool with its commands.
struct Authctl: ParsableCommand, HasExamples {
    static let configuration = CommandConfiguration(
        commandName: "authctl", abstract: "Sign in to identity providers and give tokens to scripts.",
        version: Version.text,
        groupedSubcommands: [
            CommandGroup(
                name: "Sign in",
                subcommands: [
                    SignInCommand.self, SignOutCommand.self, LinkCommand.self, UnlinkCommand.self, ReauthCommand.self,
                ]),
            CommandGroup(
                name: "Tokens",
                subcommands: [
                    TokenCommand.self, RequestCommand.self, ExecCommand.self, UseCommand.self, ServeCommand.self,
                    VerifyCommand.self, CredentialCommand.self,
                ]),
            CommandGroup(
                name: "Accounts",
                subcommands: [WhoAmICommand.self, StatusCommand.self, AccountsCommand.self, PendingCommand.self]),
            CommandGroup(
                name: "Set up",
                subcommands: [
                    SetupCommand.self, ProvidersCommand.self, ProfileCommand.self, VaultCommand.self,
                    SchemaCommand.self, CompletionCommand.self,
                ]),
            CommandGroup(name: "Troubleshooting", subcommands: [DoctorCommand.self]),
        ])
    static let examples: Examples = [
        "Sign in to GitHub.": "authctl signin github.com",
        "Call an API with the token.": "authctl token --header | curl -H @- https://api.example.com/",
    ]
}
