import AuthCore
import Glibc
import Synchronization

/// Everything a command needs from this machine: read here, once, and handed down. Nothing is opened before it is asked
/// for: `token` pays for what it uses.
struct Context: Sendable {
    let settings: Settings
    let output: Output
    let environment: [String: String]
    let profile: String
    let configDirectory: ConfigDirectory
    let clock: Clock
    private let emulatorIsSaid = Once()

    init(
        settings: Settings, output: Output, environment: [String: String] = Process.environment, clock: Clock = .system
    ) throws {
        self.settings = settings
        self.output = output
        self.environment = environment
        self.clock = clock
        let path = try Context.configPath(settings.configDir, environment)
        configDirectory = ConfigDirectory(path: path) { output.note($0) }
        let named = settings.profile ?? environment["AUTHCTL_PROFILE"].flatMap { $0.isEmpty ? nil : $0 }
        profile = try Context.profileName(try named ?? ProfileChoice.load(from: configDirectory))
    }

    /// A name that never becomes a path.
    /// - Throws: `UsageProblem`.
    static func profileName(_ name: String?) throws -> String {
        guard let name, !name.isEmpty else { return "default" }
        let isName = name.utf8.allSatisfy { byte in
            byte.isLetterOrDigit || [0x2D, 0x2E, 0x5F].contains(byte)
        }
        guard isName, name.utf8.count <= 64, !name.hasPrefix(".") else {
            throw UsageProblem("a profile's name has letters, digits, '-', '_' and '.', and at most 64 of them")
        }
        return name
    }

    private static func configPath(_ flag: String?, _ environment: [String: String]) throws -> String {
        if let flag = flag ?? environment["AUTHCTL_CONFIG_DIR"], !flag.isEmpty {
            return flag.hasPrefix("/") ? flag : currentDirectory() + "/" + flag
        }
        // A relative XDG path is to be ignored (XDG Base Directory Specification).
        if let xdg = environment["XDG_CONFIG_HOME"], xdg.hasPrefix("/") { return xdg + "/authctl" }
        if let home = environment["HOME"], home.hasPrefix("/") { return home + "/.config/authctl" }
        guard let entry = getpwuid(geteuid()), let directory = entry.pointee.pw_dir else {
            throw ConfigurationProblem("this user has no home directory", hint: "set AUTHCTL_CONFIG_DIR")
        }
        return String(cString: directory) + "/.config/authctl"
    }

    private static func currentDirectory() -> String {
        guard let path = getcwd(nil, 0) else { return "." }
        defer { free(path) }
        return String(cString: path)
    }

    /// The environment for programs that are started: without the client secrets that `config.yaml` says are in it.
    var environmentOfPrograms: [String: String] {
        guard let named = try? configuration().secretVariables, !named.isEmpty else { return environment }
        return environment.filter { !named.contains($0.key) }
    }

    /// The account this call acts for; nil for the current one.
    var account: String? { settings.account ?? environment["AUTHCTL_ACCOUNT"].flatMap { $0.isEmpty ? nil : $0 } }

    /// True when nobody may be asked and no browser opened.
    var isUnattended: Bool { settings.noInput || environment["CI"].map { !$0.isEmpty && $0 != "false" } == true }

    // MARK: The store

    func store(creating: Bool) throws -> Store? {
        try Store.open(in: configDirectory, vault: KeyFileVault(directory: configDirectory), creating: creating)
    }

    func configuration() throws -> ConfigFile { try ConfigFile(in: configDirectory) }

    /// The account directory of the profile: local, or a Firebase project. Says so where nobody signs what it hands out.
    func directory(_ store: Store) throws -> any AccountDirectory {
        let file = try configuration()
        let local = LocalDirectory(
            store: store, profile: profile, oneAccountPerEmail: try file.oneAccountPerEmail(profile: profile))
        guard let project = try firebaseProject(file) else { return local }
        if let emulator = project.origin.emulator, emulatorIsSaid.isFirst() {
            output.note("accounts are those of the emulator at '\(emulator)', whose tokens nobody signs")
        }
        let services = try services(store)
        return FirebaseDirectory(
            project: project, mirror: local, transport: services.transport, fetcher: services.fetcher, clock: clock,
            notice: { output.note($0) })
    }

    /// The profile's Firebase project; nil where its directory is the local one.
    func firebaseProject(_ file: ConfigFile) throws -> FirebaseProject? {
        guard let settings = try file.firebaseProject(profile: profile) else { return nil }
        return FirebaseProject(
            settings, emulator: try emulator(settings),
            appCheckToken: environment["AUTHCTL_FIREBASE_APP_CHECK_TOKEN"])
    }

    /// `FIREBASE_AUTH_EMULATOR_HOST`; the Firebase CLI sets it for everything that it starts.
    private var namedEmulator: String? { environment["FIREBASE_AUTH_EMULATOR_HOST"].flatMap { $0.isEmpty ? nil : $0 } }

    private func emulator(_ settings: FirebaseSettings) throws -> EmulatorHost? {
        guard let text = namedEmulator else { return nil }
        let shown = "FIREBASE_AUTH_EMULATOR_HOST is '\(ServerText.shown(text))'"
        do {
            return try EmulatorHost(text, allowed: settings.emulatorHost)
        } catch {
            switch error {
            case .malformed:
                throw ConfigurationProblem(
                    "\(shown): it wants host:port, without a scheme",
                    hint: "export FIREBASE_AUTH_EMULATOR_HOST=127.0.0.1:9099")
            case .notAllowed(let host):
                throw ConfigurationProblem(
                    "\(shown), which is not this machine: tokens and passwords would go there as plain http",
                    hint:
                        "unset FIREBASE_AUTH_EMULATOR_HOST; or allow that host: authctl profile set --emulator-host \(host)"
                )
            }
        }
    }

    /// What makes the sessions of the profile as it is set up now.
    func origin(_ file: ConfigFile) throws -> DirectoryOrigin { try firebaseProject(file)?.origin ?? .local }

    /// What stands on this machine, to be shown also where the settings cannot be read.
    func shownDirectory(_ store: Store) -> LocalDirectory {
        LocalDirectory(store: store, profile: profile, origin: (try? origin(configuration())) ?? .local)
    }

    /// `config.yaml` by its mark alone.
    func settingsMark() throws -> SettingsMark {
        try SettingsMark(in: configDirectory, namesEmulator: namedEmulator != nil)
    }

    /// Spares the next `token` from reading `config.yaml`.
    func rememberDirectory() async {
        guard let store = try? store(creating: false), let file = try? configuration(),
            let origin = try? origin(file), let mark = try? file.mark(namesEmulator: namedEmulator != nil)
        else { return }
        await LocalDirectory(store: store, profile: profile, origin: origin).remember(mark)
    }

    func directory(creating: Bool) throws -> any AccountDirectory {
        guard let store = try store(creating: creating) else { throw NotSignedIn.noAccount }
        return try directory(store)
    }

    /// What stands on this machine of the profile's accounts, without `config.yaml` and its rules: all of it where the
    /// directory is the local one.
    func localDirectory(creating: Bool) throws -> LocalDirectory {
        guard let store = try store(creating: creating) else { throw NotSignedIn.noAccount }
        return LocalDirectory(store: store, profile: profile)
    }

    /// The same for one look, which is refused where the store is not as it should be.
    /// - Parameter patience: seconds to wait for another process that writes.
    func standingDirectory(patience: Double) throws -> LocalDirectory? {
        try Store.standing(in: configDirectory, vault: KeyFileVault(directory: configDirectory), patience: patience)
            .map { LocalDirectory(store: $0, profile: profile) }
    }

    /// The local directory with its rules, for what only it can do.
    /// - Throws: `DirectoryElsewhere` where the accounts live elsewhere.
    func onlyLocalDirectory(_ store: Store) throws -> LocalDirectory {
        guard let local = try directory(store) as? LocalDirectory else { throw DirectoryElsewhere() }
        return local
    }

    /// What refresh and sign-out work with.
    func sessionServices(creating: Bool = false) throws -> SessionServices {
        SessionServices(
            directory: try directory(creating: creating), clock: clock, lockDirectory: configDirectory,
            client: { try await client($0, store(creating: false)) },
            workloads: { try workloads(store(creating: false)) })
    }

    // MARK: Providers

    func services(_ store: Store?) throws -> Services {
        var configuration = CurlTransport.Configuration()
        configuration.userAgent = "authctl/\(Version.text)"
        configuration.authorities = try authorities()
        configuration.proxies = ProxyRules(environment)
        if settings.verbose {
            let output = self.output
            configuration.trace = { output.trace($0) }
        }
        let cache: any DocumentCache = store.map { StoredDocuments(store: $0) } ?? NoDocumentCache()
        return Services(transport: CurlTransport(configuration), cache: cache, clock: clock)
    }

    /// The variables that name a proxy here.
    var proxies: [String] { ProxyRules.variables.filter { environment[$0]?.isEmpty == false } }

    /// `SSL_CERT_FILE`: a file that others can write, or put another one in the place of, would let them choose whom we
    /// believe.
    private func authorities() throws -> String? {
        guard let path = environment["SSL_CERT_FILE"], !path.isEmpty else { return nil }
        var status = stat()
        guard stat(path, &status) == 0 else {
            throw ConfigurationProblem(
                "SSL_CERT_FILE names '\(path)', which cannot be read", hint: "unset SSL_CERT_FILE")
        }
        guard status.st_mode & 0o022 == 0, status.st_uid == geteuid() || status.st_uid == 0 else {
            throw ConfigurationProblem(
                "SSL_CERT_FILE names '\(path)', which other people can change", hint: "chmod go-w \(path)")
        }
        if let directory = Context.openDirectory(above: path) {
            throw ConfigurationProblem(
                "SSL_CERT_FILE names '\(path)', which other people can replace: they may write to '\(directory)'",
                hint: "chmod go-w \(directory)")
        }
        return path
    }

    /// The directory above a file, links followed, in which somebody else could rename what is ours: one that others may
    /// write to, unless its sticky bit keeps them from that, or whose owner is somebody else.
    private static func openDirectory(above path: String) -> String? {
        guard let resolved = realpath(path, nil) else { return nil }
        defer { free(resolved) }
        var rest = Substring(String(cString: resolved))
        var isOwn = true
        while let slash = rest.lastIndex(of: "/") {
            rest = rest[..<slash]
            let directory = rest.isEmpty ? "/" : String(rest)
            var status = stat()
            guard stat(directory, &status) == 0 else { return directory }
            let isShared = status.st_mode & 0o022 != 0 && status.st_mode & S_ISVTX == 0
            let isForeign = isOwn && status.st_uid != geteuid() && status.st_uid != 0
            if isShared || isForeign { return directory }
            isOwn = false
        }
        return nil
    }

    /// Whether there is anything to sign in with.
    func isConfigured(_ id: String) throws -> Bool { try isEntered(id) || isThroughProject(id) }

    /// Whether this machine has a client of its own at the provider.
    func isEntered(_ id: String) throws -> Bool {
        do {
            _ = try provider(id)
            return true
        } catch ProviderError.notConfigured {
            return false
        } catch ProviderError.unknownID {
            return false
        }
    }

    /// Whether people sign in by the client that the profile's Firebase project has: where none is configured here, and
    /// where the project takes no other's word.
    func isThroughProject(_ id: String) throws -> Bool {
        guard SignInThroughProject.canSignIn(id), try configuration().firebaseProject(profile: profile) != nil else {
            return false
        }
        return try SignInThroughProject.isOnlyWay(id) || !isEntered(id)
    }

    /// A provider's entry: `config.yaml`, with the environment's word before it.
    func provider(_ id: String) throws -> (provider: Provider, secret: ProviderEntry.SecretSource) {
        let name = "AUTHCTL_" + Provider.environmentName(id)
        func variable(_ setting: String) -> String? {
            environment["\(name)_\(setting)"].flatMap { $0.isEmpty ? nil : $0 }
        }
        let issuer = try variable("ISSUER").map { try ProviderEntry.issuer($0, setting: "\(name)_ISSUER") }
        guard issuer == nil || !Provider.isBuiltIn(id) else {
            throw ProviderError.invalid(setting: "\(name)_ISSUER", reason: "'\(id)' is built in and has its own")
        }
        let file = try configuration()
        // A project compares the claim with the hash of the raw nonce.
        let nonceMode: Dialect.NonceMode? = try file.firebaseProject(profile: profile) == nil ? nil : .sha256
        if var (provider, secret) = try file.provider(id, profile: profile) {
            if let nonceMode { provider.nonceMode = nonceMode }
            if let issuer { provider.issuer = issuer }
            if let clientID = variable("CLIENT_ID") { provider.clientID = clientID }
            if variable("CLIENT_SECRET") != nil { secret = .init(environment: "\(name)_CLIENT_SECRET") }
            return (provider, secret)
        }
        guard let clientID = variable("CLIENT_ID"), issuer != nil || Provider.isBuiltIn(id) else {
            throw ProviderError.notConfigured(id)
        }
        var provider = try ProviderEntry.bare(id, issuer: issuer?.text, baseURL: nil, clientID: clientID)
        if let nonceMode { provider.nonceMode = nonceMode }
        return (
            provider,
            .init(environment: variable("CLIENT_SECRET") == nil ? nil : "\(name)_CLIENT_SECRET")
        )
    }

    /// A provider by its entry; a built-in one whose client the project is also without: its hosts are known.
    func known(_ id: String) throws -> (provider: Provider, secret: ProviderEntry.SecretSource) {
        do {
            return try provider(id)
        } catch ProviderError.notConfigured {
            guard Provider.isBuiltIn(id), try isThroughProject(id) else { throw ProviderError.notConfigured(id) }
            return (try ProviderEntry.bare(id, issuer: nil, baseURL: nil, clientID: ""), .init())
        }
    }

    /// The secret and the private key that a provider's entry points to.
    func credentials(
        _ provider: Provider, _ source: ProviderEntry.SecretSource, _ store: Store?
    ) async throws -> ClientKeys {
        var credentials = ClientKeys()
        if let variable = source.environment {
            guard let secret = environment[variable], !secret.isEmpty else {
                throw ConfigurationProblem(
                    "the client secret of '\(provider.id)' is to come from \(variable), which is not set",
                    hint: "set \(variable)")
            }
            credentials.secret = ClientSecret(secret)
        } else if let file = source.file {
            credentials.secret = ClientSecret(try SecretInput.file(file))
        } else if let store {
            credentials.secret = try await ProviderSecrets(store: store, profile: profile).secret(for: provider.id)
        }
        if let file = provider.privateKeyFile {
            credentials.privateKey = try privateKey(file, passphraseFile: provider.privateKeyPassphraseFile)
        }
        return credentials
    }

    /// Reads a key; whoever sits at the terminal is asked for its passphrase where no file has it.
    private func privateKey(_ file: String, passphraseFile: String?) throws -> PrivateKey {
        let pem = Array(try SecretInput.file(file, droppingNewline: false).utf8)
        func read(_ passphrase: KeyPassphrase? = nil) throws -> PrivateKey {
            do { return try PrivateKey(pem: pem, passphrase: passphrase) } catch {
                throw PrivateKeyProblem(file: file, error: error)
            }
        }
        do {
            return try read()
        } catch let problem as PrivateKeyProblem where problem.error == .passphraseNeeded {
            if let passphraseFile { return try read(KeyPassphrase(try SecretInput.file(passphraseFile))) }
            guard !isUnattended, let typed = Prompt.hidden("Passphrase of '\(file)': ") else {
                throw problem
            }
            return try read(KeyPassphrase(typed))
        }
    }

    func client(_ id: String, _ store: Store?) async throws -> ProviderClient {
        let (provider, source) = try known(id)
        return try await ProviderClient.resolve(
            provider, try await credentials(provider, source, store), services: try services(store))
    }

    /// The provider a command means: the one that was named, or the only one there is.
    func providerID(_ given: String?) throws -> String {
        if let given { return given }
        let file = try configuration()
        let ids = try file.providerIDs(profile: profile)
        guard let only = ids.first else {
            guard try file.firebaseProject(profile: profile) == nil else {
                throw UsageProblem("name one of the project's providers with --provider, google.com say")
            }
            throw ConfigurationProblem(
                "no provider is configured",
                hint: "authctl providers add github.com --client-id …, or oidc.NAME --issuer https://… --client-id …")
        }
        guard ids.count == 1 else {
            if !isUnattended, let chosen = output.choose("Which provider?", among: ids) { return chosen }
            throw UsageProblem(
                "several providers are configured: name one with --provider (\(ids.joined(separator: ", ")))")
        }
        return only
    }
}

extension Clock {
    /// This machine's clock; waits go by the monotonic one.
    static let system = Clock(now: {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Int64(time.tv_sec)
    })
}

/// Something that is said once, however many ask.
private final class Once: Sendable {
    private let isDone = Mutex(false)

    func isFirst() -> Bool {
        isDone.withLock { done in
            defer { done = true }
            return !done
        }
    }
}
