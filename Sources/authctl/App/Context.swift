import AuthCore

/// The environment of a command: its options, this machine, and the profile. Everything is opened on first use, so that
/// `token` only opens what it requires.
struct Context: Sendable {
    private var host: MachineHost
    private(set) var profile: Profile
    let remembered = RememberedAccountChoice()
    /// What the commands print as JSON. The entry point knows them all.
    var outputs: @Sendable () -> [String: [any Outlined]] = { [:] }

    var settings: Settings { host.settings }
    var output: Output { host.output }
    var environment: Environment { host.environment }
    var configDirectory: ConfigDirectory { profile.configDirectory }
    var clock: Clock { profile.clock }
    var canPrompt: Bool { !isUnattended && !output.isJSON && Prompt.canPrompt }

    init(
        settings: Settings, output: Output, environment: Environment = Process.environment, clock: Clock = .system
    ) throws {
        host = MachineHost(environment: environment, settings: settings, output: output, clock: clock)
        let path = try ConfigPath.of(settings.configDir, environment)
        let directory = ConfigDirectory(path: path) { output.note($0) }
        let name: String
        do {
            name = try Context.profileName(settings.profile, environment: environment, in: directory)
        } catch  where settings.reportsProblems {
            name = Profile.defaultName
        }
        profile = Profile(name, in: directory, host: host)
    }

    /// A command to paste, for the profile and the directory of this call.
    func text(of command: ShellCommand) -> String { command.repeating(settings.repeatedOptions).text }

    func reopened() -> Context { reopened { $0.isTerminalTaken = true } }

    func reopened(_ change: (inout Settings) -> Void) -> Context {
        var context = self
        change(&context.host.settings)
        context.profile = profile.reopened(on: context.host)
        return context
    }

    /// The profile that an option, the environment or `profile use` names.
    static func profileName(
        _ given: String?, environment: Environment, in directory: ConfigDirectory
    ) throws -> String {
        if let given { return try profileName(given) }
        if let name = environment["AUTHCTL_PROFILE"] {
            guard isProfileName(name) else {
                throw CommandError(
                    .invalidConfiguration, "AUTHCTL_PROFILE is '\(shown: name)', which is not the name of a profile",
                    hint: .run("unset AUTHCTL_PROFILE"), isComplete: true)
            }
            return name
        }
        guard let name = try ProfileChoice.load(from: directory), !name.isEmpty else { return Profile.defaultName }
        guard isProfileName(name) else {
            let path = directory.path(of: ProfileChoice.name)
            throw CommandError(
                .invalidConfiguration, "'\(shown: path)' contains '\(shown: name)', which is not the name of a profile",
                hint: "to use the default profile: \(run: "mv \(path) \(path + ".old")")", isComplete: true)
        }
        return name
    }

    static func profileName(_ name: String) throws -> String {
        try require(isProfileName(name), "a profile name has 1 to 64 letters, digits, '-', '_' and '.'")
        return name
    }

    /// Whether a profile name is valid. It must not be a path.
    private static func isProfileName(_ name: String) -> Bool {
        name.hasOnlyLettersAndDigits(or: "-._") && (1...64).contains(name.utf8.count) && !name.hasPrefix(".")
    }

    /// Reads the one-time code of `--totp-stdin` before the first factor, which may be valid only once, is used.
    func readOneTimeCodeAhead() throws {
        if settings.readsOneTimeCode, !Prompt.isTerminal { try host.oneTimeCodes.readAhead() }
    }

    /// The environment for child processes, without authctl's variables for secrets, and without those that `config.yaml`
    /// names for client secrets.
    var environmentOfPrograms: Environment {
        let named = (try? profile.secretVariables()) ?? []
        return Child.environment(from: environment).without(named.contains)
    }

    var isUnattended: Bool { settings.isUnattended(environment) }

    /// Asks a yes-or-no question; false without a user at a terminal. If the user declines, the command is canceled.
    func agrees(_ question: String) throws -> Bool {
        guard !isUnattended, Prompt.canPrompt else { return false }
        guard try output.decide(question, enterIsYes: false) == true else { throw CancellationError() }
        return true
    }

    /// Creates the store. On the user's own desktop, an unlocked keyring has the key of a new one.
    func createStore() async throws {
        let isNew = try profile.store(creating: false) == nil
        guard let store = try profile.store(creating: true), isNew, canPrompt, environment["SSH_CONNECTION"] == nil,
            environment.place != .container
        else { return }
        switch profile.keyringState() {
        // If it fails, the key is in a file.
        case .open, .missing: _ = try? await store.moveKey(to: .keyring)
        case .locked, .unavailable: break
        }
    }

    var screen: Screen { .standardOutput(environment) }

    func show(_ value: @autoclosure () -> JSONValue, _ lines: (Screen) -> [[Cell]]) throws(FieldMissing) {
        let screen = self.screen
        try output.show(value(), on: screen) { lines(screen) }
    }

    var proxies: [String] { ProxyRules.variables.filter { environment[$0] != nil } }

    /// The configured providers, without those that were added for a resource, unless there is no other.
    func ownProviderIDs() throws -> [String] {
        let all = try profile.providerIDs()
        let own = all.filter { (try? profile.find($0)?.configuration)?.addedForResource == nil }
        return own.isEmpty ? all : own
    }

    /// The provider of a command: the named one, or the only configured one.
    func providerID(_ given: String?) throws -> String {
        if let given { return try (try? HTTPURL(given)).flatMap(providerID(at:)) ?? named(given) }
        let ids = try ownProviderIDs()
        guard let only = ids.first else {
            if let problem = try profile.systemConfiguration().problems.first { throw problem }
            guard try profile.projectSettings() == nil else {
                let names = Dialect.builtIn.map(\.id) + ProjectSignInProvider.byAddress
                if !isUnattended, let chosen = try output.choose("Which provider?", among: names) { return chosen }
                throw UsageProblem.other(
                    "choose one of the project's providers, for example google.com", hint: "add --provider google.com")
            }
            throw NoProviderConfigured()
        }
        guard ids.count == 1 else {
            if !isUnattended, let chosen = try output.choose("Which provider?", among: ids) { return chosen }
            throw UsageProblem.other(
                "several providers are configured: choose one with --provider (\(ids.joined(separator: ", ")))",
                hint: "add --provider \(ids[0])")
        }
        return only
    }
}

extension SecretInput {
    static func read(_ source: String, prompt question: String, in context: Context) throws -> String {
        guard source == "-" else { return try file(source) }
        guard Prompt.isTerminal else {
            // The next line is the one-time code.
            if context.settings.readsOneTimeCode { return try line() }
            return try text(of: 0, "standard input")
        }
        guard !context.isUnattended else { throw SignInError.interactionRequired }
        switch Prompt.hiddenLine(question) {
        case .text(let typed): return typed
        case .ended: throw CancellationError()
        default: throw InputProblem(what: "standard input", reason: "it is empty")
        }
    }
}
