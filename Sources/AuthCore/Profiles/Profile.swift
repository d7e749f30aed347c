/// A profile of this machine: its settings, providers, session store and directory. Each is opened once, when it is
/// first requested.
/// So one command never sees two versions of `config.yaml`. A program that runs for long calls `reopened()`.
package final class Profile: Sendable {
    package static let defaultName = "default"

    package let name: String
    package let configDirectory: ConfigDirectory
    package let host: any ProfileHost
    package var clock: Clock { host.clock }
    private let opened = Lock(Opened())

    private struct Opened {
        var store: Store?
        /// Opened by `existingSessionStore`.
        var existing: Store?
        var settings: ConfigFile?
        var systemConfiguration: SystemConfiguration?
        var found: [String: ResolvedProvider?] = [:]
        var transport: (any HTTPTransport)?
        var hasReportedEmulator = false
    }

    package init(_ name: String, in configDirectory: ConfigDirectory, host: any ProfileHost) {
        self.name = name
        self.configDirectory = configDirectory
        self.host = host
    }

    package func reopened(on host: (any ProfileHost)? = nil) -> Profile {
        let profile = Profile(name, in: configDirectory, host: host ?? self.host)
        let (hasReportedEmulator, transport) = opened.withLock { ($0.hasReportedEmulator, $0.transport) }
        profile.opened.withLock { opened in
            opened.hasReportedEmulator = hasReportedEmulator
            if host == nil { opened.transport = transport }
        }
        return profile
    }

    // MARK: Settings

    package func settings() throws -> ConfigFile {
        try opened.withLock { opened in
            if let known = opened.settings { return known }
            let read = try ConfigFile(in: configDirectory)
            opened.settings = read
            return read
        }
    }

    var systemDirectory: String {
        host.variable(SystemConfiguration.variable).flatMap { $0.hasPrefix("/") ? $0 : nil }
            ?? SystemConfiguration.defaultPath
    }

    package func systemConfiguration() throws -> SystemConfiguration {
        guard try projectSettings() == nil else { return .none }
        if let known = opened.withLock({ $0.systemConfiguration }) { return known }
        let read = SystemConfiguration(in: systemDirectory)
        opened.withLock { $0.systemConfiguration = read }
        for problem in read.problems { host.note(problem) }
        return read
    }

    package func secretVariables() throws -> Set<String> {
        try settings().secretVariables.union(systemConfiguration().secretVariables)
    }

    /// Runs `body` with `config.yaml` locked for this process. The cached file is discarded before and after.
    @_semantics("optimize.sil.specialize.generic.never")
    package func changingSettings<R>(_ body: () async throws -> R) async throws -> R {
        try configDirectory.create()
        return try await FileLock.holding("config", in: configDirectory, clock: clock) { _ in
            func forget() { opened.withLock { ($0.settings, $0.found) = (nil, [:]) } }
            forget()
            defer { forget() }
            return try await body()
        }
    }

    func found(_ id: String, _ find: () throws -> ResolvedProvider?) rethrows -> ResolvedProvider? {
        if let known = opened.withLock({ $0.found[id] }) { return known }
        let found = try find()
        opened.withLock { $0.found[id] = .some(found) }
        return found
    }

    package func knownNames() async throws -> [String] {
        let stored =
            try await store(creating: false).map { SessionStore(store: $0, profile: name) }?.profileNames() ?? []
        return try Set([Self.defaultName] + settings().profileNames + stored).sorted()
    }

    /// Renames this profile. A call that was interrupted can be repeated.
    /// - Parameter save: runs in the same transaction.
    package func move(to other: String, saving save: @Sendable () throws -> Void) async throws {
        try await changingSettings {
            let file = try settings()
            let isInSettings = file.profileNames.contains(name)
            // The settings are renamed before the store: an interrupted call leaves the store behind.
            let stored = try stored(name)
            let isInterrupted = isInSettings ? false : try await stored?.hasStartedRename(to: other) ?? false
            let isTaken = file.profileNames.contains(other) && !isInterrupted
            guard try await !isInUse(other), !isTaken else { throw ProfileError.nameTaken(other) }
            let renamed = try file.renaming(name, to: other)
            @Sendable func saveAll() throws {
                try save()
                if isInSettings { try renamed.save(in: configDirectory) }
            }
            guard let stored else { return try saveAll() }
            if isInSettings { try await stored.startRename(to: other) }
            try await stored.move(to: other, saving: saveAll)
        }
    }

    /// Removes this profile's settings, accounts, sessions and secrets from this machine.
    package func remove() async throws {
        try await changingSettings {
            var file = try settings()
            try file.remove(profile: name)
            let left = file
            @Sendable func save() throws { try left.save(in: configDirectory) }
            guard let stored = try stored(name) else { return try save() }
            try await stored.remove(saving: save)
        }
    }

    /// The number of this profile's accounts in the store, in all its directories.
    package func storedAccountCount() async throws -> Int { try await stored(name)?.accountCount() ?? 0 }

    private func isInUse(_ name: String) async throws -> Bool { try await stored(name)?.isInUse() ?? false }

    private func stored(_ name: String) throws -> StoredProfile? {
        try store(creating: false).map { StoredProfile(store: $0, name: name) }
    }

    // MARK: Local files

    package func store(creating: Bool) throws -> Store? {
        try opened.withLock { opened in
            if let known = opened.store {
                if creating { try configDirectory.requireWritable() }
                return known
            }
            opened.store = try Store.open(
                in: configDirectory, host: host, creating: creating, existing: opened.existing)
            return opened.store
        }
    }

    /// The profile's session store for display. It is available even if the settings are invalid, because a store that
    /// has only ever had local accounts does not depend on them.
    package func sessionStoreForDisplay() throws -> SessionStore? {
        guard let store = try store(creating: false) else { return nil }
        do {
            return SessionStore(store: store, profile: name, origin: try origin())
        } catch let readError where !(readError is ProfileError) {
            let local = SessionStore(store: store, profile: name)
            guard try local.hasEveryAccount() else { throw readError }
            return local
        }
    }

    /// The existing store, with any schema. For `CurrentToken.stored`, which leaves other schemas to the full path.
    ///
    /// - Parameter timeout: seconds to wait for another process that writes.
    package func existingSessionStore(timeout: Double) throws -> SessionStore? {
        let store = try Store.existing(in: configDirectory, host: host, timeout: timeout)
        opened.withLock { $0.existing = store }
        return store.map { SessionStore(store: $0, profile: name) }
    }

    /// Loads the HTTP client on another thread, for a request that will follow.
    package func prepareRequests() {
        // Other transports have nothing to load.
        (try? services().transport as? CurlTransport)?.prepare()
    }

    package func vaultStatus() async throws -> VaultStatus { try await store(creating: false)?.vaultStatus() ?? .first }

    package func checkKey() async throws { _ = try await store(creating: false)?.sealer(creating: false) }

    /// Opens the encryption key if there is one, which can ask for a passphrase.
    func openKey() async throws {
        guard let store = try store(creating: false), try await store.vaultRow() != nil else { return }
        _ = try await store.sealer(creating: false)
    }

    package func keyringState() -> VaultState { KeyringVault(store: "", host: host).state() }

    // MARK: The directory

    var namedEmulator: String? { host.variable("FIREBASE_AUTH_EMULATOR_HOST") }

    package func projectSettings() throws -> FirebaseSettings? { try settings().firebaseProject(profile: name) }

    package func project() throws -> FirebaseProject? {
        guard let settings = try projectSettings() else { return nil }
        var emulator: EmulatorHost?
        if let text = namedEmulator {
            do { emulator = try EmulatorHost(text, allowed: settings.emulatorHost) } catch {
                throw ProfileError.emulator(text, error)
            }
        }
        let appCheckToken = host.variable("AUTHCTL_FIREBASE_APP_CHECK_TOKEN")
        guard appCheckToken?.isVisibleASCII ?? true else { throw ProfileError.appCheckToken }
        return FirebaseProject(settings: settings, emulator: emulator, appCheckToken: appCheckToken)
    }

    package func origin() throws -> DirectoryOrigin { try project()?.origin ?? .local }

    package func directory(creating: Bool = false) throws -> any AccountDirectory {
        guard let store = try store(creating: creating) else { throw NotSignedIn.noAccount }
        guard let project = try project() else { return try local(store) }
        if let emulator = project.origin.emulator {
            let isFirst = opened.withLock { opened in
                defer { opened.hasReportedEmulator = true }
                return !opened.hasReportedEmulator
            }
            if isFirst { host.note(.emulator(emulator)) }
        }
        let services = try services()
        return FirebaseDirectory(
            project: project, sessionStore: SessionStore(store: store, profile: name), transport: services.transport,
            fetcher: services.fetcher, clock: clock, secondFactor: { [host] in try host.oneTimeCode($0) },
            notice: { [host] in host.note($0) })
    }

    private func local(_ store: Store) throws -> LocalDirectory {
        LocalDirectory(
            sessionStore: SessionStore(store: store, profile: name),
            oneAccountPerEmail: try settings().oneAccountPerEmail(profile: name))
    }

    /// The local directory, for operations that only it supports.
    package func localDirectory(creating: Bool = false) throws -> LocalDirectory {
        guard let store = try store(creating: creating) else { throw NotSignedIn.noAccount }
        guard try project() == nil else { throw LocalDirectoryRequired() }
        return try local(store)
    }

    /// The Firebase project, for operations that only a project supports.
    package func projectDirectory() throws -> FirebaseDirectory {
        guard try projectSettings() != nil, let directory = try directory(creating: true) as? FirebaseDirectory else {
            throw ProjectRequired()
        }
        return directory
    }

    package func settingsDigest() throws -> SettingsDigest {
        try SettingsDigest(configDirectory.settings(), namesEmulator: namedEmulator != nil)
    }

    // MARK: Services

    /// The services for requests to providers. Without a readable store, documents are not cached.
    package func services(cached: Bool = true) throws -> Services {
        let store = cached ? (try? store(creating: false)) ?? nil : nil
        let cache = store.map { StoredDocuments(store: $0) }
        let transport = try opened.withLock { opened in
            let transport = try opened.transport ?? host.transport()
            opened.transport = transport
            return transport
        }
        return Services(transport: transport, cache: cache, clock: clock, note: { [host] in host.note($0) })
    }
}
