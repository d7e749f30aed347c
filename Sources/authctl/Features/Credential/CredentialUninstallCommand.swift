import ArgumentParser
import AuthCore

struct CredentialUninstallCommand: AccountIndependent, PrintsJSON {
    static let output = CredentialInstallCommand.output

    static let configuration = CommandConfiguration(
        commandName: "uninstall", abstract: "Remove authctl from another tool's configuration.",
        discussion: """
            Restores the earlier configuration. Does not undo changes that the user made later.
            """)
    static let examples: Examples = [
        "Remove authctl from git's configuration.": "authctl credential uninstall git",
        "Remove authctl from docker for one registry.": "authctl credential uninstall docker --host ghcr.io",
    ]

    @Argument(
        help: CredentialInstallCommand.Tool.help, completion: .list(CredentialInstallCommand.Tool.allValueStrings))
    var tool: CredentialInstallCommand.Tool

    @Argument(help: "For an MCP client: the URL of the server (default: all servers of authctl).")
    var url: HTTPURL?

    @OptionGroup var options: GlobalOptions
    @OptionGroup var place: ToolFlags

    var errorContext: ErrorContext { .init("not uninstalled") }

    func validate() throws { try tool.check(url, place.given) }

    func run(_ context: Context) async throws {
        let setup = ToolSetup(context: context, provider: nil)
        setup.lock()
        let changes: [String]
        var note = "authctl is not installed"
        switch tool {
        case .git: changes = try await setup.removeGit(hosts: place.host)
        case .docker: changes = try setup.removeDocker(hosts: place.host, directory: place.binDir)
        case .kubectl: changes = try setup.removeKubectl(user: place.name.text)
        case .aws: changes = try setup.removeAWS(profile: place.name.text)
        case .gcp: changes = try setup.removeGCP(file: place.target.file)
        case .mcp, .claudeCode, .codex, .vscode, .cursor, .opencode, .goose:
            let removal = try tool.client.map { try setup.removeMCP($0, url: url, at: place) }
            (changes, note) = (removal?.changes ?? [], removal?.note ?? note)
        case .netrc: throw UsageProblem.other("netrc is never installed, so there is nothing to uninstall")
        }
        let others = changes.isEmpty && tool.client == nil ? (try? await setup.installed(place.target)) ?? [] : []
        let names = others.filter { $0.tool == tool.rawValue }.map(\.name)
        if !names.isEmpty { note = "authctl is only installed for \(quoted: names)" }
        let text = changes.isEmpty ? ["nothing to change: \(note)"] : changes
        context.output.result(Self.output.json((tool, changes))) { text }
    }
}
