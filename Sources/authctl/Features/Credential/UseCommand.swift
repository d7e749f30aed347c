import ArgumentParser
import AuthCore

/// Configures other tools to get tokens from authctl.
struct UseCommand: AccountIndependent, PrintsJSON, NamesSession {
    static let output = View<(tool: Tool, changes: [String])> {
        Field("tool", of: \.tool.rawValue)
        Field("changed", of: \.changes)
    }
    private static let list = View<[InstalledTool]> { Field("installed", of: \.self) }
    static var outputs: [any Outlined] { [output, list.named("without a tool")] }

    static let configuration = CommandConfiguration(
        commandName: "use", abstract: "Let another tool get tokens from authctl, and print the changes.",
        discussion: """
            Sets git's credential helper or docker's program for each host, adds a user to kubectl or a profile to \
            aws, or writes Google Cloud's credential configuration. Adds a server to an MCP client; mcp is a file \
            that several clients read. Without a tool, lists what is configured.
            """)
    static let examples: Examples = [
        "Configure git for the hosts of the configured providers.": "authctl use git",
        "Configure kubectl with ID tokens of a provider.": "authctl use kubectl work",
        "Add an MCP server to Codex.": "authctl use codex https://mcp.example.com/mcp",
        "Restore the tool's own configuration.": "authctl use --remove git",
    ]
    static let mostUsed = ["--remove", "--host", "--name", "--role-arn"]

    enum Tool: String, CaseIterable {
        case git, docker, kubectl, aws, gcp, mcp
        case claudeCode = "claude-code"
        case codex, vscode, cursor, opencode, goose, netrc

        var client: MCPClient? { MCPClient(rawValue: rawValue) }

        static let names = allCases.filter { $0 != .netrc }.map(\.rawValue)
    }

    @Argument(
        help: "The tool: git, docker, kubectl, aws, gcp, mcp, claude-code, codex, vscode, cursor, opencode or goose.",
        completion: .list(Tool.names))
    var tool: String?

    @Argument(
        help: .init("The provider or session; for an MCP client, the URL of the server.", valueName: "name|url"),
        completion: .providers)
    var operand: String?

    @Flag(help: "Remove authctl from the tool's configuration.")
    var remove = false

    @Flag(help: "For claude-code: start the bridge, as the other clients do, instead of the headers helper.")
    var stdio = false

    @OptionGroup var provider: ProviderOption
    @OptionGroup var options: GlobalOptions
    @OptionGroup(title: "AWS role") var role: RoleFlags
    @OptionGroup(title: "Google Cloud") var google: GoogleFlags
    @OptionGroup var place: ToolFlags

    /// The provider or session.
    var given: String? { provider.given ?? (isClient ? nil : operand) }
    var sessionName: String? { account }
    var errorContext: ErrorContext {
        if tool == nil { return .init("tools not listed") }
        return .init(remove ? "not uninstalled" : "not installed", provider: id)
    }

    private var isClient: Bool { tool.flatMap(Tool.init(rawValue:))?.client != nil }

    func validate() throws {
        let own = role.given + google.given + ["--provider": provider.given, "--stdio": stdio]
        guard let word = tool else {
            let given = own + place.given + ["--remove": remove]
            return try require("a tool", isGiven: given.list.allSatisfy { $0.name == "--file" }, for: given)
        }
        // Another word may be the name of a session.
        guard let tool = Tool(rawValue: word) else { return }
        try tool.check(operand, own + place.given)
        try require(isClient || operand == nil || provider.given == nil, "the provider is given twice")
        if remove { try refuse(["a provider": isClient ? nil : operand] + own, with: ["--remove": true]) }
    }

    func run(_ context: Context) async throws {
        guard let word = tool else { return try await list(context) }
        guard let tool = Tool(rawValue: word) else { throw await unknown(word, context) }
        let url = try isClient ? operand.map { try CommandError.url($0, as: "authctl use \(tool.rawValue)") } : nil
        let setup = ToolSetup(context: context, provider: try remove ? nil : id.map(context.named))
        setup.lock()
        if remove { return try await setup.remove(tool, url: url, at: place) }
        try await install(tool, url: url, with: setup)
    }

    private func install(_ tool: Tool, url: HTTPURL?, with setup: ToolSetup) async throws {
        let context = setup.context
        var setup = setup
        // A built-in provider also works without a configuration, with a personal access token.
        if let id = setup.provider, !Provider.isBuiltIn(id), try context.profile.find(id) == nil {
            throw ProviderError.notConfigured(id)
        }
        if tool == .kubectl { setup.provider = try context.providerID(setup.provider) }
        if [.kubectl, .aws, .gcp].contains(tool) {
            let ids = try setup.provider.map { [$0] } ?? context.profile.providerIDs()
            try context.requireIDTokens(of: ids.first(where: context.hasIDTokens) ?? ids.first, by: tool.rawValue)
        }
        let changes =
            switch tool {
            case .git: try await setup.git(hosts: place.host)
            case .docker: try await setup.docker(hosts: place.host, directory: place.binDir)
            case .kubectl: try await setup.kubectl(user: place.name.text)
            case .aws: try setup.aws(profile: place.name.text, role)
            case .gcp: try setup.gcp(google, file: place.target.file)
            case .mcp, .claudeCode, .codex, .vscode, .cursor, .opencode, .goose:
                try tool.client.map { try setup.mcp($0, url: url, isBridge: stdio, at: place) } ?? []
            case .netrc:
                throw UsageProblem.other(
                    "netrc cannot be installed, because a token in ~/.netrc would soon expire; use curl --netrc-file <(authctl credential netrc HOST)"
                )
            }
        let text = changes.isEmpty ? ["nothing to change: authctl is already installed"] : changes
        context.output.result(Self.output.json((tool, changes))) { text }
        if tool.client == nil { try await setup.noteMissingSession() }
        if tool == .git { try await setup.offerGitScope() }
    }

    private func unknown(_ word: String, _ context: Context) async -> UsageProblem {
        let near = Spelling.suggestions(for: word, among: Tool.names).first.map { name in
            let words = ["authctl", "use", name] + [operand].compactMap(\.self)
            return Hint.run(ShellCommand(words: words).with(["--remove": remove]))
        }
        let session = try? await AccountStatus.one(word, in: context.profile.directory())
        return .other(
            "'\(shown: word)' is not a tool: \(Tool.names.joined(separator: ", "))",
            hint: near ?? session.map { _ in .run("authctl accounts switch \(word)") })
    }

    private func list(_ context: Context) async throws {
        let all = try await ToolSetup(context: context, provider: nil).installed(place.target)
        try context.show(Self.list.json(all)) { screen in
            let rows = Table.lines(all.map(\.cells), on: screen)
            let add = """
                Add:     authctl use aws|docker|gcp|git|kubectl [NAME]
                         authctl use claude-code|codex|cursor|goose|mcp|opencode|vscode URL
                """
            let remove = all.first.map { "\nRemove:  authctl use --remove \($0.tool)" } ?? ""
            return rows + (rows.isEmpty ? [] : [[]]) + WrittenScreen.lines(add + remove, on: screen).map { [Cell($0)] }
        }
        for entry in all {
            guard let (reason, repair) = entry.problem else { continue }
            context.output.note("\(entry.tool) '\(entry.name)' does not work: \(reason); to repair it: \(repair.text)")
        }
    }
}

extension UseCommand.Tool {
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
    func check(_ operand: String?, _ given: GivenOptions) throws {
        let own = client == nil ? ["--provider"] : self == .claudeCode ? ["--stdio"] : []
        let others = given.list.map(\.name).filter { !(options + own).contains($0) }
        if let option = others.min() { throw UsageProblem.excluded(option, by: rawValue) }
        let isURL = operand.map { (try? HTTPURL($0)) != nil } ?? false
        try refuse(if: isURL && client == nil, .excluded("a URL", by: rawValue))
        try refuse(if: operand != nil && given.list.contains { $0.name == "--resource" }, "--resource repeats the URL")
    }
}
