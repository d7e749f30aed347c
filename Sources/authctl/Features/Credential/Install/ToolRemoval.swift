import AuthCore

extension ToolSetup {
    /// Restores the tool's earlier configuration, and prints the changes.
    func remove(_ tool: UseCommand.Tool, url: HTTPURL?, at place: ToolFlags) async throws {
        let changes: [String]
        let before = (try? await installed(place.target)) ?? []
        var note = "authctl is not installed"
        switch tool {
        case .git: changes = try await removeGit(hosts: place.host)
        case .docker: changes = try removeDocker(hosts: place.host, directory: place.binDir)
        case .kubectl: changes = try removeKubectl(user: place.name.text)
        case .aws: changes = try removeAWS(profile: place.name.text)
        case .gcp: changes = try removeGCP(file: place.target.file)
        case .mcp, .claudeCode, .codex, .vscode, .cursor, .opencode, .goose:
            let removal = try tool.client.map { try removeMCP($0, url: url, at: place) }
            (changes, note) = (removal?.changes ?? [], removal?.note ?? note)
        case .netrc: throw UsageProblem.other("netrc is never installed, so there is nothing to uninstall")
        }
        let left = (try? await installed(place.target)) ?? []
        for removed in before where removed.tool == tool.rawValue && removed.directory != ownDirectory {
            guard !left.contains(where: { $0.tool == removed.tool && $0.name == removed.name }) else { continue }
            context.output.note(
                "'\(shown: removed.name)' had the tokens of \(shown: removed.directory ?? "the default configuration directory")"
            )
        }
        let names = changes.isEmpty && tool.client == nil ? left.filter { $0.tool == tool.rawValue }.map(\.name) : []
        // Without options, the only entry is meant, also if its name is not the default one.
        if place.given.list.isEmpty, let first = names.first {
            let hint: Hint = .run("authctl use --remove \(tool.rawValue) --name \(first)")
            try require(names.count == 1, .other("authctl is installed for \(quoted: names): choose one", hint: hint))
            var place = place
            place.name = ToolName(argument: first) ?? place.name
            return try await self.remove(tool, url: url, at: place)
        }
        if !names.isEmpty { note = "authctl is only installed for \(quoted: names)" }
        let text = changes.isEmpty ? ["nothing to change: \(note)"] : changes
        context.output.result(UseCommand.output.json((tool, changes))) { text }
    }

    func removeGit(hosts: [String]) async throws -> [String] {
        try await restoringGitFile {
            let roots = try hosts.map { try HTTPURL(server: $0, of: "--host").root }
            var changes: [String] = []
            for entry in try await gitEntries() where hosts.isEmpty || roots.contains(entry.root) {
                changes += try await remove(entry)
            }
            return changes
        }
    }

    private func remove(_ entry: GitEntry) async throws -> [String] {
        let (key, values, index) = (entry.key, entry.values, entry.index)
        let former = try await gitHelpers(GitHelper.former(key))
        if try !removeSection(entry.root, values[index]) {
            // The empty helper before it was added with it. Helpers that the user added later remain.
            let start = index > 0 && values[index - 1].isEmpty ? index - 1 : index
            try await gitConfig(["--unset-all", key])
            for value in former + values[..<start] + values[(index + 1)...] {
                try await gitConfig(["--add", key, value])
            }
        }
        if !former.isEmpty { try await gitConfig(["--unset-all", GitHelper.former(key)]) }
        return ["git config --global: \(key) was removed"]
            + former.filter { !$0.isEmpty }.map { "git config --global: \(key) = \($0)" }
    }

    /// The keys in git's global configuration file that have authctl's helper.
    func gitEntries() async throws -> [GitEntry] {
        // git may not be installed.
        guard let file = try ToolFile.read(try gitFile()),
            String(decoding: file, as: UTF8.self).contains("credential git")
        else { return [] }
        var helpers: [String: [String]] = [:]
        for entry in try await gitValues(["--get-regexp", #"^credential\..*\.helper$"#]) {
            let parts = entry.split(separator: 10, maxSplits: 1, omittingEmptySubsequences: false)
            let key = String(decoding: parts[0], as: UTF8.self)
            helpers[key, default: []].append(parts.count == 2 ? String(decoding: parts[1], as: UTF8.self) : "")
        }
        return helpers.sorted { $0.key < $1.key }.compactMap { GitEntry(key: $0.key, values: $0.value) }
    }

    /// Removes the lines that `git` appended, and the section's header if nothing else is in the section.
    private func removeSection(_ root: String, _ helper: String) throws -> Bool {
        let path = try gitFile()
        guard let file = try ToolFile.read(path) else { return false }
        let section = GitHelper.section(root, helper)
        let texts = file.lines.map { String(decoding: file[$0], as: UTF8.self) }
        guard let start = texts.indices.first(where: { texts[$0...].starts(with: section) }) else { return false }
        let end = start + section.count
        let isWhole = texts[end...].first { !$0.isEmpty }.map { $0.hasPrefix("[") } ?? true
        let removed = file.range(ofLines: (isWhole ? start : start + 1)..<end)
        let changed = file.applying([.removing(lines: removed, of: file)])
        try ToolFile.replace(path, with: changed == ToolFile.made ? nil : changed)
        return true
    }

    func removeDocker(hosts: [String], directory: String?) throws -> [String] {
        let registries = try hosts.map { try HTTPURL(server: $0, of: "--host").authority }
        var file = try ToolEntries.docker(context.environment)
        var left = file.names(of: "authctl")
        // If no helper must be restored, errors are ignored: the program may be in a directory that cannot be searched.
        let program = left.isEmpty && directory == nil ? try? dockerProgram(nil) : try dockerProgram(directory)
        let former = program.map { DockerHelper.former(in: $0.bytes) } ?? [:]
        var changes: [String] = []
        for registry in left where hosts.isEmpty || registries.contains(registry) {
            try file.set(registry, to: former[registry].map(JSONValue.string))
            left.removeAll { $0 == registry }
            let now = former[registry].map { "= \($0)" } ?? "was removed"
            changes.append("\(file.path): credHelpers.\(registry) \(now)")
        }
        if !changes.isEmpty { try file.save() }
        if let program, left.isEmpty {
            try ToolFile.remove(program.path)
            changes.append("\(program.path) was removed")
        }
        return changes
    }

    /// authctl's program for docker, which contains the former helpers. Skips directories that cannot be searched, like
    /// a shell, but throws if the program is in no other.
    func dockerProgram(_ directory: String?) throws -> (path: String, bytes: [UInt8])? {
        var skipped: CommandError?
        for directory in directory.map({ [$0] }) ?? context.environment.searchPath {
            let path = "\(directory)/\(DockerHelper.program)"
            do throws(CommandError) {
                if let bytes = try ToolFile.read(path), DockerHelper.isFromAuthctl(bytes) { return (path, bytes) }
            } catch { skipped = skipped ?? error }
        }
        if let skipped { throw skipped }
        return nil
    }
}
