import AuthCore

/// An entry that `install` added to another tool's file.
struct InstalledTool: Viewed {
    static let view = View<InstalledTool>("Installed") {
        Field("tool", of: \.tool, means: "as in the command line, for example git")
        Field("name", of: \.name, means: "the host, registry, user, profile, identity pool or server")
        Field("file", of: \.file, means: "an absolute path")
        Field("profile", of: \.profile, means: "the profile that the entry names")
        Field("account", of: \.account, means: "the account that the entry names")
        Field("repair", of: \.problem?.repair.text, means: "the command that repairs it; null if it is not broken")
    }

    let tool: String
    /// The host, registry, user, profile, identity pool or server.
    let name: String
    let file: String
    let profile: String?
    let account: String?
    /// The configuration directory that the entry names.
    let directory: String?
    /// Whose token the tool gets, as a user would type it: a host, a session, a provider or a URL.
    let owner: String
    /// Why the tool cannot run authctl.
    let problem: (reason: String, repair: ShellCommand)?

    /// - Parameters:
    ///   - program: the program that the tool runs; nil if the tool does not find it.
    ///   - options: with which `install` writes the same entry, unless `repair` has others.
    init(
        _ tool: String, named name: String, in file: String, runs program: String?, at place: GivenOptions,
        options: [String], repairing repair: [String]? = nil
    ) {
        (self.tool, self.name) = (tool, name)
        self.file = ConfigDirectory.absolute(file)
        (profile, account) = (options.value(of: "--profile"), options.value(of: "--account"))
        directory = options.value(of: "--config-dir")
        let user = options.value(of: "--account").flatMap { SessionName($0).user == nil ? nil : $0 }
        let id = user ?? options.value(of: "--provider") ?? options.first { (try? HTTPURL($0)) != nil } ?? name
        let shown = ProviderID.name(in: id) ?? id
        owner = ["git", "docker"].contains(tool) ? name : shown
        let isGone = program.map { $0.hasPrefix("/") && (try? ToolFile.exists($0)) == false } ?? true
        guard isGone else {
            problem = nil
            return
        }
        var install = ShellCommand(words: ["authctl", "use", tool]).with(place)
        let words = repair ?? options
        if !words.isEmpty { install = "\(install) \(ShellCommand(words: words))" }
        problem = (program.map { "'\($0)' does not exist" } ?? "\(DockerHelper.program) is not in PATH", install)
    }

    var cells: [Cell] {
        // The name that `--remove` requires.
        let ownName = ["kubectl", "aws"].contains(tool) && name != ToolName().text ? name : nil
        let chosen: GivenOptions = [
            "--name": ownName, "--config-dir": directory, "--profile": profile,
            "--account": account == owner ? nil : account,
        ]
        let words = Shell.words(chosen.words)
        let state = problem == nil ? [] : [Cell("broken", as: .bad)]
        return [Cell(tool), Cell(owner)] + state + (words.isEmpty ? [] : [Cell(words)])
    }
}

extension ToolSetup {
    /// The entries that `install` added, in the files that it would change now.
    func installed(_ place: ToolFileFlag) async throws -> [InstalledTool] {
        try await installedGit() + installedDocker()
            + KubectlUsers.files(context.environment).flatMap { installed("kubectl", in: $0, by: KubectlUsers.command) }
            + installed("aws", in: ToolEntries.aws(context.environment), by: AWSProfiles.command)
            + installedGCP(place) + MCPClient.allCases.flatMap { try installed($0, place) }
    }

    private func installedGit() async throws -> [InstalledTool] {
        let path = try gitFile()
        return try await gitEntries().map {
            InstalledTool(
                "git", named: $0.host, in: path, runs: $0.command.program, at: ["--host": $0.host],
                options: $0.command.options)
        }
    }

    private func installedDocker() throws -> [InstalledTool] {
        let file = try ToolEntries.docker(context.environment)
        let installed = file.names(of: "authctl")
        guard !installed.isEmpty else { return [] }
        let made = try? dockerProgram(nil)
        let command = made.flatMap { DockerHelper.command(in: $0.bytes) }
        let isFound = context.environment.hasProgram(DockerHelper.program)
        let directory = made.map { String($0.path.dropLast(DockerHelper.program.count + 1)) }
        return installed.map {
            InstalledTool(
                "docker", named: $0, in: file.path, runs: isFound ? command?.program ?? DockerHelper.program : nil,
                at: ["--host": $0, "--bin-dir": directory], options: command?.options.filter { $0 != "$@" } ?? [])
        }
    }

    private func installed(
        _ tool: String, in file: ToolEntries, by command: (JSONValue) -> HelperCommand?
    ) -> [InstalledTool] {
        file.entries.members.compactMap { entry in
            command(entry.value).map {
                InstalledTool(
                    tool, named: entry.name, in: file.path, runs: $0.program, at: ["--name": entry.name],
                    options: $0.options)
            }
        }
    }

    private func installed(_ client: MCPClient, _ place: ToolFileFlag) throws -> [InstalledTool] {
        let servers = try MCPClientServers(client, in: context.environment, at: place)
        return servers.installed.map { server in
            let place: GivenOptions = client == .project ? ["--file": place.file] : ["--name": server.name]
            return InstalledTool(
                client.rawValue, named: server.name, in: servers.path, runs: server.command.program, at: [:],
                options: server.options, repairing: server.repairOptions(of: client) + place.words)
        }
    }
}
