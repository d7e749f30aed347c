import AuthCore

/// The MCP servers in a client's configuration file.
struct MCPClientServers {
    struct Installed {
        let name: String
        let command: HelperCommand
        /// The URL and the options.
        var options: [String] { command.options.filter { $0 != "--stdio" } }

        /// The options with which `install` writes the same entry. Others may have written the file of a project, so only
        /// the URL is taken from it.
        func repairOptions(of client: MCPClient) -> [String] {
            guard client != .project else { return ["--resource"] + [command.url].compactMap { $0 } }
            return options + (client.hasHeadersHelper && command.options != options ? ["--stdio"] : [])
        }
    }

    private let client: MCPClient
    var file: ToolEntries

    var path: String { file.path }

    init(_ client: MCPClient, in environment: Environment, at place: ToolFileFlag) throws {
        self.client = client
        let (path, key) = (try client.path(environment, place), client.key)
        file = try ToolEntries(path, made: client == .codex ? ToolFile.made : []) { bytes in
            switch client {
            case .codex: TOMLTables(bytes, key: key, in: path)
            case .goose: try YAMLMembers(bytes, key: key, isList: false)
            default: try JSONEntries(bytes, key: key, in: path, hasComments: client.hasComments)
            }
        }
    }

    var installed: [Installed] {
        file.entries.members.compactMap { member in
            member.value.object.flatMap(MCPClient.command).map { Installed(name: member.name, command: $0) }
        }
    }

    /// Adds or updates a server. Returns whether the file changes.
    mutating func add(_ name: String, url: HTTPURL, command: [String]) throws -> Bool {
        let entry = client.entry(name, url: url, command: command)
        if let known = file.entries[name] {
            let own = known.object.flatMap(MCPClient.command)
            // The whole entry, because its URL decides who gets the token, and others may have written the file. In
            // goose's own file, goose adds members, and the user switches the entry on and off.
            guard client == .goose ? own?.words != command : known != .object(entry) else { return false }
            guard own != nil else {
                throw CommandError(
                    .toolNotSetUp, "'\(path)' already has a server '\(name)', which authctl did not create",
                    hint: client == .project
                        ? "choose another name with --name, or set its headersHelper: \(Shell.words(command))"
                        : "choose another name with --name")
            }
            guard own?.serves(url) == true else {
                throw otherURL(own?.url, of: name, names: file.entries.members.map(\.name))
            }
        }
        try file.set(name, to: .object(entry), hint: client == .goose ? hint(name, entry) : nil)
        return true
    }

    /// How the user can add the server to goose's file.
    private func hint(_ name: String, _ entry: JSONObject) -> Hint {
        let line = "\(JSONValue.string(name).text): \(JSONValue.object(entry).text)"
        return file.entries.members.isEmpty
            ? Hint(prose: "set '\(client.key)' in the file like this: \(client.key): {\(line)}")
            : Hint(prose: "add this to '\(client.key)', after a comma if it is in braces: \(line)")
    }

    /// authctl installed a server with this name and another URL.
    private func otherURL(_ url: String?, of name: String, names: [String]) -> CommandError {
        var number = 2
        while names.contains("\(name)-\(number)") { number += 1 }
        let free = "\(name)-\(number)"
        var words: [String] = []
        var isName = false
        for word in Process.typed.prefix(while: { !Shell.mayBeSecret($0) }) {
            if !isName, word != "--name", !word.hasPrefix("--name=") { words.append(word) }
            isName = !isName && word == "--name"
        }
        let again = ShellCommand(words: ["authctl"] + words).with(["--name": free])
        return CommandError(
            .toolNotSetUp,
            "'\(path)' already has a server '\(name)' for \(url.map { "'\(shown: $0)'" } ?? "another URL")",
            hint: "to install both, choose another name: \(run: again)")
    }
}

extension HelperCommand {
    fileprivate var url: String? { options.first { (try? HTTPURL($0)) != nil } }

    fileprivate func serves(_ server: HTTPURL) -> Bool {
        options.contains { (try? HTTPURL($0))?.normalized == server.normalized }
    }
}

extension ToolSetup {
    /// A name that all clients accept: the host, and the port if it is not the default.
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

    func mcp(_ client: MCPClient, url: HTTPURL?, isBridge: Bool, at place: ToolFlags) throws -> [String] {
        let isProject = client == .project
        guard let url = url ?? place.resource else {
            throw UsageProblem.other(
                "the URL of the server is required",
                hint: .run("authctl use \(client.rawValue) https://mcp.example.com/mcp"))
        }
        guard url.protectsSecrets || (try? context.profile.providers())?.contains(where: \.allowsPlainHTTP) == true
        else {
            throw HTTPError.plainHTTP(origin: url.origin)
        }
        var servers = try MCPClientServers(client, in: context.environment, at: place.target)
        let known = isProject ? servers.installed.first { $0.command.serves(url) }?.name : nil
        let name = place.name.given ?? known ?? ToolSetup.serverName(url, keeping: isProject ? "._" : "")
        try require(
            isProject || !name.isEmpty && name.hasOnlyLettersAndDigits(or: "-_"),
            "--name: a server's name has letters, digits, '-' and '_'")
        let bridge = isBridge || !client.hasHeadersHelper ? ["--stdio"] : []
        let command = command(["mcp"] + bridge + [url.text])
        let old = servers.installed.first { $0.name == name }?.command
        guard try servers.add(name, url: url, command: command) else { return [] }
        try servers.file.save()
        let words = Shell.words(command)
        return [
            isProject
                ? "\(servers.path): mcpServers.\(name) = \(url.text), headersHelper = \(words)"
                : "\(servers.path): server \(name) = \(words)"
        ] + ToolSetup.replaced(old, by: command)
    }

    /// Removes the matching servers. The note says that none matches, although authctl installed others.
    func removeMCP(
        _ client: MCPClient, url: HTTPURL?, at place: ToolFlags
    ) throws -> (changes: [String], note: String?) {
        let url = url ?? place.resource
        var servers = try MCPClientServers(client, in: context.environment, at: place.target)
        let installed = servers.installed
        let names = installed.filter { server in
            (place.name.given.map { $0 == server.name } ?? true)
                && (url.map(server.command.serves) ?? true)
        }.map(\.name)
        for name in names { try servers.file.set(name, to: nil) }
        if !names.isEmpty { try servers.file.save() }
        let searched = [place.name.given.map { "the name '\($0)'" }, url.map { "the URL '\($0.text)'" }]
            .compactMap { $0 }.joined(separator: " and ")
        let isUnfound = names.isEmpty && !installed.isEmpty && !searched.isEmpty
        let prefix = client == .project ? "mcpServers." : "server "
        return (
            names.map { "\(servers.path): \(prefix)\($0) was removed" },
            isUnfound ? "no server of authctl has \(searched)" : nil
        )
    }
}
