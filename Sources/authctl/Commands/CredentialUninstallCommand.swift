import ArgumentParser
import AuthCore
import Glibc

extension CredentialCommand {
    struct Uninstall: Command {
        static let configuration = CommandConfiguration(
            commandName: "uninstall", abstract: "Take back what install changed for another tool, and nothing else.",
            discussion: """
                git and docker get back what a host had before. What somebody changed since then stays.
                """)

        @Argument(help: "The tool: git, docker, kubectl or aws.")
        var tool: Install.Tool

        @OptionGroup var options: GlobalOptions

        @Option(
            help: ArgumentHelp(
                "For this host alone (git, docker); repeatable. All that were set up unless given.", valueName: "host"))
        var host: [String] = []

        @Option(
            help: ArgumentHelp("Where the program is (docker): as install was told.", valueName: "dir"),
            completion: .directory)
        var binDir: String?

        @Option(help: ArgumentHelp("The name of the user (kubectl) or of the profile (aws).", valueName: "name"))
        var name = "authctl"

        var task: Undertaking { Undertaking("not taken back", again: "authctl credential uninstall \(tool.rawValue)") }

        func run(_ context: Context) async throws {
            let setup = ToolSetup(context: context, provider: nil)
            let changes: [String]
            switch tool {
            case .git: changes = try await setup.removeGit(hosts: host)
            case .docker: changes = try setup.removeDocker(hosts: host, directory: binDir)
            case .kubectl: changes = try await setup.removeKubectl(user: name)
            case .aws: changes = try setup.removeAWS(profile: name)
            case .netrc: throw UsageProblem("nothing is ever installed for netrc")
            }
            context.output.result(["tool": .string(tool.rawValue), "changed": JSONValue(changes)]) {
                changes.isEmpty ? ["nothing to take back: it is not set up"] : changes
            }
        }
    }
}

/// Our helper in git's settings.
enum GitHelper {
    static func isOurs(_ helper: String) -> Bool { helper.hasPrefix("!") && helper.contains("authctl credential git") }

    /// The setting that keeps what stood at a key before: `credential.URL.helper` becomes `credential.URL.authctlformer`.
    static func former(_ key: String) -> String { String(key.dropLast("helper".count)) + "authctlformer" }
}

/// Our program for docker.
enum DockerHelper {
    static let program = "docker-credential-authctl"
    static let mark = "# Made by authctl credential install docker."
    private static let note = "# before: "

    /// The lines that say what registries had before: new ones, and those that the file says already.
    static func notes(_ former: [(registry: String, helper: String)], keeping file: [UInt8]) -> String {
        var kept = DockerHelper.former(in: file)
        for (registry, helper) in former { kept[registry] = helper }
        return kept.sorted { $0.key < $1.key }.map { "\(note)\($0.key) \($0.value)\n" }.joined()
    }

    static func former(in file: [UInt8]) -> [String: String] {
        var found: [String: String] = [:]
        for line in String(decoding: file, as: UTF8.self).split(separator: "\n") where line.hasPrefix(note) {
            let words = line.dropFirst(note.count).split(separator: " ")
            if words.count == 2 { found[String(words[0])] = String(words[1]) }
        }
        return found
    }

    static func isOurs(_ file: [UInt8]) -> Bool {
        String(decoding: file, as: UTF8.self).split(separator: "\n").dropFirst().first == mark[...]
    }
}

/// Our user in kubectl's settings.
enum KubectlUser {
    static func isOurs(_ user: JSONObject) -> Bool {
        let words = user["exec"]?.object?["args"]?.strings ?? []
        return words.starts(with: ["credential", "kubectl"])
    }
}

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
