import AuthCore
import Glibc

/// Changes other tools' settings, and returns descriptions of the changes.
struct ToolSetup {
    let context: Context
    var provider: String?

    /// The options of this call that were given as flags or variables. The other tool may run in another directory and
    /// without these variables.
    private var options: [String] {
        let directory = context.settings.configDir ?? context.environment["AUTHCTL_CONFIG_DIR"]
        let profile = context.settings.profile ?? context.environment["AUTHCTL_PROFILE"]
        let options: GivenOptions = [
            "--config-dir": directory.map { _ in context.configDirectory.path },
            "--profile": profile.map { _ in context.profile.name }, "--account": context.namedAccount?.account,
        ]
        return options.words
    }

    var ownDirectory: String? { options.value(of: "--config-dir") }

    func command(_ words: [String], _ own: GivenOptions = [:]) -> [String] {
        [Process.path, "credential"] + words + own.words + options
    }

    /// Names the entry that a change has replaced, if its token can be another one.
    static func replaced(_ old: HelperCommand?, by new: [String]) -> [String] {
        guard let old, old.options != Array(new.dropFirst(3)) else { return [] }
        return ["this replaced: \(Shell.words(old.words))"]
    }

    /// What `credential uninstall` should remove, and another program or the user added.
    static func notCreated(_ what: String) -> CommandError {
        CommandError(
            .toolNotSetUp, "\(what) was not created by authctl",
            hint: "to list what authctl added: \(run: "authctl use")")
    }

    private func origins(_ hosts: [String], _ use: Provider.TokenUse) async throws -> [HTTPURL] {
        guard !hosts.isEmpty else { return try await ownOrigins(use) }
        var origins: [HTTPURL] = []
        for host in hosts {
            let url = try HTTPURL(server: host, of: "--host")
            guard try await !context.profile.providers(for: url, use, named: provider).isEmpty else {
                throw context.unknownHost(host, in: url, of: provider)
            }
            origins.append(url)
        }
        return origins
    }

    private func ownOrigins(_ use: Provider.TokenUse) async throws -> [HTTPURL] {
        let tokenProviders = Set(
            try await signedIn().flatMap(\.sessions).filter(\.source.isPersonal).map(\.providerID)
        ).sorted()
        // A personal token requires no configuration of its provider.
        let ids = try context.profile.providerIDs() + tokenProviders.filter { try context.profile.find($0) == nil }
        let entries = try (provider.map { [$0] } ?? ids).map { try context.profile.resolve($0).provider() }
        let own = try entries.flatMap { entry in
            let known = Provider.isBuiltIn(entry.id) || entry.preset == .gitlab ? entry.ownHosts(for: use) : []
            return try (known + entry.apiHosts).map { try HTTPURL($0.withDefaultScheme) }
        }
        guard !own.isEmpty else {
            if let provider {
                throw CommandError(
                    .invalidConfiguration, "the settings of '\(shown: provider)' name no host for its tokens",
                    hint: "to allow one: \(run: "authctl providers set \(provider) --api-host HOST")")
            }
            throw CommandError(
                .invalidConfiguration,
                "no configured provider has a host for it: sign in first, or name the host with --host",
                hint: .run("authctl signin"))
        }
        return own
    }

    /// Waits until no other process changes tools' files, which it would overwrite. Held until this process ends. Locks
    /// the configuration directory, if it exists, because other users cannot open it.
    func lock() { flock(open(context.configDirectory.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC), LOCK_EX) }

    func output(_ command: [String]) async throws -> Program.Result {
        try await Program(command: command, environment: context.environmentOfPrograms).run()
    }

    // MARK: git

    func git(hosts: [String]) async throws -> [String] {
        try await restoringGitFile {
            let words = command(["git"], ["--provider": provider])
            let helper = "!" + Shell.words(words)
            var changes: [String] = []
            for origin in try await origins(hosts, .git) {
                let key = "credential.\(origin.root).helper"
                let values = try await gitHelpers(key)
                guard values.suffix(2) != ["", helper] else { continue }
                // Replaces a helper that was installed with another path or other options.
                if values.contains(where: { GitHelper.command($0) != nil }) {
                    _ = try await removeGit(hosts: [origin.root])
                }
                let (path, section) = (try gitFile(), GitHelper.section(origin.root, helper))
                let file = try ToolFile.read(path) ?? ToolFile.made
                try ToolFile.replace(path, with: file.applying([.inserting(lines: section, at: file.count, in: file)]))
                guard try await gitHelpers(key).suffix(2) == ["", helper] else {
                    throw CommandError(
                        .toolNotSetUp, "git does not read a section at the end of '\(path)'; nothing was changed",
                        hint: "check the last line of the file, then run the command again")
                }
                changes.append("git config --global: \(key) = \(helper)")
                changes += ToolSetup.replaced(values.lazy.compactMap(GitHelper.command).first, by: words)
            }
            return changes
        }
    }

    /// Restores git's file after an error.
    func restoringGitFile(_ change: () async throws -> [String]) async throws -> [String] {
        let path = try gitFile()
        let before = try ToolFile.read(path)
        do { return try await change() } catch {
            if let now = try? ToolFile.read(path), now != before { try? ToolFile.replace(path, with: before) }
            throw error
        }
    }

    func gitFile() throws -> String {
        let environment = context.environment
        if let file = environment["GIT_CONFIG_GLOBAL"] { return file }
        let own = "\(environment.home)/.gitconfig"
        let shared = "\(environment["XDG_CONFIG_HOME"] ?? "\(environment.home)/.config")/git/config"
        return try !ToolFile.exists(own) && ToolFile.exists(shared) ? shared : own
    }

    func gitHelpers(_ key: String) async throws -> [String] {
        try await gitValues(["--get-all", key]).map { String(decoding: $0, as: UTF8.self) }
    }

    func gitValues(_ words: [String]) async throws -> [ArraySlice<UInt8>] {
        // git only warns about a file that it cannot read, and treats it as empty.
        _ = try ToolFile.read(try gitFile())
        let result = try await output(["git", "config", "--global", "-z"] + words)
        // Exit status 1 means that the setting does not exist. git also fails if the global file is missing.
        guard try result.isSuccess || result.status == 1 << 8 || !ToolFile.exists(gitFile()) else {
            throw result.problem("git config")
        }
        return result.output.split(separator: 0, omittingEmptySubsequences: false).dropLast()
    }

    func gitConfig(_ words: [String]) async throws {
        let result = try await output(["git", "config", "--global"] + words)
        guard result.isSuccess else { throw result.problem("git config") }
    }

    // MARK: docker

    func docker(hosts: [String], directory: String?) async throws -> [String] {
        let registries = try await origins(hosts, .registry).map(\.authority)
        var file = try ToolEntries.docker(context.environment)
        let added = Set(registries).sorted().filter { file.entries[$0] != "authctl" }
        let former = added.compactMap { registry in file.entries[registry]?.string.map { (registry, $0) } }
        if let (registry, helper) = former.first(where: { !DockerHelper.isName($0.1) }) {
            throw CommandError(
                .toolNotSetUp, "'\(file.path)': credHelpers.\(registry) '\(shown: helper)' is not a valid helper name",
                hint: "fix it in this file, then run the command again")
        }
        let others = file.names(of: "authctl").filter { !registries.contains($0) }
        for registry in added { try file.set(registry, to: "authctl") }
        var changes: [String] = []
        let path = try binDirectory(directory) + "/" + DockerHelper.program
        // The former value is stored for `uninstall`, because docker removes unknown fields from its file.
        let known = try ToolFile.read(path)
        let used = known.flatMap(DockerHelper.command)?.options.filter { $0 != "$@" }
        guard used ?? options == options || others.isEmpty else {
            throw CommandError(
                .toolNotSetUp,
                "docker has one program for all hosts, '\(path)', and uses it with other options for \(shown: others)",
                hint: "to remove it first: \(run: "authctl use --remove docker")")
        }
        let script = dockerScript(DockerHelper.notes(former, keeping: known ?? []))
        if known != script {
            try ToolFile.replace(path, with: script, mode: 0o755)
            changes.append("\(path): made")
        }
        if !added.isEmpty {
            do { try file.save() } catch {
                // Removes or restores the program, because docker does not call it.
                try? ToolFile.replace(path, with: known, mode: 0o755)
                throw error
            }
            changes += added.map { "\(file.path): credHelpers.\($0) = authctl" }
        }
        return changes
    }

    private func dockerScript(_ notes: String) -> [UInt8] {
        let program = Shell.words([Process.path, "credential", "docker"])
        let given = options.map { " " + Shell.word($0) }.joined()
        return Array("#!/bin/sh\n\(DockerHelper.mark)\n\(notes)exec \(program) \"$@\"\(given)\n".utf8)
    }

    func binDirectory(_ named: String?) throws -> String {
        if let named {
            let target = try ToolFile.resolved(ConfigDirectory.absolute(named))
            guard context.environment.searchPath.contains(where: { (try? ToolFile.resolved($0)) == target }) else {
                throw UsageProblem.other(
                    "--bin-dir: '\(shown: named)' is not in PATH, where docker looks for programs",
                    hint: "choose a directory of PATH, or add it: \(run: "export PATH=\(target):\"$PATH\"")")
            }
            return named
        }
        let (searched, home) = (context.environment.searchPath, context.environment.home)
        let preferred = ["\(home)/.local/bin", "\(home)/bin"].filter { searched.contains($0) }
        let own = String(Process.path[..<(Process.path.lastIndex(of: "/") ?? Process.path.startIndex)])
        for directory in preferred + (searched.contains(own) ? [own] : []) where FileTrust.mayWrite(directory) {
            return directory
        }
        throw CommandError(
            .toolNotSetUp, "no directory in PATH is writable",
            hint: "create ~/.local/bin and add it to PATH, or choose a directory with --bin-dir")
    }
}

extension ToolEntries {
    /// The helpers of registries in docker's settings.
    static func docker(_ environment: Environment) throws -> ToolEntries {
        let path = (environment["DOCKER_CONFIG"] ?? environment.home + "/.docker") + "/config.json"
        return try ToolEntries(path) { try JSONEntries($0, key: "credHelpers", in: path) }
    }

    func names(of value: JSONValue) -> [String] { entries.members.filter { $0.value == value }.map(\.name) }
}

extension Program.Result {
    func problem(_ tool: String) -> CommandError {
        let text = String(decoding: errors, as: UTF8.self).split(separator: "\n").joined(separator: "; ")
        return CommandError(.toolNotSetUp, "\(tool): \(ServerText(text))")
    }
}

extension Context {
    /// The error for a host for which a tool requested a token.
    func unknownHost(_ host: String, in url: HTTPURL, of provider: String?) -> CommandError {
        guard let owner = profile.owner(of: url)?.id, profile.isMoved(owner, from: url) || owner != provider else {
            return CommandError(
                .operationNotAllowed, "no configured provider allows tokens for '\(shown: host)'",
                hint: .onlyNamedHosts)
        }
        if profile.isMoved(owner, from: url) {
            return CommandError(
                .operationNotAllowed,
                "the host '\(shown: host)' is not allowed, because '\(owner)' is configured with another server",
                hint: .run("authctl providers show \(owner)"))
        }
        let other = provider.map { ", not from '\(shown: $0)'" } ?? ""
        return CommandError(
            .operationNotAllowed, "the host '\(shown: host)' requires a token from the provider '\(owner)'\(other)",
            hint: .signIn(owner))
    }
}
