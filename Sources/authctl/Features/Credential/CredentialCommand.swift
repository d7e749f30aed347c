import ArgumentParser
import AuthCore

struct CredentialCommand: AsyncParsableCommand, HasExamples {
    static let configuration = CommandConfiguration(
        commandName: "credential",
        abstract: "Provide tokens to git, docker, kubectl, AWS, Google Cloud and MCP clients.",
        discussion:
            "Each tool runs its command and reads the credential from standard output. 'install' configures a tool to use authctl, and 'list' shows what is installed.",
        subcommands: [
            CredentialGitCommand.self, CredentialDockerCommand.self, CredentialKubectlCommand.self,
            CredentialAWSCommand.self, CredentialGCPCommand.self, CredentialMCPCommand.self,
            CredentialNetrcCommand.self, CredentialInstallCommand.self, CredentialListCommand.self,
            CredentialUninstallCommand.self,
        ])
    static let examples: Examples = [
        "Configure git to get tokens from authctl.": "authctl credential install git",
        "Print the credential that docker would get.": "echo ghcr.io | authctl credential docker get",
    ]
}

extension Context {
    func toolToken(
        _ request: CurrentToken.Request, signingIn canPrompt: Bool
    ) async throws -> CurrentToken.Result {
        do {
            return try await toolToken(request)
        } catch let error as NotSignedIn where error.endsWithSignIn {
            guard canPrompt, !isUnattended else { throw error }
            let id = try providerID(request.provider)
            if request.kind == .id { try requireIDTokens(of: id) }
            let result = try await FlowFlags.parse([]).run(id, .signIn, self, isUserInitiated: false)
            SignInText.note(result, self)
            var request = request
            request.provider = id
            return try await toolToken(request)
        }
    }
}

extension [Provider] {
    func tokenUserName(for token: CurrentToken.Result) -> String {
        (first { $0.id == token.providerID } ?? self[0]).dialect.tokenUserName
    }
}
