import AuthCore

/// An MCP client whose configuration file `credential install` changes. docs/mcp.md says which version of each was looked
/// at.
enum MCPClient: String, CaseIterable {
    case claudeCode = "claude-code"
    case codex, vscode, cursor, opencode, goose

    func path(_ environment: Environment) throws -> String {
        let home = environment.home
        let shared = environment["XDG_CONFIG_HOME"] ?? "\(home)/.config"
        switch self {
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

    /// The name of the object with the servers.
    fileprivate var key: String {
        switch self {
        case .claudeCode, .cursor: "mcpServers"
        case .codex: "mcp_servers"
        case .vscode: "servers"
        case .opencode: "mcp"
        case .goose: "extensions"
        }
    }

    fileprivate var hasComments: Bool { self == .vscode || self == .opencode }

    /// Claude Code can run a helper for the headers. The other clients start the bridge.
    var hasHeadersHelper: Bool { self == .claudeCode }

    fileprivate func entry(_ name: String, _ url: HTTPURL, _ command: [String]) -> JSONObject {
        let (program, arguments) = (JSONValue.string(command[0]), JSONValue(Array(command.dropFirst())))
        return switch self {
        case .claudeCode where !command.contains("--stdio"):
            ["type": "http", "url": .string(url.text), "headersHelper": .string(Shell.words(command))]
        case .codex: ["command": program, "args": arguments]
        case .claudeCode, .vscode, .cursor: ["type": "stdio", "command": program, "args": arguments]
        case .opencode: ["type": "local", "command": JSONValue(command)]
        case .goose:
            [
                "enabled": true, "type": "stdio", "name": .string(name), "description": "", "cmd": program,
                "args": arguments, "envs": [:], "env_keys": [], "timeout": 300,
            ]
        }
    }

    fileprivate static func command(in entry: JSONObject) -> HelperCommand? {
        if let helper = entry["headersHelper"]?.string { return HelperCommand("mcp", shell: helper) }
        let program = (entry["command"] ?? entry["cmd"])?.string.map { [$0] }
        return HelperCommand("mcp", (program ?? entry["command"]?.strings ?? []) + (entry["args"]?.strings ?? []))
    }
}

/// The servers in the file of a client.
struct MCPClientServers {
    struct Installed {
        let name: String
        let command: HelperCommand
        /// The URL and the options.
        var options: [String] { command.options.filter { $0 != "--stdio" } }

        /// What `install` needs to write the same entry.
        func repairOptions(of client: MCPClient) -> [String] {
            options + (client.hasHeadersHelper && command.options != options ? ["--stdio"] : [])
        }
    }

    let path: String
    private let client: MCPClient
    private var file: File

    private enum File {
        case json(JSONFile)
        case toml(MCPTables)
        case yaml(YAMLEntries)
    }

    init(_ client: MCPClient, _ environment: Environment) throws {
        self.client = client
        path = try client.path(environment)
        switch client {
        case .codex: file = .toml(try MCPTables(path))
        case .goose:
            let bytes = try ToolFile.read(path) ?? []
            do throws(YAMLProblem) { file = .yaml(try YAMLEntries(bytes, key: client.key)) } catch {
                throw CommandError(.toolNotSetUp, "'\(path)': \(error.message); nothing was changed")
            }
        default: file = .json(try JSONFile(path, hasComments: client.hasComments))
        }
    }

    private var entries: JSONObject {
        get throws {
            switch file {
            case .json(let json): try json.object(client.key)
            case .toml(let tables): tables.entries
            case .yaml(let yaml): yaml.values
            }
        }
    }

    var installed: [Installed] {
        get throws {
            try entries.members.compactMap { member in
                member.value.object.flatMap(MCPClient.command)
                    .map { Installed(name: member.name, command: $0) }
            }
        }
    }

    /// Returns whether that changes the file.
    mutating func add(_ name: String, _ url: HTTPURL, _ command: [String]) throws -> Bool {
        let entry = client.entry(name, url, command)
        if let known = try entries[name] {
            let own = known.object.flatMap(MCPClient.command)
            guard own?.program != command[0] || own?.options != Array(command.dropFirst(3)) else { return false }
            guard own != nil else {
                throw CommandError(
                    .toolNotSetUp, "'\(path)' already has a server '\(name)', which authctl did not create",
                    hint: "choose another name with --name")
            }
            if client != .codex, client != .goose { return try change(name, entry) }
            try remove(name)
        }
        return try change(name, entry)
    }

    private mutating func change(_ name: String, _ entry: JSONObject) throws -> Bool {
        switch file {
        case .json(var json):
            json.text.set(client.key, name, .object(entry))
            file = .json(json)
        case .toml(var tables):
            try tables.add(name, entry)
            file = .toml(tables)
        case .yaml(var yaml):
            do throws(YAMLProblem) { try yaml.add(name, .object(entry)) } catch {
                throw CommandError(
                    .toolNotSetUp, "'\(path)': \(error.message); nothing was changed",
                    hint: "add this below 'extensions:' as a line: \(name): \(JSONValue.object(entry).text)")
            }
            file = .yaml(yaml)
        }
        return true
    }

    mutating func remove(_ name: String) throws {
        switch file {
        case .json(var json):
            json.text.remove(client.key, name)
            file = .json(json)
        case .toml(var tables):
            tables.remove(name)
            file = .toml(tables)
        case .yaml(var yaml):
            do throws(YAMLProblem) { try yaml.remove(name) } catch {
                throw CommandError(.toolNotSetUp, "'\(path)': \(error.message); nothing was changed")
            }
            file = .yaml(yaml)
        }
    }

    func save() throws {
        switch file {
        case .json(let json): try json.save()
        case .toml(let tables): try tables.file.save()
        case .yaml(let yaml):
            guard !yaml.bytes.isEmpty else { return try ToolFile.remove(path) }
            try ToolFile.replace(path, yaml.bytes, mode: 0o600)
        }
    }
}

/// The tables `[mcp_servers.NAME]` in a TOML file. A table is appended, and removed with what the client added to it.
private struct MCPTables {
    private(set) var file: ConfigLines

    init(_ path: String) throws { file = try ConfigLines(path) }

    /// The first lines of a table, as `add` writes them.
    private static func lines(_ name: String, _ entry: JSONObject) -> [String] {
        ["[mcp_servers.\(name)]"] + entry.members.map { "\($0.name) = \($0.value.text)" }
    }

    private func text(_ index: Int) -> String { file.text(index).trimmingSpaces() }

    private var headers: [(index: Int, name: String)] {
        file.lines.indices.compactMap { index in
            text(index).wholeMatch(of: /\[\s*mcp_servers\s*\.\s*"?([A-Za-z0-9_-]+)"?\s*\]\s*(#.*)?/)
                .map { (index, String($0.1)) }
        }
    }

    /// The table's lines, with those of the tables in it.
    private func range(_ name: String, from start: Int) -> Range<Int> {
        var end = start + 1
        while end < file.lines.count, !text(end).hasPrefix("[") || text(end).hasPrefix("[mcp_servers.\(name).") {
            end += 1
        }
        // What is before the next table belongs to it.
        while end > start + 1, text(end - 1).isEmpty || text(end - 1).hasPrefix("#") { end -= 1 }
        return start..<end
    }

    /// The command of each table. Values that are not JSON are omitted.
    var entries: JSONObject {
        headers.reduce(into: JSONObject()) { found, header in
            var entry = JSONObject()
            for index in range(header.name, from: header.index).dropFirst() {
                guard let match = text(index).wholeMatch(of: /(command|args)\s*=\s*(.+)/) else { continue }
                entry[String(match.1)] = try? StrictJSON.parse(Array(match.2.utf8))
            }
            found[header.name] = .object(entry)
        }
    }

    mutating func add(_ name: String, _ entry: JSONObject) throws {
        let lines = MCPTables.lines(name, entry)
        let isInline = file.lines.indices.contains { text($0).contains(/^"?mcp_servers"?\s*[=.]/) }
        guard !isInline else {
            throw CommandError(
                .toolNotSetUp, "'\(file.path)' defines mcp_servers in another form; nothing was changed",
                hint: "use tables such as [mcp_servers.\(name)], then run the command again")
        }
        file.append(lines)
    }

    mutating func remove(_ name: String) {
        guard let header = headers.first(where: { $0.name == name }) else { return }
        file.remove(range(name, from: header.index))
    }
}

extension ToolSetup {
    /// A name that all clients accept, made of the host.
    private static func name(_ url: HTTPURL) -> String {
        String(url.host.map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "-" })
    }

    func mcp(
        _ client: MCPClient, _ url: ResourceURL?, isBridge: Bool, _ place: ToolFlags
    ) throws -> [String] {
        guard let url = url?.url else {
            throw CommandError(
                .usage, "the URL of the server is required",
                hint: .run("authctl credential install \(client.rawValue) https://mcp.example.com/mcp"))
        }
        let name = place.name == "authctl" ? ToolSetup.name(url) : place.name
        guard !name.isEmpty, name.hasOnlyLettersAndDigits(or: "-_") else {
            throw CommandError(.usage, "--name: a server's name has letters, digits, '-' and '_'")
        }
        var servers = try MCPClientServers(client, context.environment)
        let bridge = isBridge || !client.hasHeadersHelper ? ["--stdio"] : []
        let command = command(["credential", "mcp"] + bridge + [url.text])
        guard try servers.add(name, url, command) else { return [] }
        try servers.save()
        return ["\(servers.path): server \(name) = \(Shell.words(command))"]
    }

    func removeMCP(_ client: MCPClient, _ url: ResourceURL?, _ place: ToolFlags) throws -> [String] {
        var servers = try MCPClientServers(client, context.environment)
        let names = try servers.installed.filter { server in
            (place.name == "authctl" || place.name == server.name)
                && (url.map { server.options.contains($0.text) } ?? true)
        }.map(\.name)
        guard !names.isEmpty else { return [] }
        for name in names { try servers.remove(name) }
        try servers.save()
        return names.map { "\(servers.path): server \($0) was removed" }
    }
}
