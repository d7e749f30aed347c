import Yams

/// `config.yaml`: what people edit. Settings this version does not know are kept as they are.
public struct ConfigFile {
    private var root: Node.Mapping
    private let path: String
    /// As they were read.
    private let bytes: [UInt8]

    static let name = "config.yaml"

    /// Reads the file; one that is not there is empty.
    /// - Throws: `StoreError`.
    public init(in directory: ConfigDirectory) throws {
        try self.init(
            try ConfigFile.bytes(in: directory) ?? [], path: directory.path(of: ConfigFile.name))
    }

    /// - Parameter path: where the bytes came from, for errors.
    init(_ bytes: [UInt8], path: String) throws {
        self.path = path
        self.bytes = bytes
        root = Node.Mapping([])
        guard !bytes.isEmpty else { return }
        guard let text = String(validating: bytes, as: UTF8.self) else { throw invalid("it is not UTF-8 text") }
        do {
            guard let node = try Yams.compose(yaml: text) else { return }
            guard let mapping = node.mapping else { throw invalid("its top level is no mapping") }
            root = mapping
        } catch let error as YamlError {
            throw invalid(ServerText.shown("\(error)".split(separator: "\n").first.map(String.init) ?? "not YAML"))
        }
    }

    /// Bytes, of what is read and of what is written.
    private static let maximumLength = 1 << 20
    private var tooLong: StoreError {
        invalid("with its aliases written out it would be longer than \(ConfigFile.maximumLength) bytes")
    }

    /// Takes from `room` the least that a node needs; false as soon as there is not enough.
    private static func fits(_ node: Node, in room: inout Int) -> Bool {
        room -= 2
        switch node {
        case .scalar(let scalar): room -= scalar.string.utf8.count
        case .mapping(let mapping):
            for (key, value) in mapping where room >= 0 {
                guard fits(key, in: &room), fits(value, in: &room) else { return false }
            }
        case .sequence(let sequence):
            for value in sequence where room >= 0 { guard fits(value, in: &room) else { return false } }
        case .alias: break
        }
        return room >= 0
    }

    /// What stands in the file; nil where there is none.
    static func bytes(in directory: ConfigDirectory) throws(StoreError) -> [UInt8]? {
        try directory.read(name, .settings, maximumLength: maximumLength)
    }

    /// By what this content is known again, without reading it.
    /// - Throws: `OpenSSLError`.
    public func mark(namesEmulator: Bool) throws -> SettingsMark {
        try SettingsMark(bytes, namesEmulator: namesEmulator)
    }

    private func invalid(_ reason: String) -> StoreError { .configuration(path: path, reason: reason) }

    /// Writes the file in one step. The caller holds the `config` lock.
    /// - Throws: `StoreError`.
    public func save(in directory: ConfigDirectory) throws {
        // Aliases are written out: a short file can hold a long one.
        var room = ConfigFile.maximumLength
        guard ConfigFile.fits(.mapping(root), in: &room) else { throw tooLong }
        let text = try Yams.serialize(node: .mapping(root), sortKeys: false)
        guard text.utf8.count <= ConfigFile.maximumLength else { throw tooLong }
        try directory.replaceFile(ConfigFile.name, Array(text.utf8))
    }

    private func profileMapping(_ profile: String) throws -> Node.Mapping? {
        guard let profiles = root["profiles"] else { return nil }
        guard let mapping = profiles.mapping else { throw invalid("'profiles' is no mapping") }
        guard let entry = mapping[Node(profile)] else { return nil }
        guard let found = entry.mapping else { throw invalid("profile '\(profile)' is no mapping") }
        return found
    }

    /// One account per email address; on unless the profile says `off`.
    public func oneAccountPerEmail(profile: String) throws -> Bool {
        try profileMapping(profile)?["one_account_per_email"]?.bool ?? true
    }

    /// - Throws: `StoreError`.
    public mutating func setOneAccountPerEmail(_ isOn: Bool, profile: String) throws {
        try change(profile) { $0["one_account_per_email"] = Node(isOn ? "true" : "false", Tag(.bool)) }
    }

    /// The Firebase project that is the profile's account directory; nil for the local one.
    /// - Throws: `ProviderError.invalid` for a setting that cannot be used.
    public func firebaseProject(profile: String) throws -> FirebaseSettings? {
        guard let entry = try profileMapping(profile), let kind = entry["directory"]?.scalar?.string else { return nil }
        guard kind == "firebase" else {
            guard kind == "local" else {
                throw ProviderError.invalid(
                    setting: "profile '\(profile)': directory",
                    reason: "'\(ServerText(kind))' is neither local nor firebase")
            }
            return nil
        }
        let settings = entry["firebase"]?.mapping
        func text(_ name: String) -> String? { settings?[Node(name)]?.scalar?.string }
        guard let apiKey = text("api_key"), let projectID = text("project_id") else {
            throw ProviderError.invalid(
                setting: "profile '\(profile)': firebase", reason: "'api_key' and 'project_id' are needed")
        }
        return FirebaseSettings(
            apiKey: apiKey, projectID: projectID, authDomain: text("auth_domain"), tenantID: text("tenant_id"),
            locale: text("locale"), bundleID: text("bundle_id"), redirectURI: text("redirect_uri"),
            emulatorHost: text("emulator_host"))
    }

    /// - Parameter settings: nil for the local directory.
    /// - Throws: `StoreError`.
    public mutating func setDirectory(_ settings: FirebaseSettings?, profile: String) throws {
        try change(profile) { entry in
            guard let settings else {
                entry["directory"] = nil
                entry["firebase"] = nil
                return
            }
            entry["directory"] = Node("firebase")
            var project = Node.Mapping([])
            project["api_key"] = Node(settings.apiKey)
            project["project_id"] = Node(settings.projectID)
            for (name, value) in [
                ("auth_domain", settings.authDomain), ("tenant_id", settings.tenantID), ("locale", settings.locale),
                ("bundle_id", settings.bundleID), ("redirect_uri", settings.redirectURI),
                ("emulator_host", settings.emulatorHost),
            ] {
                if let value { project[Node(name)] = Node(value) }
            }
            entry["firebase"] = .mapping(project)
        }
    }

    /// The names of the profiles, in the order of the file.
    public var profileNames: [String] { root["profiles"]?.mapping?.keys.compactMap(\.string) ?? [] }

    /// The IDs of the configured providers, in the order of the file.
    public func providerIDs(profile: String) throws -> [String] {
        try profileMapping(profile)?["providers"]?.mapping?.keys.compactMap(\.string) ?? []
    }

    /// How a provider's secret is found, where it is not sealed in the store.
    public struct SecretSource: Sendable, Equatable {
        public var file: String?
        public var environment: String?

        public init(file: String? = nil, environment: String? = nil) {
            self.file = file
            self.environment = environment
        }
    }

    /// The variables that hold client secrets, of all profiles.
    public var secretVariables: Set<String> {
        let profiles = root["profiles"]?.mapping?.values.compactMap(\.mapping) ?? []
        let entries = profiles.flatMap { $0["providers"]?.mapping?.values.compactMap(\.mapping) ?? [] }
        return Set(entries.compactMap { $0["client_secret_env"]?.scalar?.string })
    }

    /// One provider's entry.
    /// - Throws: `ProviderError` for a setting that cannot be used.
    public func provider(_ id: String, profile: String) throws -> (provider: Provider, secret: SecretSource)? {
        try Provider.check(id: id)
        guard let node = try profileMapping(profile)?["providers"]?.mapping?[Node(id)] else { return nil }
        guard let entry = node.mapping else { throw invalid("provider '\(id)' is no mapping") }
        func text(_ name: String) throws -> String? {
            guard let value = entry[Node(name)] else { return nil }
            guard let text = value.scalar?.string else {
                throw ProviderError.invalid(setting: "\(id): \(name)", reason: "it is no text")
            }
            return text
        }
        var provider = try ConfigFile.bare(
            id, issuer: try text("issuer"), baseURL: try text("base_url"), preset: try text("preset"),
            clientID: try text("client_id"))
        if let method = try text("auth_method") {
            guard let known = ClientAuthentication.Method(rawValue: method) else {
                throw ProviderError.invalid(setting: "\(id): auth_method", reason: "'\(method)' is not known")
            }
            provider.authenticationMethod = known
        }
        if let scopes = entry["scopes"] {
            provider.scopes = scopes.scalar.map { Scopes.split($0.string) } ?? scopes.array().compactMap(\.string)
        }
        for (key, value) in entry["params"]?.mapping ?? Node.Mapping([]) {
            guard let name = key.string, let text = value.scalar?.string else { continue }
            provider.parameters.append((name, text))
        }
        provider.redirectURI = try text("redirect_uri")
        // Version 0.1.0 wrote none: what it said to register is registered.
        provider.redirectPath = try text("redirect_path") ?? Provider.sharedRedirectPath
        guard provider.redirectPath.hasPrefix("/"), !provider.redirectPath.contains("?"),
            (try? HTTPURL("http://127.0.0.1" + provider.redirectPath)) != nil
        else {
            throw ProviderError.invalid(
                setting: "\(id): redirect_path", reason: "'\(ServerText(provider.redirectPath))' is no path")
        }
        provider.trustsEmail = entry["trust_email"]?.bool ?? false
        provider.allowsPlainHTTP = entry["allow_http"]?.bool ?? false
        if let mode = try text("nonce_mode") {
            guard let known = Dialect.NonceMode(rawValue: mode) else {
                throw ProviderError.invalid(setting: "\(id): nonce_mode", reason: "'\(mode)' is neither raw nor sha256")
            }
            provider.nonceMode = known
        }
        if let document = try text("discovery") {
            guard let known = Discovery.Document(rawValue: document) else {
                throw ProviderError.invalid(
                    setting: "\(id): discovery", reason: "'\(document)' is neither openid nor oauth")
            }
            provider.discovery = known
        }
        provider.privateKeyFile = try text("private_key")
        provider.privateKeyPassphraseFile = try text("private_key_passphrase_file")
        provider.keyID = try text("key_id")
        if let name = try text("key_alg") {
            guard let known = SignatureAlgorithm(rawValue: name) else {
                throw ProviderError.invalid(setting: "\(id): key_alg", reason: "'\(ServerText(name))' is not known")
            }
            provider.keyAlgorithm = known
        }
        if let name = try text("assertion_audience") {
            guard let known = ClientAuthentication.Audience(rawValue: name) else {
                throw ProviderError.invalid(
                    setting: "\(id): assertion_audience",
                    reason: "'\(ServerText(name))' is neither issuer nor token-endpoint")
            }
            provider.assertionAudience = known
        }
        func endpoint(_ name: String) throws -> HTTPURL? {
            try text(name).map {
                try ConfigFile.endpoint($0, of: provider, setting: "\(id): \(name)")
            }
        }
        provider.deviceAuthorizationEndpoint = try endpoint("device_authorization_endpoint")
        provider.revocationEndpoint = try endpoint("revocation_endpoint")
        provider.teamID = try text("team_id")
        if let tenant = try text("tenant") { provider.tenant = tenant }
        provider.apiHosts = entry["api_hosts"]?.array().compactMap(\.string) ?? []
        return (
            provider, SecretSource(file: try text("client_secret_file"), environment: try text("client_secret_env"))
        )
    }

    /// A provider as its place alone describes it: a built-in one has its own, unless a base URL moves it; any other has
    /// an issuer.
    /// - Throws: `ProviderError`.
    public static func bare(
        _ id: String, issuer: String?, baseURL: String?, preset: String? = nil, clientID: String?
    ) throws(ProviderError) -> Provider {
        guard let clientID else { throw .invalid(setting: id, reason: "'client_id' is needed") }
        guard clientID.isPrintableASCII else {
            throw .invalid(setting: "\(id): client_id", reason: "it has characters that none may have (RFC 6749 A.1)")
        }
        if Provider.isBuiltIn(id) {
            guard issuer == nil else {
                throw .invalid(setting: "\(id): issuer", reason: "it is built in; 'base_url' moves it as a whole")
            }
            let base: HTTPURL? = if let baseURL { try self.issuer(baseURL, setting: "\(id): base_url") } else { nil }
            do { return try Provider(builtIn: id, clientID: clientID, baseURL: base) } catch { throw .unknownID(id) }
        }
        guard let issuer else { throw .invalid(setting: id, reason: "'issuer' is needed") }
        guard baseURL == nil else {
            throw .invalid(setting: "\(id): base_url", reason: "only built-in providers have one; change its 'issuer'")
        }
        var known: Dialect.Preset?
        if let preset {
            known = Dialect.Preset(rawValue: preset)
            guard known != nil else {
                throw .invalid(setting: "\(id): preset", reason: "'\(ServerText(preset))' is not known")
            }
        }
        return Provider(
            id: id, issuer: try self.issuer(issuer, setting: "\(id): issuer"), clientID: clientID, preset: known)
    }

    /// Reads an issuer: https, or http on loopback; without query and fragment (OpenID Connect Discovery section 3).
    /// - Throws: `ProviderError.invalid`.
    public static func issuer(_ text: String, setting: String) throws(ProviderError) -> HTTPURL {
        let url: HTTPURL
        do {
            url = try HTTPURL(text)
        } catch .userInfo {
            throw .invalid(setting: setting, reason: "'\(ServerText(text))' has a user name before its host")
        } catch .host {
            throw .invalid(setting: setting, reason: "'\(ServerText(text))' has no host that can be trusted to be one")
        } catch {
            throw .invalid(setting: setting, reason: "'\(ServerText(text))' is no https URL")
        }
        guard url.query == nil else { throw .invalid(setting: setting, reason: "'\(text)' has a query") }
        return url
    }

    /// Reads an endpoint that no document of a discovered provider names: https, or plain http on loopback or where the
    /// entry allows it.
    /// - Throws: `ProviderError.invalid`.
    public static func endpoint(
        _ text: String, of provider: Provider, setting: String
    ) throws(ProviderError) -> HTTPURL {
        guard !Provider.isBuiltIn(provider.id) else {
            throw .invalid(setting: setting, reason: "it is built in; 'base_url' moves it as a whole")
        }
        guard let url = try? HTTPURL(text), url.isSecure || url.isLoopback || provider.allowsPlainHTTP else {
            throw .invalid(setting: setting, reason: "'\(ServerText(text))' is no https URL")
        }
        return url
    }

    /// Writes one provider's entry, replacing an older one.
    public mutating func set(_ provider: Provider, secret: SecretSource, profile: String) throws {
        let entry = ConfigFile.entry(provider, secret)
        try changeProviders(profile) { $0[Node(provider.id)] = .mapping(entry) }
    }

    private func entry(_ id: String, _ profile: String) throws -> Node.Mapping? {
        try profileMapping(profile)?["providers"]?.mapping?[Node(id)]?.mapping
    }

    /// The settings of the entry that is there which this one does not have, by their names in the file.
    /// - Throws: `StoreError`.
    public func dropped(by provider: Provider, profile: String) throws -> [String] {
        let new = ConfigFile.entry(provider, SecretSource())
        return try (entry(provider.id, profile)?.keys.compactMap(\.string) ?? []).filter { new[Node($0)] == nil }
    }

    /// Changes settings of an entry that is there, and leaves the others as they are.
    /// - Parameters:
    ///   - names: what takes the value that `provider` or `secret` has, by the names in the file; to a list it is added.
    ///   - removed: what is taken out before.
    /// - Throws: `ProviderError.notConfigured`, `StoreError`.
    public mutating func change(
        _ names: [String], to provider: Provider?, secret: SecretSource, without removed: [String], of id: String,
        profile: String
    ) throws {
        guard var entry = try entry(id, profile) else { throw ProviderError.notConfigured(id) }
        for name in removed { entry[Node(name)] = nil }
        if let provider {
            var new = ConfigFile.entry(provider, secret)
            // The usual ones are not written, but they can be added.
            new["scopes"] = Node(provider.scopes.map { Node($0) }, Tag(.seq), .flow)
            for key in names.map({ Node($0) }) { entry[key] = ConfigFile.joined(entry[key], new[key]) }
        }
        try changeProviders(profile) { $0[Node(id)] = .mapping(entry) }
    }

    /// Lists and mappings are added to, anything else is replaced.
    private static func joined(_ old: Node?, _ new: Node?) -> Node? {
        if let added = new?.mapping, var all = old?.mapping {
            for (key, value) in added { all[key] = value }
            return .mapping(all)
        }
        guard let added = new?.sequence, let old else { return new }
        let before = old.scalar.map { Scopes.split($0.string) } ?? old.array().compactMap(\.string)
        let more = added.compactMap(\.string).filter { !before.contains($0) }
        return Node((before + more).map { Node($0) }, Tag(.seq), .flow)
    }

    /// One provider's entry as it is written.
    private static func entry(_ provider: Provider, _ secret: SecretSource) -> Node.Mapping {
        var entry = Node.Mapping([])
        if let base = provider.baseURL { entry["base_url"] = Node(base.text) }
        if !Provider.isBuiltIn(provider.id) { entry["issuer"] = Node(provider.issuer.text) }
        if let preset = provider.preset { entry["preset"] = Node(preset.rawValue) }
        entry["client_id"] = Node(provider.clientID)
        if let method = provider.authenticationMethod { entry["auth_method"] = Node(method.rawValue) }
        if provider.scopes != provider.dialect.defaultScopes {
            entry["scopes"] = Node(provider.scopes.map { Node($0) }, Tag(.seq), .flow)
        }
        if !provider.parameters.isEmpty {
            entry["params"] = .mapping(Node.Mapping(provider.parameters.map { (Node($0.0), Node($0.1)) }))
        }
        if provider.discovery != .openID { entry["discovery"] = Node(provider.discovery.rawValue) }
        if let uri = provider.redirectURI { entry["redirect_uri"] = Node(uri) }
        if provider.redirectPath != Provider.sharedRedirectPath, provider.dialect.redirect != .publicURL {
            entry["redirect_path"] = Node(provider.redirectPath)
        }
        if provider.trustsEmail { entry["trust_email"] = Node("true", Tag(.bool)) }
        if provider.allowsPlainHTTP { entry["allow_http"] = Node("true", Tag(.bool)) }
        if provider.nonceMode != provider.dialect.nonceMode { entry["nonce_mode"] = Node(provider.nonceMode.rawValue) }
        if let file = provider.privateKeyFile { entry["private_key"] = Node(file) }
        if let file = provider.privateKeyPassphraseFile { entry["private_key_passphrase_file"] = Node(file) }
        if let keyID = provider.keyID { entry["key_id"] = Node(keyID) }
        if let algorithm = provider.keyAlgorithm { entry["key_alg"] = Node(algorithm.rawValue) }
        if provider.assertionAudience != .issuer {
            entry["assertion_audience"] = Node(provider.assertionAudience.rawValue)
        }
        if let url = provider.deviceAuthorizationEndpoint { entry["device_authorization_endpoint"] = Node(url.text) }
        if let url = provider.revocationEndpoint { entry["revocation_endpoint"] = Node(url.text) }
        if let teamID = provider.teamID { entry["team_id"] = Node(teamID) }
        if let tenant = provider.tenant, tenant != Provider.defaultTenant { entry["tenant"] = Node(tenant) }
        if !provider.apiHosts.isEmpty {
            entry["api_hosts"] = Node(provider.apiHosts.map { Node($0) }, Tag(.seq), .flow)
        }
        if let file = secret.file { entry["client_secret_file"] = Node(file) }
        if let variable = secret.environment { entry["client_secret_env"] = Node(variable) }
        return entry
    }

    /// Removes one provider's entry; false when there was none.
    public mutating func remove(_ id: String, profile: String) throws -> Bool {
        guard try providerIDs(profile: profile).contains(id) else { return false }
        try changeProviders(profile) { $0[Node(id)] = nil }
        return true
    }

    private mutating func changeProviders(_ profile: String, _ change: (inout Node.Mapping) -> Void) throws {
        try self.change(profile) { entry in
            var providers = entry["providers"]?.mapping ?? Node.Mapping([])
            change(&providers)
            entry["providers"] = .mapping(providers)
        }
    }

    private mutating func change(_ profile: String, _ change: (inout Node.Mapping) -> Void) throws {
        var profiles = root["profiles"]?.mapping ?? Node.Mapping([])
        var entry = try profileMapping(profile) ?? Node.Mapping([])
        change(&entry)
        profiles[Node(profile)] = .mapping(entry)
        root["profiles"] = .mapping(profiles)
    }
}

/// What `config.yaml` says of a Firebase project.
public struct FirebaseSettings: Sendable, Equatable {
    public var apiKey: String
    public var projectID: String
    public var authDomain: String?
    public var tenantID: String?
    public var locale: String?
    public var bundleID: String?
    /// Where providers whose client is the project send people back; nil for `http://localhost:8400/callback`.
    public var redirectURI: String?
    /// A host besides this machine whose emulator may be spoken to, over plain http.
    public var emulatorHost: String?

    public init(
        apiKey: String, projectID: String, authDomain: String? = nil, tenantID: String? = nil, locale: String? = nil,
        bundleID: String? = nil, redirectURI: String? = nil, emulatorHost: String? = nil
    ) {
        self.apiKey = apiKey
        self.projectID = projectID
        self.authDomain = authDomain
        self.tenantID = tenantID
        self.locale = locale
        self.bundleID = bundleID
        self.redirectURI = redirectURI
        self.emulatorHost = emulatorHost
    }
}

extension FirebaseSettings {
    /// Finds a project in what the console hands out: a `firebaseConfig` as JSON or JavaScript, `google-services.json`, or
    /// `GoogleService-Info.plist`. Nil when there is none.
    public init?(configuration text: String) {
        func isPlain(_ text: String) -> Bool { FirebaseSettings.plain(text[...]) != nil }
        if let object = try? StrictJSON.object(Array(text.utf8)) {
            if let project = object["project_info"]?.object?["project_id"]?.string,
                let client = object["client"]?.array?.first?.object,
                let key = client["api_key"]?.array?.first?.object?["current_key"]?.string, isPlain(key),
                isPlain(project)
            {
                self.init(apiKey: key, projectID: project)
                return
            }
            // The console's own shape, or a server's answer at /__/firebase/init.json.
            guard let key = object["apiKey"]?.string, let project = object["projectId"]?.string, isPlain(key),
                isPlain(project)
            else { return nil }
            let domain = object["authDomain"]?.string
            self.init(apiKey: key, projectID: project, authDomain: domain.flatMap { isPlain($0) ? $0 : nil })
            return
        }
        func value(plist name: String) -> String? {
            guard let key = text.firstRange(of: "<key>\(name)</key>"),
                let start = text[key.upperBound...].firstRange(of: "<string>"),
                text[key.upperBound..<start.lowerBound].allSatisfy(\.isWhitespace),
                let end = text[start.upperBound...].firstRange(of: "</string>")
            else { return nil }
            return FirebaseSettings.plain(text[start.upperBound..<end.lowerBound])
        }
        if let key = value(plist: "API_KEY"), let project = value(plist: "PROJECT_ID") {
            self.init(apiKey: key, projectID: project, bundleID: value(plist: "BUNDLE_ID"))
            return
        }
        func value(script name: String) -> String? {
            guard let found = text.firstRange(of: name) else { return nil }
            let rest = text[found.upperBound...].drop { $0 == "\"" || $0 == "'" }.drop(while: \.isWhitespace)
            guard rest.first == ":" else { return nil }
            let quoted = rest.dropFirst().drop(while: \.isWhitespace)
            guard let quote = quoted.first, quote == "\"" || quote == "'" else { return nil }
            return FirebaseSettings.plain(quoted.dropFirst().prefix { $0 != quote })
        }
        guard let key = value(script: "apiKey"), let project = value(script: "projectId") else { return nil }
        self.init(apiKey: key, projectID: project, authDomain: value(script: "authDomain"))
    }

    /// A value of letters, digits and the marks that such values have.
    private static func plain(_ text: Substring) -> String? {
        let isPlain = text.utf8.allSatisfy {
            $0.isLetterOrDigit || [0x2D, 0x2E, 0x3A, 0x5F].contains($0)
        }
        return isPlain && (1...256).contains(text.utf8.count) ? String(text) : nil
    }
}
