import AuthCore
import Glibc

/// Changes other tools' settings, and says how.
struct ToolSetup {
    let context: Context
    let provider: String?

    /// This program with what this call was told, by flags or by the environment: the other tool may be called from
    /// another directory, and without our variables.
    private var program: [String] {
        var words = [Process.path]
        func isSet(_ name: String) -> Bool { context.environment[name]?.isEmpty == false }
        if context.settings.configDir != nil || isSet("AUTHCTL_CONFIG_DIR") {
            words += ["--config-dir", context.configDirectory.path]
        }
        if context.settings.profile != nil || isSet("AUTHCTL_PROFILE") { words += ["--profile", context.profile.name] }
        return words
    }

    /// The command as other tools call it: the flags stand behind the command's name.
    func command(_ words: [String]) -> [String] { [program[0]] + words + program.dropFirst() }

    /// The origins to set up: those that were named, each of a provider here; else those the providers have by themselves.
    private func origins(_ hosts: [String], _ use: Provider.TokenUse) async throws -> [HTTPURL] {
        guard !hosts.isEmpty else {
            let entries = try provider.map { [try context.profile.known($0).provider] } ?? context.profile.entries()
            let own = try entries.flatMap { entry in
                let known = Provider.isBuiltIn(entry.id) || entry.preset == .gitlab ? entry.ownHosts(for: use) : []
                return try (known + entry.apiHosts).map { try HTTPURL($0.contains("://") ? $0 : "https://\($0)") }
            }
            guard !own.isEmpty else { throw UsageProblem("say for which host: --host") }
            return own
        }
        var origins: [HTTPURL] = []
        for host in hosts {
            guard let url = try? HTTPURL(host.contains("://") ? host : "https://\(host)"), url.path.isEmpty else {
                throw UsageProblem("--host wants a host such as git.example.com")
            }
            guard try !context.profile.providers(for: url, use, named: provider).isEmpty else {
                throw HostUnknown(host: host, provider: provider, owner: context.profile.owner(of: url))
            }
            origins.append(url)
        }
        return origins
    }

    func output(_ command: [String]) async throws -> Program.Result {
        try await Program(command: command, environment: context.environmentOfPrograms).run()
    }

    // MARK: git

    func git(hosts: [String]) async throws -> [String] {
        let helper = "!" + Shell.words(command(["credential", "git"] + (provider.map { ["--provider", $0] } ?? [])))
        var changes: [String] = []
        for origin in try await origins(hosts, .git) {
            let key = "credential.\(origin.root).helper"
            let before = try await output(["git", "config", "--global", "--get-all", key]).output
            let lines = String(decoding: before, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
                .dropLast().map(String.init)
            // The empty one first: it keeps other helpers from storing the token.
            guard lines != ["", helper] else { continue }
            // What stood there is kept beside it, for `uninstall`; git passes over names that it does not know.
            let former = lines.contains(where: GitHelper.isOurs) ? [] : lines
            for words in [["--replace-all", key, ""], ["--add", key, helper]]
                + former.map({ ["--add", GitHelper.former(key), $0] })
            {
                try await gitConfig(words)
            }
            changes.append("git config --global: \(key) = \(helper)")
            for line in lines where !line.isEmpty && line != helper {
                changes.append("git config --global: \(key) was \(line)")
            }
        }
        return changes
    }

    @discardableResult
    func gitConfig(_ words: [String]) async throws -> Program.Result {
        let result = try await output(["git", "config", "--global"] + words)
        guard result.isSuccess else {
            throw ToolProblem("git config: \(ServerText(String(decoding: result.errors, as: UTF8.self)))")
        }
        return result
    }

    // MARK: docker

    func docker(hosts: [String], directory: String?) async throws -> [String] {
        let registries = try await origins(hosts, .registry).map(\.authority)
        let file = DockerConfiguration(context.environment)
        let (content, added, former) = try file.adding(registries)
        var changes: [String] = []
        let path = try binDirectory(directory) + "/" + DockerHelper.program
        // What stood there is kept here, for `uninstall`: docker drops what it does not know from its own file.
        let notes = DockerHelper.notes(former, keeping: (try? SecretInput.bytes(path)) ?? [])
        let script =
            "#!/bin/sh\n\(DockerHelper.mark)\n\(notes)exec \(Shell.words([Process.path, "credential", "docker"])) \"$@\"\(program.count > 1 ? " " + Shell.words(Array(program.dropFirst())) : "")\n"
        if (try? SecretInput.bytes(path)) != Array(script.utf8) {
            try ToolFile.replace(path, Array(script.utf8), mode: 0o755)
            changes.append("\(path): made")
        }
        if !added.isEmpty {
            try ToolFile.replace(file.path, content, mode: 0o600)
            changes += added.map { "\(file.path): credHelpers.\($0) = authctl" }
        }
        return changes
    }

    /// A directory that docker will find the program in.
    func binDirectory(_ named: String?) throws -> String {
        if let named { return named }
        let searched = (context.environment["PATH"] ?? "").split(separator: ":").map(String.init)
        let home = context.environment["HOME"] ?? ""
        let wanted = ["\(home)/.local/bin", "\(home)/bin"].filter { searched.contains($0) }
        let own = String(Process.path[..<(Process.path.lastIndex(of: "/") ?? Process.path.startIndex)])
        for directory in wanted + (searched.contains(own) ? [own] : []) where access(directory, W_OK) == 0 {
            return directory
        }
        throw ToolProblem(
            "no directory of PATH can be written to",
            hint: "make ~/.local/bin and put it there, or name another with --bin-dir")
    }

    // MARK: kubectl

    func kubectl(user: String) async throws -> [String] {
        let id = try context.providerID(provider)
        let words = command(["credential", "kubectl", "--provider", id])
        if let existing = try await kubectlUser(user), !KubectlUser.isOurs(existing) {
            throw ToolProblem(
                "kubectl has a user '\(user)' already, which is not ours", hint: "choose another name with --name")
        }
        func arguments(_ version: String, _ more: [String]) -> [String] {
            [
                "kubectl", "config", "set-credentials", user, "--exec-api-version=\(version)",
                "--exec-command=\(words[0])",
            ]
                + words.dropFirst().map { "--exec-arg=\($0)" } + more
        }
        // Version 1 wants to be told whether a person may be asked, which older kubectl cannot say.
        var result = try await output(
            arguments(KubernetesCredential.versions[0], ["--exec-interactive-mode=IfAvailable"]))
        var version = KubernetesCredential.versions[0]
        if !result.isSuccess {
            version = KubernetesCredential.versions[1]
            result = try await output(arguments(version, []))
        }
        guard result.isSuccess else {
            throw ToolProblem("kubectl: \(ServerText(String(decoding: result.errors, as: UTF8.self)))")
        }
        return [
            "kubectl config: user '\(user)' runs \(Shell.words(words)) (\(version))",
            "use it: kubectl config set-context --current --user=\(Shell.word(user))",
        ]
    }

    /// What kubectl's settings say of a user; nil where there is none of that name.
    func kubectlUser(_ name: String) async throws -> JSONObject? {
        let result = try await output(["kubectl", "config", "view", "--raw", "-o", "json"])
        guard result.isSuccess, let settings = try? StrictJSON.object(result.output) else { return nil }
        return settings["users"]?.array?.compactMap(\.object).first { $0["name"] == .string(name) }?["user"]?.object
    }

    // MARK: aws

    var awsFile: String {
        context.environment["AWS_CONFIG_FILE"].flatMap { $0.isEmpty ? nil : $0 }
            ?? "\(context.environment["HOME"] ?? "")/.aws/config"
    }

    static func awsSection(_ profile: String) -> String {
        profile == "default" ? "[default]" : "[profile \(profile)]"
    }

    func aws(profile: String, _ role: RoleFlags) throws -> [String] {
        let request = try role.request()
        let path = awsFile
        var words = ["credential", "aws", "--role-arn", request.role]
        if let provider { words += ["--provider", provider] }
        if role.roleSessionName != "authctl" { words += ["--role-session-name", role.roleSessionName] }
        if let duration = role.durationSeconds { words += ["--duration-seconds", String(duration.seconds)] }
        if let region = role.region { words += ["--region", region] }
        if let endpoint = role.stsEndpoint { words += ["--sts-endpoint", endpoint] }
        let process = Shell.words(command(words))
        let isName = profile.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && ![0x5B, 0x5D].contains($0) }
        guard isName else { throw UsageProblem("--name: '\(profile)' is no name of a profile") }
        let section = ToolSetup.awsSection(profile)
        let before = access(path, F_OK) == 0 ? String(decoding: try SecretInput.bytes(path), as: UTF8.self) : ""
        guard
            !before.split(separator: "\n").contains(where: { $0.filter { $0 != " " } == section.filter { $0 != " " } })
        else {
            guard !before.contains("credential_process = \(process)\n") else { return [] }
            throw ToolProblem(
                "'\(path)' has a section \(section) already",
                hint: "choose another profile with --name, or put there: credential_process = \(process)")
        }
        let gap = before.isEmpty || before.hasSuffix("\n\n") ? "" : before.hasSuffix("\n") ? "\n" : "\n\n"
        try ToolFile.replace(
            path, Array((before + gap + "\(section)\ncredential_process = \(process)\n").utf8), mode: 0o600)
        return [
            "\(path): \(section) credential_process = \(process)", "use it: aws --profile \(Shell.word(profile)) …",
        ]
    }
}
