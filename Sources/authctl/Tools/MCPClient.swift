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
            guard own?.options.contains(url.text) == true else {
                let other = own?.options.first { (try? HTTPURL($0)) != nil }
                throw CommandError.otherURL(other, of: name, in: path, try entries.members.map(\.name))
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
                let line = "\(JSONValue.string(name).text): \(JSONValue.object(entry).text)"
                let key = client.key
                let isEmpty = yaml.values.members.isEmpty
                throw CommandError(
                    .toolNotSetUp, "'\(path)': \(error.message); nothing was changed",
                    hint: isEmpty
                        ? Hint(fixed: "set '\(key)' in the file like this: \(key): {\(line)}")
                        : Hint(fixed: "add this to '\(key)', after a comma if it is in braces: \(line)"))
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
            try tables.remove(name)
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
    private static let key = "mcp_servers"

    init(_ path: String) throws { file = try ConfigLines(path) }

    /// The servers, in each form that TOML has. Only a table `[mcp_servers.NAME]` can have a command here: authctl does not
    /// write the other forms.
    var entries: JSONObject {
        var found = JSONObject()
        for statement in TOMLOutline(file.lines).statements {
            let path = statement.path
            guard path.count > 1, path[0] == MCPTables.key else { continue }
            var entry = found[path[1]]?.object ?? JSONObject()
            if statement.table.count == 2, !statement.isArray, path.count == 3, ["command", "args"].contains(path[2]) {
                entry[path[2]] = try? StrictJSON.parse(statement.value)
            }
            found[path[1]] = .object(entry)
        }
        return found
    }

    private func outline() throws -> TOMLOutline {
        let outline = TOMLOutline(file.lines)
        guard outline.isComplete else {
            throw CommandError(
                .toolNotSetUp,
                "'\(file.path)' is not valid TOML, for example because of an unclosed string or bracket; nothing was changed",
                hint: "fix the file, then run the command again")
        }
        return outline
    }

    mutating func add(_ name: String, _ entry: JSONObject) throws {
        let settings = entry.members.map { "\($0.name) = \($0.value.text)" }
        let isOther = try outline().statements.contains {
            $0.path.first == MCPTables.key && ($0.table.isEmpty || ($0.isArray && $0.table.count == 1))
        }
        guard !isOther else {
            let line = "\(name) = { \(settings.joined(separator: ", ")) }"
            throw CommandError(
                .toolNotSetUp, "'\(file.path)' defines mcp_servers in another form; nothing was changed",
                hint: Hint(fixed: "use tables such as [mcp_servers.\(name)], or add to mcp_servers: \(line)"))
        }
        file.append(["[\(MCPTables.key).\(name)]"] + settings)
    }

    /// Removes the table with the tables in it. Comments and empty lines after it belong to the next table.
    mutating func remove(_ name: String) throws {
        let prefix = [MCPTables.key, name]
        var ranges: [Range<Int>] = []
        var isInTable = false
        for statement in try outline().statements {
            let (wasInTable, lines) = (isInTable, statement.lines)
            isInTable = statement.table.starts(with: prefix)
            guard isInTable else { continue }
            let start = wasInTable ? ranges.removeLast().lowerBound : lines.lowerBound
            ranges.append(start..<(lines.upperBound + 1))
        }
        for range in ranges.reversed() { file.remove(range) }
    }
}

/// The tables and keys of a TOML file, with the lines that each takes.
private struct TOMLOutline {
    struct Statement {
        /// Of a header, its own table.
        let table: [String]
        /// Whether the table is an element of an array, as after `[[table]]`.
        let isArray: Bool
        /// Empty for a header.
        let key: [String]
        /// Without spaces and comments. Arrays of strings are JSON.
        let value: [UInt8]
        let lines: ClosedRange<Int>

        var path: [String] { table + key }
    }

    private(set) var statements: [Statement] = []
    /// Whether each string, array and inline table is closed, and each line can be read.
    private(set) var isComplete = true
    private let bytes: [UInt8]
    private var index = 0
    private var line = 0

    init(_ lines: [[UInt8]]) {
        bytes = Array(lines.joined(separator: [0x0A]))
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { index = 3 }
        var table: [String] = []
        var isArray = false
        while index < bytes.count {
            let start = line
            if take("[") {
                isArray = current == UInt8(ascii: "[")
                if isArray { index += 1 }
                if let path = readPath(), take("]"), !isArray || take("]") {
                    table = path
                    statements.append(
                        Statement(table: table, isArray: isArray, key: [], value: [], lines: start...line))
                } else {
                    isComplete = false
                }
            } else if !isAtEnd {
                if let path = readPath(), take("=") {
                    let value = readValue()
                    statements.append(
                        Statement(table: table, isArray: isArray, key: path, value: value, lines: start...line))
                } else {
                    isComplete = false
                }
            }
            skipSpaces()
            if !isAtEnd { isComplete = false }
            skipLine()
            index += 1
            line += 1
        }
    }

    private var current: UInt8? { index < bytes.count ? bytes[index] : nil }

    /// Whether no more than a comment follows in the line.
    private var isAtEnd: Bool { current == nil || current == 0x0A || current == UInt8(ascii: "#") }

    private mutating func skipSpaces() {
        while let byte = current, byte == 0x20 || byte == 0x09 || byte == 0x0D { index += 1 }
    }

    private mutating func skipLine() {
        while let byte = current, byte != 0x0A { index += 1 }
    }

    private mutating func take(_ scalar: Unicode.Scalar) -> Bool {
        skipSpaces()
        guard current == UInt8(ascii: scalar) else { return false }
        index += 1
        return true
    }

    private mutating func readPath() -> [String]? {
        var path: [String] = []
        repeat {
            skipSpaces()
            guard let key = readKey() else { return nil }
            path.append(key)
        } while take(".")
        return path
    }

    private mutating func readKey() -> String? {
        if current == UInt8(ascii: "\"") || current == UInt8(ascii: "'") {
            guard let text = readString() else { return nil }
            return (try? StrictJSON.parse(text))?.string
        }
        let start = index
        while let byte = current, String(UnicodeScalar(byte)).hasOnlyLettersAndDigits(or: "-_") { index += 1 }
        return start == index ? nil : String(decoding: bytes[start..<index], as: UTF8.self)
    }

    private mutating func readValue() -> [UInt8] {
        var value: [UInt8] = []
        var open: [UInt8] = []
        while let byte = current {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "'"):
                guard let string = readString() else {
                    isComplete = false
                    return value
                }
                value += string
                continue
            case UInt8(ascii: "#"):
                skipLine()
                continue
            case 0x0A:
                if open.isEmpty { return value }
                line += 1
            case 0x20, 0x09, 0x0D: break
            case UInt8(ascii: "["), UInt8(ascii: "{"):
                open.append(byte)
                value.append(byte)
            case UInt8(ascii: "]"), UInt8(ascii: "}"):
                // In ASCII, the closing bracket is the second after the opening one.
                guard open.popLast() == byte - 2 else {
                    isComplete = false
                    return value
                }
                if value.last == UInt8(ascii: ",") { value.removeLast() }
                value.append(byte)
            default: value.append(byte)
            }
            index += 1
        }
        if !open.isEmpty { isComplete = false }
        return value
    }

    /// The string as JSON; nil if it is not closed. A string of several lines is not read, and is not valid JSON then.
    private mutating func readString() -> [UInt8]? {
        let (start, quote) = (index, bytes[index])
        let mark = [quote, quote, quote]
        let isLong = bytes[index...].starts(with: mark)
        index += isLong ? 3 : 1
        while let byte = current {
            if byte == UInt8(ascii: "\\"), quote == UInt8(ascii: "\""), index + 1 < bytes.count,
                bytes[index + 1] != 0x0A
            {
                index += 2
                continue
            }
            if byte == 0x0A {
                guard isLong else { return nil }
                line += 1
            }
            if isLong, bytes[index...].starts(with: mark) {
                index += 3
                // Up to two quotes before the closing ones belong to the string.
                for _ in 0..<2 where current == quote { index += 1 }
                return mark
            }
            index += 1
            guard !isLong, byte == quote else { continue }
            guard quote == UInt8(ascii: "'") else { return Array(bytes[start..<index]) }
            return Array(JSONValue.string(String(decoding: bytes[(start + 1)..<(index - 1)], as: UTF8.self)).text.utf8)
        }
        return nil
    }
}

extension ToolSetup {
    /// A name that all clients accept, made of the host, and of the port if it is not the default.
    static func serverName(_ url: HTTPURL, keeping kept: String = "") -> String {
        let isPlain = { (character: Character) in String(character).hasOnlyLettersAndDigits(or: kept) }
        let isIPv6 = url.host.contains(":")
        let host =
            isIPv6
            ? url.host.filter { String($0).hasOnlyLettersAndDigits() } : String(url.host.map { isPlain($0) ? $0 : "-" })
        let name = String(host.drop { $0 == "-" })
        let isDefault = url.port == (url.isSecure ? 443 : 80)
        return (name.isEmpty ? "server" : name) + (isDefault ? "" : "-\(url.port)")
    }

    func mcp(
        _ client: MCPClient, _ url: ResourceURL?, isBridge: Bool, _ place: ToolFlags
    ) throws -> [String] {
        guard let url = url?.url else {
            throw CommandError(
                .usage, "the URL of the server is required",
                hint: .run("authctl credential install \(client.rawValue) https://mcp.example.com/mcp"))
        }
        let name = place.name.given ?? ToolSetup.serverName(url)
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

    func removeMCP(_ client: MCPClient, _ url: ResourceURL?, _ place: ToolFlags) throws -> MCPRemoval {
        var servers = try MCPClientServers(client, context.environment)
        let installed = try servers.installed
        let names = installed.filter { server in
            (place.name.given.map { $0 == server.name } ?? true)
                && (url.map { server.options.contains($0.text) } ?? true)
        }.map(\.name)
        for name in names { try servers.remove(name) }
        if !names.isEmpty { try servers.save() }
        return MCPRemoval(
            names.map { "\(servers.path): server \($0) was removed" }, isInstalled: !installed.isEmpty,
            name: place.name.given, url: url?.text)
    }
}
