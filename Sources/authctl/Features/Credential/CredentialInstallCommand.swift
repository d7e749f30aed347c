import ArgumentParser
import AuthCore

struct CredentialInstallCommand: AccountIndependent, PrintsJSON {
    static let output = View<(tool: Tool, changes: [String])> {
        Field("tool", of: \.tool.rawValue)
        Field("changed", of: \.changes)
    }

    static let configuration = CommandConfiguration(
        commandName: "install", abstract: "Configure another tool to use authctl, and print the changes.",
        discussion: """
            For git, sets a credential helper for each host in the global configuration. For docker, creates a \
            program and adds it for each host. For kubectl, adds a user; for aws, a profile. For gcp, writes a \
            credential configuration. For mcp, adds a server to a file that several clients read. The other tools \
            are MCP clients: adds the server with this URL.
            """)
    static let examples: Examples = [
        "Configure git for the hosts of the configured providers.": "authctl credential install git",
        "Configure docker for one registry.":
            "authctl credential install docker --host ghcr.io --bin-dir ~/.local/bin",
        "Add an MCP server to Codex.": "authctl credential install codex https://mcp.example.com/mcp",
    ]

    enum Tool: String, CaseIterable, ExpressibleByArgument {
        case git, docker, kubectl, aws, gcp, mcp
        case claudeCode = "claude-code"
        case codex, vscode, cursor, opencode, goose, netrc

        var client: MCPClient? { MCPClient(rawValue: rawValue) }

        static let allValueStrings = allCases.filter { $0 != .netrc }.map(\.rawValue)
        static let help: ArgumentHelp =
            "The tool: git, docker, kubectl, aws, gcp, mcp, claude-code, codex, vscode, cursor, opencode or goose."
    }

    @Argument(help: Tool.help, completion: .list(Tool.allValueStrings))
    var tool: Tool

    @Argument(help: "For an MCP client: the URL of the server.")
    var url: HTTPURL?

    @Flag(help: "For claude-code: start the bridge, as the other clients do, instead of the headers helper.")
    var stdio = false

    @OptionGroup var provider: ProviderOption
    @OptionGroup var options: GlobalOptions
    @OptionGroup(title: "AWS role") var role: RoleFlags
    @OptionGroup(title: "Google Cloud") var google: GoogleFlags
    @OptionGroup var place: ToolFlags

    var errorContext: ErrorContext { .init("not installed", provider: provider.id) }

    func validate() throws {
        try tool.check(url, place.given + role.given + google.given + ["--provider": provider.id])
        try require("claude-code", isGiven: tool == .claudeCode, for: ["--stdio": stdio])
    }

    func run(_ context: Context) async throws {
        let id = try provider.id.map(context.named)
        // A built-in provider also works without a configuration, with a personal access token.
        if let id, !Provider.isBuiltIn(id), try context.profile.find(id) == nil {
            throw ProviderError.notConfigured(id)
        }
        let setup = ToolSetup(context: context, provider: id)
        setup.lock()
        if [.kubectl, .aws, .gcp].contains(tool) {
            try context.requireIDTokens(of: id ?? (try? context.providerID(nil)))
        }
        let changes: [String]
        switch tool {
        case .git: changes = try await setup.git(hosts: place.host)
        case .docker: changes = try await setup.docker(hosts: place.host, directory: place.binDir)
        case .kubectl: changes = try await setup.kubectl(user: place.name.text)
        case .aws: changes = try setup.aws(profile: place.name.text, role)
        case .gcp: changes = try setup.gcp(google, file: place.target.file)
        case .mcp, .claudeCode, .codex, .vscode, .cursor, .opencode, .goose:
            changes = try tool.client.map { try setup.mcp($0, url: url, isBridge: stdio, at: place) } ?? []
        case .netrc:
            throw UsageProblem.other(
                "netrc cannot be installed, because a token in ~/.netrc would soon expire; use curl --netrc-file <(authctl credential netrc HOST)"
            )
        }
        let text = changes.isEmpty ? ["nothing to change: authctl is already installed"] : changes
        context.output.result(Self.output.json((tool, changes))) { text }
    }
}

extension CredentialInstallCommand.Tool {
    private var options: [String] {
        switch self {
        case .git: ["--host"]
        case .docker: ["--host", "--bin-dir"]
        case .aws: ["--name", "--role-arn", "--role-session-name", "--duration-seconds", "--region", "--sts-endpoint"]
        case .gcp: ["--file", "--workload-provider", "--service-account", "--audience"]
        case .mcp: ["--name", "--resource", "--file"]
        case .netrc: []
        case .kubectl, .claudeCode, .codex, .vscode, .cursor, .opencode, .goose: ["--name"]
        }
    }

    /// Refuses options of other tools.
    func check(_ url: HTTPURL?, _ given: GivenOptions) throws {
        let accepted = options + (client == nil ? ["--provider"] : [])
        let others = given.list.map(\.name).filter { !accepted.contains($0) }
        if let option = others.min() { throw UsageProblem.excluded(option, by: rawValue) }
        try require(url == nil || client != nil, .excluded("a URL", by: rawValue))
        try refuse(if: url != nil && given.list.contains { $0.name == "--resource" }, "--resource repeats the URL")
    }
}
