import AuthCore

/// A user in one of kubectl's configuration files.
struct KubectlUser {
    /// The initial content of a file that authctl creates. If nothing else is left, `uninstall` removes the file.
    private static let made = Array("# Made by authctl.\napiVersion: v1\nkind: Config\n".utf8)

    let name: String
    let path: String
    private var users: YAMLList
    private var index: Int?

}

extension KubectlUser {
    /// Finds the file as kubectl does: the first one in KUBECONFIG that has the user, else the first that exists, else the
    /// last one.
    init(_ name: String, _ environment: Environment) throws {
        let paths = KubectlUser.paths(environment)
        let files = try KubectlUser.files(paths)
        let found = files.first { KubectlUser.index(name, $0.users) != nil } ?? files.first
        let path = found?.path ?? paths[paths.count - 1]
        let users = try found?.users ?? KubectlUser.users(in: path, KubectlUser.made)
        self.init(name: name, path: path, users: users, index: KubectlUser.index(name, users))
    }

    /// The users that authctl created, in all files.
    static func installed(_ environment: Environment) throws -> [KubectlUser] {
        try files(paths(environment)).flatMap { path, users in
            users.items.enumerated().compactMap { index, item in
                guard let name = item.object?["name"]?.string else { return nil }
                let user = KubectlUser(name: name, path: path, users: users, index: index)
                return user.command == nil ? nil : user
            }
        }
    }

    private static func paths(_ environment: Environment) -> [String] {
        let listed = environment["KUBECONFIG"]?.split(separator: ":").map(String.init) ?? []
        return listed.isEmpty ? ["\(environment.home)/.kube/config"] : listed
    }

    private static func files(_ paths: [String]) throws -> [(path: String, users: YAMLList)] {
        try paths.compactMap { path in try ToolFile.read(path).map { (path: path, users: try users(in: path, $0)) } }
    }

    private static func users(in path: String, _ bytes: [UInt8]) throws -> YAMLList {
        do throws(YAMLProblem) { return try YAMLList(bytes, key: "users") } catch {
            throw ToolFile.problem(error, path)
        }
    }

    private static func index(_ name: String, _ users: YAMLList) -> Int? {
        users.items.firstIndex { $0.object?["name"] == .string(name) }
    }

    private var exec: JSONObject? { index.flatMap { users.items[$0].object?["user"]?.object?["exec"]?.object } }

    var exists: Bool { index != nil }
    var command: HelperCommand? {
        guard let program = exec?["command"]?.string else { return nil }
        return HelperCommand("kubectl", [program] + (exec?["args"]?.strings ?? []))
    }

    /// Returns whether the file was changed.
    mutating func set(_ exec: JSONObject) throws -> Bool {
        // kubectl adds members when it rewrites the file.
        guard exec.members.contains(where: { self.exec?[$0.name] != $0.value }) else { return false }
        let user: JSONValue = ["name": .string(name), "user": ["exec": .object(exec)]]
        let known = index
        try change { users throws(YAMLProblem) in
            if let known { try users.remove(at: known) }
            try users.append(user)
        }
        return true
    }

    mutating func remove() throws {
        guard let index else { return }
        try change { users throws(YAMLProblem) in try users.remove(at: index) }
    }

    private mutating func change(_ body: (inout YAMLList) throws(YAMLProblem) -> Void) throws {
        do throws(YAMLProblem) { try body(&users) } catch { throw ToolFile.problem(error, path) }
        index = KubectlUser.index(name, users)
        try ToolFile.replace(path, users.bytes == KubectlUser.made ? nil : users.bytes)
    }
}

extension ToolSetup {
    func kubectl(user name: String) async throws -> [String] {
        let id = try context.providerID(provider)
        try context.requireIDTokens(of: id)
        let words = command(["credential", "kubectl", "--provider", id])
        let version = try await kubectlProtocol()
        var user = try KubectlUser(name, context.environment)
        guard !user.exists || user.command != nil else {
            throw CommandError(
                .toolNotSetUp, "kubectl has a user '\(name)' already, which was not created by authctl",
                hint: "choose another name with --name")
        }
        var exec: JSONObject = [
            "apiVersion": .string(version), "command": .string(words[0]), "args": JSONValue(Array(words.dropFirst())),
        ]
        if version == KubernetesCredential.versions[0] {
            exec["interactiveMode"] = "IfAvailable"
        } else {
            let info = JSONValue.string(KubernetesCredential.info(version).text)
            exec["env"] = [["name": .string(KubernetesCredential.variable), "value": info]]
        }
        let old = user.command
        guard try user.set(exec) else { return [] }
        return ["\(user.path): user '\(name)' runs \(Shell.words(words)) (\(version))"]
            + ToolSetup.replaced(old, by: words)
            + ["use it: kubectl config set-context --current --user=\(Shell.word(name))"]
    }

    func removeKubectl(user name: String) throws -> [String] {
        var user = try KubectlUser(name, context.environment)
        guard user.exists else { return [] }
        guard user.command != nil else { throw CommandError.notCreated("kubectl's user '\(name)'") }
        try user.remove()
        return ["\(user.path): user '\(name)' was removed"]
    }

    /// The version of the plugin protocol. v1 tells the plugin whether it may prompt the user. kubectl before 1.22 only
    /// supports v1beta1.
    private func kubectlProtocol() async throws -> String {
        let result = try await output(["kubectl", "version", "--client", "-o", "json"])
        guard result.isSuccess else { throw result.problem("kubectl") }
        let client = try? StrictJSON.object(result.output)["clientVersion"]?.object
        let minor = client?["minor"]?.string.flatMap { Int($0.prefix { ("0"..."9").contains($0) }) }
        return KubernetesCredential.versions[(minor ?? .max) < 22 ? 1 : 0]
    }
}
