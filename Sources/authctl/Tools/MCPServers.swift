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

extension ToolSetup {
    static let mcpFile = ".mcp.json"

    func mcp(_ place: ToolFlags) throws -> [String] {
        guard let resource = place.resource else {
            throw CommandError(.usage, "--resource is required")
        }
        var file = try MCPServers(place.mcp.file ?? ToolSetup.mcpFile)
        let helper = Shell.words(command(["credential", "mcp", resource.text]))
        let name = place.name == "authctl" ? resource.url.host : place.name
        guard try file.add(name, url: resource.text, helper: helper) else { return [] }
        try file.save()
        return ["\(file.path): mcpServers.\(name) = \(resource.text), headersHelper = \(helper)"]
    }

    func removeMCP(_ place: ToolFlags) throws -> [String] {
        var file = try MCPServers(place.mcp.file ?? ToolSetup.mcpFile)
        let names = file.remove { server in
            (place.name == "authctl" || place.name == server.name)
                && (place.resource.map { $0.text == server.url } ?? true)
        }
        guard !names.isEmpty else { return [] }
        try file.save()
        return names.map { "\(file.path): mcpServers.\($0) was removed" }
    }
}
