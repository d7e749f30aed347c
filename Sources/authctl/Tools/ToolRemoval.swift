import AuthCore

extension ToolSetup {
    func removeGit(hosts: [String]) async throws -> [String] {
        try await restoringGitFile { try await withoutGit(hosts: hosts) }
    }

    private func withoutGit(hosts: [String]) async throws -> [String] {
        let listed = try await gitValues(["--get-regexp", #"^credential\..*\.helper$"#])
        var helpers: [String: [String]] = [:]
        for entry in listed {
            let parts = entry.split(separator: 10, maxSplits: 1, omittingEmptySubsequences: false)
            let key = String(decoding: parts[0], as: UTF8.self)
            helpers[key, default: []].append(parts.count == 2 ? String(decoding: parts[1], as: UTF8.self) : "")
        }
        let requestedKeys = hosts.map { "credential.\($0.contains("://") ? $0 : "https://\($0)").helper" }
        var changes: [String] = []
        for (key, values) in helpers.sorted(by: { $0.key < $1.key }) where hosts.isEmpty || requestedKeys.contains(key)
        {
            guard let index = values.firstIndex(where: GitHelper.isFromAuthctl) else { continue }
            let former = try await gitHelpers(GitHelper.former(key))
            if try !removeSection(key, values[index]) {
                // The empty line before it was added with it. Lines that the user added later stay.
                let start = index > 0 && values[index - 1].isEmpty ? index - 1 : index
                try await gitConfig(["--unset-all", key])
                for value in former + values[..<start] + values[(index + 1)...] {
                    try await gitConfig(["--add", key, value])
                }
            }
            if !former.isEmpty { try await gitConfig(["--unset-all", GitHelper.former(key)]) }
            changes.append("git config --global: \(key) is no longer \(values[index])")
            changes += former.filter { !$0.isEmpty }.map { "git config --global: \(key) = \($0)" }
        }
        return changes
    }

    /// Removes the lines that `git` appended, with the head of the section if nothing else is in it.
    private func removeSection(_ key: String, _ helper: String) throws -> Bool {
        var file = try ConfigLines(try gitFile())
        let root = String(key.dropFirst("credential.".count).dropLast(".helper".count))
        let section = GitHelper.section(root, helper).map { Array($0.utf8) }
        let start = file.lines.indices.first { file.lines[$0...].starts(with: section) }
        guard let start else { return false }
        let end = start + section.count
        let next = file.lines[end...].first { !$0.isEmpty }
        let isWhole = next == nil || next?.first == UInt8(ascii: "[")
        file.remove(isWhole ? start..<end : (start + 1)..<end)
        try file.save()
        return true
    }

    func removeDocker(hosts: [String], directory: String?) throws -> [String] {
        var file = try DockerConfiguration(context.environment)
        var left = file.helpers.members.map(\.name).filter { file.helpers[$0] == "authctl" }
        // If nothing is to be restored, it may be in a directory that cannot be searched.
        let program = left.isEmpty && directory == nil ? try? dockerProgram(nil) : try dockerProgram(directory)
        let former = program.map { DockerHelper.former(in: $0.bytes) } ?? [:]
        var changes: [String] = []
        for registry in left where hosts.isEmpty || hosts.contains(registry) {
            file.set(registry, former[registry])
            left.removeAll { $0 == registry }
            changes.append("\(file.path): credHelpers.\(registry) \(former[registry].map { "= \($0)" } ?? "is gone")")
        }
        if !changes.isEmpty { try file.save() }
        if let program, left.isEmpty {
            try ToolFile.remove(program.path)
            changes.append("\(program.path): removed")
        }
        return changes
    }

    /// Our program, which says what was configured before. Like a shell, skips directories that cannot be searched; but if it
    /// is nowhere else, it may be in one of them.
    private func dockerProgram(_ directory: String?) throws -> (path: String, bytes: [UInt8])? {
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

    func removeAWS(profile: String) throws -> [String] {
        let path = awsFile
        let section = ToolSetup.awsSection(profile)
        var file = try ConfigLines(path)
        guard let start = file.lines.indices.first(where: { ToolSetup.isAWSSection(file.text($0), section) }) else {
            return []
        }
        let end = file.lines[(start + 1)...].firstIndex { $0.first == UInt8(ascii: "[") } ?? file.lines.endIndex
        let index = (start..<end).first {
            file.text($0).hasPrefix("credential_process") && file.text($0).contains("authctl credential aws")
        }
        guard let index else { throw CommandError(.toolNotSetUp, "'\(path)': \(section) was not created by authctl") }
        // Settings that the user added to the section stay, with its header. The empty line before the header was added
        // with it.
        let isWhole = index == start + 1 && file.lines[(index + 1)..<end].allSatisfy(\.isEmpty)
        let head = start > 0 && file.lines[start - 1].isEmpty ? start - 1 : start
        file.remove(isWhole ? head..<(index + 1) : index..<(index + 1))
        try file.save()
        return ["\(path): \(section) credential_process was removed"]
    }
}
