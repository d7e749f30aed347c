import AuthCore
import Glibc

extension ToolSetup {
    func removeGit(hosts: [String]) async throws -> [String] {
        let listed = try await output(["git", "config", "--global", "-z", "--get-regexp", #"^credential\..*\.helper$"#])
        var helpers: [String: [String]] = [:]
        for entry in listed.output.split(separator: 0) {
            let parts = entry.split(separator: 10, maxSplits: 1, omittingEmptySubsequences: false)
            let key = String(decoding: parts[0], as: UTF8.self)
            helpers[key, default: []].append(parts.count == 2 ? String(decoding: parts[1], as: UTF8.self) : "")
        }
        let wanted = hosts.map { "credential.\($0.contains("://") ? $0 : "https://\($0)").helper" }
        var changes: [String] = []
        for (key, values) in helpers.sorted(by: { $0.key < $1.key }) where hosts.isEmpty || wanted.contains(key) {
            guard let ours = values.firstIndex(where: GitHelper.isOurs) else { continue }
            // The empty one before it came with it. What somebody put there since then stays.
            let start = ours > 0 && values[ours - 1].isEmpty ? ours - 1 : ours
            let former = try await output(["git", "config", "--global", "-z", "--get-all", GitHelper.former(key)])
                .output
                .split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
            try await gitConfig(["--unset-all", key])
            for value in former + values[..<start] + values[(ours + 1)...] {
                try await gitConfig(["--add", key, value])
            }
            if !former.isEmpty { try await gitConfig(["--unset-all", GitHelper.former(key)]) }
            changes.append("git config --global: \(key) is no longer \(values[ours])")
            changes += former.map { "git config --global: \(key) = \($0)" }
        }
        return changes
    }

    func removeDocker(hosts: [String], directory: String?) throws -> [String] {
        let file = DockerConfiguration(context.environment)
        var settings = try file.read()
        var helpers = settings["credHelpers"]?.object ?? JSONObject()
        let path = try programs(directory).map { "\($0)/\(DockerHelper.program)" }.first {
            (try? SecretInput.bytes($0)).map(DockerHelper.isOurs) == true
        }
        let former = try path.map { DockerHelper.former(in: try SecretInput.bytes($0)) } ?? [:]
        var changes: [String] = []
        for registry in helpers.members.map(\.name)
        where helpers[registry] == "authctl" && (hosts.isEmpty || hosts.contains(registry)) {
            helpers[registry] = former[registry].map { .string($0) }
            changes.append("\(file.path): credHelpers.\(registry) \(former[registry].map { "= \($0)" } ?? "is gone")")
        }
        if !changes.isEmpty {
            settings["credHelpers"] = helpers.members.isEmpty ? nil : .object(helpers)
            if settings.members.isEmpty {
                unlink(file.path)
            } else {
                try ToolFile.replace(file.path, Array((JSONValue.object(settings).text + "\n").utf8), mode: 0o600)
            }
        }
        if let path, !helpers.members.contains(where: { $0.value == "authctl" }) {
            guard unlink(path) == 0 else { throw StoreError.system(operation: "remove", path: path, code: errno) }
            changes.append("\(path): removed")
        }
        return changes
    }

    /// Where our program for docker may stand.
    private func programs(_ directory: String?) throws -> [String] {
        if let directory { return [directory] }
        return (context.environment["PATH"] ?? "").split(separator: ":").map(String.init)
    }

    func removeKubectl(user: String) async throws -> [String] {
        guard let existing = try await kubectlUser(user) else { return [] }
        guard KubectlUser.isOurs(existing) else { throw ToolProblem("kubectl's user '\(user)' is not ours") }
        let result = try await output(["kubectl", "config", "delete-user", user])
        guard result.isSuccess else {
            throw ToolProblem("kubectl: \(ServerText(String(decoding: result.errors, as: UTF8.self)))")
        }
        return ["kubectl config: user '\(user)' is gone"]
    }

    func removeAWS(profile: String) throws -> [String] {
        let path = awsFile
        guard access(path, F_OK) == 0 else { return [] }
        let section = ToolSetup.awsSection(profile)
        var lines = String(decoding: try SecretInput.bytes(path), as: UTF8.self).split(
            separator: "\n", omittingEmptySubsequences: false)
        guard let start = lines.firstIndex(where: { $0.filter { $0 != " " } == section.filter { $0 != " " } }) else {
            return []
        }
        let end = lines[(start + 1)...].firstIndex { $0.hasPrefix("[") } ?? lines.endIndex
        let ours = lines[start..<end].firstIndex {
            $0.hasPrefix("credential_process") && $0.contains("authctl credential aws")
        }
        guard let ours else { throw ToolProblem("'\(path)': \(section) is not ours") }
        lines.remove(at: ours)
        // What somebody added to the section stays, and its head with it.
        if lines[(start + 1)..<(end - 1)].allSatisfy(\.isEmpty) {
            lines.remove(at: start)
            if start > 0, lines[start - 1].isEmpty { lines.remove(at: start - 1) }
        }
        let left = lines.joined(separator: "\n")
        if left.allSatisfy(\.isWhitespace) {
            guard unlink(path) == 0 else { throw StoreError.system(operation: "remove", path: path, code: errno) }
        } else {
            try ToolFile.replace(path, Array(left.utf8), mode: 0o600)
        }
        return ["\(path): \(section) credential_process is gone"]
    }
}
