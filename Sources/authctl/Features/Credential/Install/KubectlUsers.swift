import AuthCore

/// The users in kubectl's configuration files.
enum KubectlUsers {
    /// The initial content of a file that authctl creates. If nothing else is left, `uninstall` removes the file.
    private static let made = ToolFile.made + Array("apiVersion: v1\nkind: Config\n".utf8)

    static func files(_ environment: Environment) throws -> [ToolEntries] {
        let listed = environment["KUBECONFIG"]?.split(separator: ":").map(String.init) ?? []
        return try (listed.isEmpty ? ["\(environment.home)/.kube/config"] : listed).map { path in
            try ToolEntries(path, made: made) { try YAMLMembers($0, key: "users", isList: true) }
        }
    }

    /// Finds the file as kubectl does: the first one in KUBECONFIG that has the user, else the first that exists, else the
    /// last one.
    static func file(of name: String, _ environment: Environment) throws -> ToolEntries {
        let files = try files(environment)
        return files.first { $0.entries[name] != nil } ?? files.first { !$0.isNew } ?? files[files.count - 1]
    }

    static func exec(_ user: JSONValue) -> JSONObject? { user.object?["user"]?.object?["exec"]?.object }

    /// authctl's command, if it created the user.
    static func command(_ user: JSONValue) -> HelperCommand? {
        guard let exec = exec(user), let program = exec["command"]?.string else { return nil }
        return HelperCommand("kubectl", [program] + (exec["args"]?.strings ?? []))
    }
}

extension ToolSetup {
    func kubectl(user name: String) async throws -> [String] {
        let id = try context.providerID(provider)
        let words = command(["kubectl"], ["--provider": id])
        let version = try await kubectlProtocol()
        var file = try KubectlUsers.file(of: name, context.environment)
        let known = file.entries[name]
        let old = known.flatMap(KubectlUsers.command)
        guard known == nil || old != nil else {
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
        // kubectl adds members when it rewrites the file.
        let former = known.flatMap(KubectlUsers.exec)
        guard exec.members.contains(where: { former?[$0.name] != $0.value }) else { return [] }
        try file.set(name, to: ["name": .string(name), "user": ["exec": .object(exec)]])
        try file.save()
        let hasContext = try await output(["kubectl", "config", "current-context"]).isSuccess
        let context = hasContext ? "--current" : "CONTEXT --cluster=CLUSTER"
        return ["\(file.path): user '\(name)' runs \(Shell.words(words)) (\(version))"]
            + ToolSetup.replaced(old, by: words)
            + ["use it: kubectl config set-context \(context) --user=\(Shell.word(name))"]
    }

    func removeKubectl(user name: String) throws -> [String] {
        var file = try KubectlUsers.file(of: name, context.environment)
        guard let known = file.entries[name] else { return [] }
        guard KubectlUsers.command(known) != nil else { throw ToolSetup.notCreated("kubectl's user '\(name)'") }
        try file.set(name, to: nil)
        try file.save()
        return ["\(file.path): user '\(name)' was removed"]
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
