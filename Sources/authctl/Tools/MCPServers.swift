import AuthCore
import Glibc

/// A file with the servers of an MCP client: `{"mcpServers": {NAME: {"type": "http", "url": …, "headersHelper": …}}}`.
struct MCPServers {
    let path: String
    private var file: JSONFile
    private var servers: JSONObject

    init(_ path: String) throws {
        self.path = path
        file = try JSONFile(path)
        servers = try file.object("mcpServers")
    }

    struct Installed {
        let name: String
        let url: String?
        let command: HelperCommand
    }

    var installed: [Installed] {
        servers.members.compactMap { member in
            guard let server = member.value.object, let command = MCPServers.command(server) else { return nil }
            return Installed(name: member.name, url: server["url"]?.string, command: command)
        }
    }

    private static func command(_ server: JSONObject) -> HelperCommand? {
        server["headersHelper"]?.string.flatMap { HelperCommand("mcp", shell: $0) }
    }

    mutating func add(_ name: String, url: String, helper: String) throws -> Bool {
        let server: JSONObject = ["type": "http", "url": .string(url), "headersHelper": .string(helper)]
        if let known = servers[name]?.object {
            guard known != server else { return false }
            guard MCPServers.command(known) != nil else {
                throw CommandError(
                    .toolNotSetUp, "'\(path)' already has a server '\(name)', which authctl did not create",
                    hint: "choose another name with --name, or set its headersHelper: \(helper)")
            }
            guard known["url"] == .string(url) else {
                throw CommandError.otherURL(known["url"]?.string, of: name, in: path, servers.members.map(\.name))
            }
        }
        file.text.set("mcpServers", name, .object(server))
        return true
    }

    mutating func remove(_ isIncluded: (Installed) -> Bool) -> [String] {
        let names = installed.filter(isIncluded).map(\.name)
        for name in names { file.text.remove("mcpServers", name) }
        return names
    }

    func save() throws { try file.save() }
}

extension CommandError {
    /// The name of a server of authctl that was installed for another URL.
    static func otherURL(_ url: String?, of name: String, in path: String, _ names: [String]) -> CommandError {
        var number = 2
        while names.contains("\(name)-\(number)") { number += 1 }
        let free = "\(name)-\(number)"
        var words: [String] = []
        var isName = false
        for word in Process.arguments.dropFirst().prefix(while: { !Shell.mayBeSecret($0) }) {
            if !isName, word != "--name", !word.hasPrefix("--name=") { words.append(word) }
            isName = !isName && word == "--name"
        }
        let again = ShellCommand(words: ["authctl"] + words).with(["--name": free])
        return CommandError(
            .toolNotSetUp,
            "'\(path)' already has a server '\(name)' for \(url.map { "'\(ServerText.shown($0))'" } ?? "another URL")",
            hint: "to install both, choose another name: \(run: again)")
    }
}

extension MCPRemoval {
    /// - Parameter isInstalled: whether there are servers of authctl.
    init(_ changes: [String], isInstalled: Bool, name: String?, url: String?) {
        self.changes = changes
        let searched = [name.map { "the name '\($0)'" }, url.map { "the URL '\($0)'" }].compactMap { $0 }
        note =
            changes.isEmpty && isInstalled && !searched.isEmpty
            ? "no server of authctl has \(searched.joined(separator: " and "))" : nil
    }
}

extension ToolSetup {
    static let mcpFile = ".mcp.json"

    func mcp(_ place: ToolFlags) throws -> [String] {
        guard let resource = place.resource else {
            throw CommandError(.usage, "--resource is required")
        }
        var file = try MCPServers(place.target.file ?? ToolSetup.mcpFile)
        let helper = Shell.words(command(["credential", "mcp", resource.text]))
        let name = place.name.given ?? ToolSetup.serverName(resource.url, keeping: "._")
        guard try file.add(name, url: resource.text, helper: helper) else { return [] }
        try file.save()
        return ["\(file.path): mcpServers.\(name) = \(resource.text), headersHelper = \(helper)"]
    }

    func removeMCP(_ place: ToolFlags) throws -> MCPRemoval {
        var file = try MCPServers(place.target.file ?? ToolSetup.mcpFile)
        let isInstalled = !file.installed.isEmpty
        let names = file.remove { server in
            (place.name.given.map { $0 == server.name } ?? true)
                && (place.resource.map { $0.text == server.url } ?? true)
        }
        if !names.isEmpty { try file.save() }
        return MCPRemoval(
            names.map { "\(file.path): mcpServers.\($0) was removed" }, isInstalled: isInstalled,
            name: place.name.given, url: place.resource?.text)
    }
}
