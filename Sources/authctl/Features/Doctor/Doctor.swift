import AuthCore
import Glibc

/// Checks everything on this machine that a sign-in requires.
struct Doctor {
    let context: Context
    let vault: VaultStatus?
    /// The only provider to check.
    var only: String?
    private var environment: Environment { context.environment }

    func findings() async -> [Finding] {
        let (stored, store) = await openedStore()
        let own = only == nil ? await machine(stored, store) : stored.filter { !$0.isFine }.map { $0.about(only) }
        guard let services = try? context.profile.services(cached: store != nil) else { return own }
        var findings = own + (only == nil ? await checked("project") { try await project(services) } : [])
        for id in only.map({ [$0] }) ?? (try? context.profile.providerIDs()) ?? [] {
            let isUnreadable = store == nil && !stored.allSatisfy { $0.state != .wrong }
            findings += await checked(id, provider: id) { try changedEntry(id) }
            findings += await checked(id, provider: id) {
                try await provider(id, services: services, isUnreadable: isUnreadable)
            }
        }
        findings += await checked("sessions") { try await sessions(store) }
        return only == nil ? findings : findings.filter { $0.subject == only }
    }

    private func machine(_ stored: [Finding], _ store: Store?) async -> [Finding] {
        var findings = await checked("directory") { [try directory()] } + stored
        if let finding = keyring(vault?.kind ?? .file) { findings.append(finding) }
        findings += await checked("configuration") { [try await configuration()] }
        findings += ((try? context.unknownKeys()) ?? []).map { .note("configuration", $0, "correct or remove it") }
        findings += systemConfiguration()
        findings += [terminalEnvironment(), browser(), terminal()]
        findings += loopback()
        findings += network()
        findings += await checked("certificates") { [try certificates()] }
        findings += variables()
        return findings + (await checked("rules") { try await rules() })
    }

    /// The findings of a check, or the error that it throws.
    private func checked(
        _ name: String, provider: String? = nil, by check: () async throws -> [Finding]
    ) async -> [Finding] {
        do { return try await check().map { $0.about($0.subject ?? provider) } } catch {
            return [Finding.wrong(name, error: error, provider: provider).about(provider)]
        }
    }

    // MARK: Files

    private func directory() throws -> Finding {
        let path = context.configDirectory.path
        guard try context.configDirectory.exists else {
            try context.configDirectory.requireWritable()
            return .note("directory", "'\(path)' does not exist yet; the first command that stores data creates it")
        }
        _ = try Context.profileName(context.settings.profile, environment: environment, in: context.configDirectory)
        try context.configDirectory.requireWritable()
        try context.configDirectory.checkLocks()
        return .ok("directory", "'\(path)' can be used only by this user")
    }

    private func openedStore() async -> ([Finding], Store?) {
        do {
            guard let store = try context.profile.store(creating: false) else {
                return ([.note("store", "not created yet", .signIn(nil))], nil)
            }
            let vault = if let vault { vault } else { try await store.vaultStatus() }
            var detail = "exists; the encryption key is locked, so the secrets were not checked"
            if vault.state != .locked {
                try await store.examine()
                detail = "valid; all secrets can be decrypted"
            }
            return ([.ok("store", detail), self.vault(vault)], store)
        } catch {
            return ([.wrong("store", error: error)], nil)
        }
    }

    private var database: String { context.configDirectory.path + "/" + Store.name }

    private func vault(_ status: VaultStatus) -> Finding {
        let line = VaultText.line(status, now: context.clock.now())
        if let other = status.other {
            return .wrong(
                "vault", "\(line); a copy of the key may be in \(other.name)",
                .run("authctl vault \(status.kind.rawValue)"))
        }
        switch status.state {
        case .open where status.isPlain:
            return .note("vault", "\(line); this keyring sends the key unencrypted over D-Bus")
        case .open: return .ok("vault", line)
        case .locked:
            if let refusal = status.notCached {
                return .note("vault", "\(line); the passphrase is required each time: \(refusal.message)")
            }
            return .note("vault", line, .run("authctl vault unlock"))
        case .missing: return .wrong("vault", error: VaultError.lostKey(status.kind, .missing, database: database))
        case .unavailable(let reason) where reason.isLoss:
            return .wrong("vault", error: VaultError.lostKey(status.kind, reason, database: database))
        case .unavailable(let reason): return .wrong("vault", error: VaultError.unavailable(status.kind, reason))
        }
    }

    private func keyring(_ vault: VaultKind) -> Finding? {
        guard vault != .keyring else { return nil }
        let move: Hint? = vault == .file ? .run("authctl vault keyring") : nil
        switch context.profile.keyringState() {
        case .open, .missing: return .note("keyring", "available; it could store the key", move)
        case .locked: return .note("keyring", "available, but locked", move)
        case .unavailable(let reason): return .note("keyring", reason.message(of: .keyring), reason.remedy)
        }
    }

    private func configuration() async throws -> Finding {
        let ids = try context.profile.providerIDs()
        let profile = "profile '\(context.profile.name)'"
        if ids.isEmpty, try context.profile.projectSettings() != nil {
            return .ok("configuration", "\(profile): the providers of its Firebase project")
        }
        // A personal token requires no configuration.
        let accounts = (try? await context.profile.storedAccountCount()) ?? 0
        guard !ids.isEmpty || accounts > 0 else {
            return .note("configuration", "\(profile): no provider is configured", .run("authctl setup"))
        }
        return .ok("configuration", "\(profile): \(ids.isEmpty ? "no client" : ids.joined(separator: ", "))")
    }

    private func systemConfiguration() -> [Finding] {
        guard let system = try? context.profile.systemConfiguration() else { return [] }
        var problems = system.problems.map { Finding.wrong("organization", error: $0, provider: $0.provider) }
        let variable = SystemConfiguration.variable
        if let directory = environment[variable] {
            if !directory.hasPrefix("/") {
                problems.append(.note("organization", "\(variable) is ignored: it is not an absolute path"))
            } else if stat(at: directory) == nil {
                problems.append(.note("organization", "\(variable) names a directory that does not exist"))
            }
        }
        guard !system.paths.isEmpty else { return problems }
        let files = system.paths.map { "'\(shown: $0)'" }.joined(separator: ", ")
        let count = system.ids.count
        return [.ok("organization", "\(count) provider\(count == 1 ? "" : "s") for all users, in \(files)")] + problems
    }

    private func rules() async throws -> [Finding] {
        let rules = try context.accountRules()
        guard !rules.isEmpty else { return [] }
        // Accounts can be read without the key.
        let sessionStore = try context.profile.sessionStoreForDisplay()
        var findings: [Finding] = []
        for rule in rules where !rule.account.isEmpty {
            guard try await sessionStore?.accounts(matching: rule.account).isEmpty ?? true else { continue }
            let detail = "the account of the rule for '\(shown: rule.place.text)' does not exist"
            findings.append(.wrong("rules", detail, .run(rule.place.removal)))
        }
        guard findings.isEmpty else { return findings }
        _ = try context.accountChoice()
        return [.ok("rules", "\(rules.count)")]
    }

    // MARK: The user

    private func terminalEnvironment() -> Finding {
        let place = environment.place.map { "this is \($0.rawValue)" } ?? "a local machine"
        guard context.isUnattended else { return .ok("machine", place) }
        let reason = context.settings.noInput ? "--no-input" : "CI is set"
        return .note(
            "machine", "\(place); \(reason), so prompts are disabled",
            "in a CI job: \(run: "authctl signin --ci auto")")
    }

    private func browser() -> Finding {
        let browser = Browser(environment: environment)
        let commands = browser.commands(for: "URL")
        let remedy: Hint = "set BROWSER; without one: \(run: "authctl signin --flow device"), or paste the URL"
        guard !commands.isEmpty else {
            return .note("browser", "no BROWSER and no display: the device flow or a pasted URL is used", remedy)
        }
        guard let found = browser.program else {
            let names = commands.map { "'\(shown: $0[0])'" }.joined(separator: ", ")
            return .wrong("browser", "\(names) cannot be run", remedy)
        }
        return .ok("browser", found.joined(separator: " "))
    }

    private func terminal() -> Finding {
        let ends = [(0, "input"), (1, "output"), (2, "error")].filter { isatty(Int32($0.0)) == 1 }.map(\.1)
        guard ends.count < 3 else { return .ok("terminal", "\(environment["TERM"] ?? "no TERM")") }
        return .note(
            "terminal",
            ends.isEmpty ? "none: prompts are disabled" : "only standard \(ends.joined(separator: " and "))")
    }

    // MARK: The network

    private func loopback() -> [Finding] {
        let findings: [Finding] = [
            LoopbackSocket.canListen(on: "127.0.0.1")
                ? .ok("loopback", "127.0.0.1 is available")
                : .wrong(
                    "loopback", "127.0.0.1 is not available: no callback can be received", .run("ip link set lo up")),
            LoopbackSocket.canListen(on: "[::1]")
                ? .ok("loopback", "::1 is available")
                : .note("loopback", "::1 is not available; redirect URIs with localhost only listen on 127.0.0.1"),
        ]
        let names = Self.addresses(of: "localhost")
        guard !names.contains("127.0.0.1") else { return findings }
        let addresses = names.isEmpty ? "unknown" : names.joined(separator: ", ")
        let remedy: Hint = "put '127.0.0.1 localhost' into /etc/hosts"
        return findings + [.wrong("localhost", "'localhost' is \(addresses)", remedy)]
    }

    private static func addresses(of name: String) -> [String] {
        var hints = addrinfo()
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var found: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(name, nil, &hints, &found) == 0 else { return [] }
        defer { freeaddrinfo(found) }
        var addresses: [String] = []
        var next = found
        while let entry = next?.pointee {
            var text = [CChar](repeating: 0, count: Int(NI_MAXHOST))
            if getnameinfo(entry.ai_addr, entry.ai_addrlen, &text, socklen_t(text.count), nil, 0, NI_NUMERICHOST) == 0 {
                addresses.append(String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self))
            }
            next = entry.ai_next
        }
        return addresses
    }

    private func network() -> [Finding] {
        var findings: [Finding] = context.proxies.map { name in
            Finding.note("proxy", "\(name) names '\(ProxyRules.server(of: environment[name] ?? ""))'")
        }
        if findings.isEmpty { findings.append(.ok("proxy", "none")) }
        if environment["HTTP_PROXY"] != nil, environment["http_proxy"] == nil {
            findings.append(.note("proxy", "HTTP_PROXY in capitals is ignored", "use http_proxy or HTTPS_PROXY"))
        }
        findings += ProxyRules(environment).unmatched.map { entry in
            .note(
                "proxy", "'\(shown: entry)' in NO_PROXY never matches", "use a host, .domain, an address or a network")
        }
        findings += ["SSL_CERT_DIR", "CURL_CA_BUNDLE"].filter { environment[$0] != nil }.map {
            .note("certificates", "\($0) is ignored", "use SSL_CERT_FILE")
        }
        return findings
    }

    private func certificates() throws -> Finding {
        _ = try context.profile.services(cached: false)
        return environment["SSL_CERT_FILE"] == nil
            ? .ok("certificates", "the system's")
            : .note("certificates", "only those of SSL_CERT_FILE, instead of the system's")
    }

    private func variables() -> [Finding] {
        let names = environment.variables.filter { $0.key.hasPrefix("AUTHCTL_") && !$0.value.isEmpty }.keys.sorted()
        return names.isEmpty ? [] : [.note("environment", "set: \(names.joined(separator: ", "))")]
    }

    // MARK: Providers

    private func project(_ services: Services) async throws -> [Finding] {
        guard let project = try context.profile.project() else { return [] }
        let result = try await ProjectCheck(services: services).run(project)
        let place = "the redirect URI is '\(result.redirectURI)'"
        switch result.isAuthorized {
        case true: return [.ok("project", "available; \(place)")]
        case nil: return [.note("project", "an emulator, which does not sign its tokens; \(place)")]
        case false:
            let remedy: Hint = "add it in the console: Authentication, Settings, Authorized domains"
            return [.wrong("project", "the host is not one of its authorized domains: \(place)", remedy)]
        }
    }

    private func changedEntry(_ id: String) throws -> [Finding] {
        guard let provider = try context.profile.resolve(id).configuration, let name = provider.serviceName,
            let entry = try? context.profile.catalogEntry(name)
        else { return [] }
        return entry.differences(from: provider).map {
            .note(id, "the catalog now has another value of \($0.replacing("_", with: " "))")
        }
    }

    private func provider(_ id: String, services: Services, isUnreadable: Bool) async throws -> [Finding] {
        // A personal access token requires no configuration.
        guard let provider = try context.profile.resolve(id).configuration else { return [] }
        let keys = try await context.profile.keys(of: provider, sealed: !isUnreadable)
        var errorContext = ErrorContext(provider: id)
        errorContext.registeredAt = await context.issuerOfRegistration(id)
        return try await ProviderCheck(services: services).run(provider, keys).map { [errorContext] finding in
            let detail = "\(finding.name): \(finding.detail)"
            guard !finding.isFine else { return .ok(id, detail) }
            if isUnreadable, finding.dependsOnSecret {
                return unchecked("client", of: id)
            }
            return .wrong(id, detail, Doctor.remedy(finding, of: id, in: errorContext))
        }
    }

    private func unchecked(_ name: String, of id: String) -> Finding {
        let detail = "\(name): not checked, because the store cannot be read"
        return Finding(name: id, state: .note, detail: detail, subject: id, isUnchecked: true)
    }

    private static func remedy(
        _ finding: ProviderCheck.Finding, of id: String, in errorContext: ErrorContext
    ) -> Hint? {
        switch finding {
        case .clock: "set this machine's clock: \(run: "timedatectl set-ntp true")"
        case .refusedClient: errorContext.secretAgain
        case .client, .deviceFlowOnly, .noSecret: .run("authctl providers set \(id) --client-secret-stdin")
        case .pushedRequests: "set the endpoint: \(run: "authctl providers set \(id) --par-endpoint URL")"
        case .boundTokens: "disable it: \(run: "authctl providers set \(id) --unset dpop")"
        case .fapi2: "to see each requirement: \(run: "authctl providers check \(id)")"
        case .redirect: "set one: \(run: "authctl providers set \(id) --redirect-uri URL")"
        case .certificate: "set a new one: \(run: "authctl providers set \(id) --certificate FILE")"
        case .builtIn, .discovered, .keys, .mutualTLS, .authority, .app: .run("authctl providers check \(id)")
        }
    }

    private func sessions(_ store: Store?) async throws -> [Finding] {
        // Invalid settings are a separate finding.
        guard let sessionStore = (try? context.profile.sessionStoreForDisplay()) ?? nil else { return [] }
        guard store != nil else {
            return ((try? await sessionStore.sessions()) ?? []).map { unchecked("session", of: $0.providerID) }
        }
        let sessions = try await sessionStore.sessions()
        var findings: [Finding] = []
        for session in sessions {
            findings += await problems(of: session, in: sessionStore).map { $0.about(session.providerID) }
        }
        findings += try await sessionStore.unrevokedSessions(now: context.clock.now()).map {
            let detail = "the revocation of the tokens of '\($0.providerID)' failed"
            return Finding.note("revocation", detail, .run("authctl signout --retry")).about($0.providerID)
        }
        return findings.isEmpty ? [.ok("sessions", "\(sessions.count)")] : findings
    }

    private func problems(of session: SessionSummary, in sessionStore: SessionStore) async -> [Finding] {
        let id = session.providerID
        if let origin = session.directory, origin != sessionStore.origin {
            return [.note("session", "a session with '\(id)' belongs to another directory: \(origin.name)")]
        }
        if context.profile.hasOtherIssuer(session) {
            let detail = "the session with '\(id)' is from another server than the configured one"
            return [.note("session", detail, .run(.signIn(id, for: session.resource, as: session.source)))]
        }
        var findings = await checked("session") {
            let stored = try await sessionStore.session(
                account: session.accountUID, provider: id, resource: session.resource)
            guard let stored, stored.source.isPersonal, let token = stored.accessToken,
                try await context.profile.client(id).rejects(token, of: stored)
            else { return [] }
            return [.wrong("session", "'\(id)' rejects the personal access token", .run(.signInWithToken(id)))]
        }
        if !session.isRenewable {
            guard !session.validity.isValid(at: context.clock.now()) else { return findings }
            let signIn = ShellCommand.signIn(id, for: session.resource, as: session.source)
            findings.append(.note("session", "the session with '\(id)' has expired", .run(signIn)))
        } else if (try? ProviderID(id)) != nil, (try? context.profile.find(id) == nil) ?? false {
            findings.append(
                .note("session", "'\(id)' is not configured, so its session cannot be renewed", .run(.setup(id))))
        }
        return findings
    }
}

extension ProviderCheck.Finding {
    /// Whether a client secret in the store can change it.
    fileprivate var dependsOnSecret: Bool {
        switch self {
        case .client, .refusedClient, .deviceFlowOnly, .noSecret: true
        default: false
        }
    }
}
