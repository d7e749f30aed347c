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

    static func isFromAuthctl(_ server: JSONObject) -> Bool {
        server["headersHelper"]?.string?.contains("authctl credential mcp ") == true
    }

    mutating func add(_ name: String, url: String, helper: String) throws -> Bool {
        let server: JSONObject = ["type": "http", "url": .string(url), "headersHelper": .string(helper)]
        if let known = servers[name]?.object {
            guard known != server else { return false }
            guard MCPServers.isFromAuthctl(known) else {
                throw CommandError(
                    .toolNotSetUp, "'\(path)' already has a server '\(name)', which authctl did not create",
                    hint: "choose another name with --name, or set its headersHelper: \(helper)")
            }
        }
        file.text.set("mcpServers", name, .object(server))
        return true
    }

    mutating func remove(_ isIncluded: (_ name: String, _ url: String?) -> Bool) -> [String] {
        let created = servers.members.filter { member in
            member.value.object.map { MCPServers.isFromAuthctl($0) && isIncluded(member.name, $0["url"]?.string) }
                ?? false
        }.map(\.name)
        for name in created { file.text.remove("mcpServers", name) }
        return created
    }

    func save() throws { try file.save() }
}

extension ToolSetup {
    private static let defaultFile = ".mcp.json"

    func mcp(_ place: ToolFlags) throws -> [String] {
        guard let resource = place.resource else {
            throw CommandError(.usage, "--resource is required")
        }
        var file = try MCPServers(place.file ?? ToolSetup.defaultFile)
        let helper = Shell.words(command(["credential", "mcp", resource.text]))
        let name = place.name == "authctl" ? resource.url.host : place.name
        guard try file.add(name, url: resource.text, helper: helper) else { return [] }
        try file.save()
        return ["\(file.path): mcpServers.\(name) = \(resource.text), headersHelper = \(helper)"]
    }

    func removeMCP(_ place: ToolFlags) throws -> [String] {
        var file = try MCPServers(place.file ?? ToolSetup.defaultFile)
        let names = file.remove { name, url in
            (place.name == "authctl" || place.name == name) && (place.resource.map { $0.text == url } ?? true)
        }
        guard !names.isEmpty else { return [] }
        try file.save()
        return names.map { "\(file.path): mcpServers.\($0) was removed" }
    }
}
