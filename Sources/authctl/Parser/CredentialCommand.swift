import ArgumentParser

struct CredentialCommand: AsyncParsableCommand, HasExamples {
    static let configuration = CommandConfiguration(
        commandName: "credential",
        abstract: "Provide tokens to git, docker, kubectl, AWS, Google Cloud and MCP clients.",
        discussion:
            "Each tool runs its command and reads the credential from standard output. 'authctl use' configures the tools.",
        subcommands: [
            CredentialGitCommand.self, CredentialDockerCommand.self, CredentialKubectlCommand.self,
            CredentialAWSCommand.self, CredentialGCPCommand.self, CredentialMCPCommand.self,
            CredentialNetrcCommand.self,
        ])
    static let examples: Examples = [
        "Print the credential that docker would get.": "echo ghcr.io | authctl credential docker get"
    ]
}
