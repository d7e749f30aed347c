import AuthCore

/// An MCP client whose configuration file `credential install` changes. docs/quality.md lists the sources of each
/// format.
enum MCPClient: String, CaseIterable {
    /// A project's file that several clients read.
    case project = "mcp"
    case claudeCode = "claude-code"
    case codex, vscode, cursor, opencode, goose

    func path(_ environment: Environment, _ place: ToolFileFlag) throws -> String {
        let home = environment.home
        let shared = environment["XDG_CONFIG_HOME"] ?? "\(home)/.config"
        switch self {
        case .project: return place.file ?? ".mcp.json"
        case .claudeCode: return "\(environment["CLAUDE_CONFIG_DIR"] ?? home)/.claude.json"
        case .codex: return "\(environment["CODEX_HOME"] ?? "\(home)/.codex")/config.toml"
        case .vscode: return "\(shared)/Code/User/mcp.json"
        case .cursor: return "\(home)/.cursor/mcp.json"
        case .opencode:
            let path = "\(shared)/opencode/opencode.json"
            return try !ToolFile.exists(path) && ToolFile.exists("\(path)c") ? "\(path)c" : path
        case .goose: return "\(shared)/goose/config.yaml"
        }
    }

    /// The name of the object that contains the servers.
    var key: String {
        switch self {
        case .project, .claudeCode, .cursor: "mcpServers"
        case .codex: "mcp_servers"
        case .vscode: "servers"
        case .opencode: "mcp"
        case .goose: "extensions"
        }
    }

    var hasComments: Bool { self == .vscode || self == .opencode }

    /// Whether the client can run a helper for the headers. The other clients start the bridge.
    var hasHeadersHelper: Bool { self == .project || self == .claudeCode }

    func entry(_ name: String, url: HTTPURL, command: [String]) -> JSONObject {
        let (program, arguments) = (JSONValue.string(command[0]), JSONValue(Array(command.dropFirst())))
        guard !hasHeadersHelper || command.contains("--stdio") else {
            return ["type": "http", "url": .string(url.text), "headersHelper": .string(Shell.words(command))]
        }
        return switch self {
        case .codex: ["command": program, "args": arguments]
        case .project, .claudeCode, .vscode, .cursor: ["type": "stdio", "command": program, "args": arguments]
        case .opencode: ["type": "local", "command": JSONValue(command)]
        case .goose:
            [
                "enabled": true, "type": "stdio", "name": .string(name), "description": "", "cmd": program,
                "args": arguments, "envs": [:], "env_keys": [], "timeout": 300,
            ]
        }
    }

    static func command(in entry: JSONObject) -> HelperCommand? {
        if let helper = entry["headersHelper"]?.string { return HelperCommand("mcp", shell: helper) }
        let program = (entry["command"] ?? entry["cmd"])?.string.map { [$0] }
        return HelperCommand("mcp", (program ?? entry["command"]?.strings ?? []) + (entry["args"]?.strings ?? []))
    }
}
