import ArgumentParser

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
