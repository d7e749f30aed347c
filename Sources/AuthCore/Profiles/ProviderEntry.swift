/// One entry of `providers` in `config.yaml`, and the provider that it describes.
package struct ProviderEntry {
    package var provider: Provider
    package var secret: SecretSource

    /// How a provider's secret is found, where it is not sealed in the store.
    package struct SecretSource: Sendable, Equatable {
        package var file: String?
        package var environment: String?

        package init(file: String? = nil, environment: String? = nil) {
            self.file = file
            self.environment = environment
        }
    }

    init(_ provider: Provider, secret: SecretSource = SecretSource()) {
        self.provider = provider
        self.secret = secret
    }

    /// What an entry can have.
    static let keys = [
        "base_url", "issuer", "preset", "client_id", "auth_method", "scopes", "params", "discovery", "redirect_uri",
        "redirect_path", "trust_email", "allow_http", "nonce_mode", "private_key", "private_key_passphrase_file",
        "certificate", "key_id", "key_alg", "assertion_audience", "device_authorization_endpoint",
        "revocation_endpoint",
        "pushed_authorization_request_endpoint", "par", "dpop", "fapi2", "team_id", "tenant",
        "api_hosts", "made_for", "client_secret_file", "client_secret_env",
    ]

    // MARK: Reading

    /// - Parameters:
    ///   - text: the bytes that it was read from: where a setting is missing, a key that looks like it is told.
    ///   - redirectPath: of an entry that names none; nil for one of its own.
    /// - Throws: `ProviderError` for a setting that cannot be used.
    init(_ entry: YAMLMapping, of id: String, in text: [UInt8], redirectPath: String?) throws {
        do {
            try self.init(entry, of: id, redirectPath: redirectPath)
        } catch ProviderError.invalid(let setting, .missing(let names)) {
            throw ProviderError.invalid(
                setting: setting, entry.missing(names, known: ProviderEntry.keys, in: text))
        }
    }

    private init(_ entry: YAMLMapping, of id: String, redirectPath: String?) throws {
        func text(_ name: String) throws -> String? {
            guard let value = entry[name] else { return nil }
            guard let text = value.text else {
                throw ProviderError.invalid(setting: "\(id): \(name)", .notText)
            }
            return text
        }
        var provider = try ProviderEntry.bare(
            id, issuer: try text("issuer"), baseURL: try text("base_url"), preset: try text("preset"),
            clientID: try text("client_id"))
        if let method = try text("auth_method") {
            guard let known = ClientAuthentication.Method(rawValue: method) else {
                throw ProviderError.invalid(setting: "\(id): auth_method", .unknown(ServerText(method)))
            }
            provider.authenticationMethod = known
        }
        if let scopes = entry["scopes"] {
            provider.scopes = scopes.text.map(Scopes.split) ?? scopes.texts
        }
        for parameter in entry["params"]?.mapping?.entries ?? [] {
            guard let name = parameter.key.text, let text = parameter.value.text else { continue }
            provider.parameters.append((name, text))
        }
        provider.redirectURI = try text("redirect_uri")
        provider.redirectPath = try text("redirect_path") ?? redirectPath ?? provider.redirectPath
        guard provider.redirectPath.hasPrefix("/"), !provider.redirectPath.contains("?"),
            (try? HTTPURL("http://127.0.0.1" + provider.redirectPath)) != nil
        else {
            throw ProviderError.invalid(
                setting: "\(id): redirect_path", .noPath(ServerText(provider.redirectPath)))
        }
        provider.trustsEmail = entry["trust_email"]?.bool ?? false
        provider.allowsPlainHTTP = entry["allow_http"]?.bool ?? false
        if let mode = try text("nonce_mode") {
            guard let known = Dialect.NonceMode(rawValue: mode) else {
                throw ProviderError.invalid(
                    setting: "\(id): nonce_mode",
                    .noneOf(Dialect.NonceMode.allCases.map(\.rawValue), ServerText(mode)))
            }
            provider.nonceMode = known
        }
        if let document = try text("discovery") {
            guard let known = Discovery.Document(rawValue: document) else {
                throw ProviderError.invalid(
                    setting: "\(id): discovery",
                    .noneOf(Discovery.Document.allCases.map(\.rawValue), ServerText(document)))
            }
            provider.discovery = known
        }
        provider.privateKeyFile = try text("private_key")
        provider.privateKeyPassphraseFile = try text("private_key_passphrase_file")
        provider.certificateFile = try text("certificate")
        provider.keyID = try text("key_id")
        if let name = try text("key_alg") {
            guard let known = SignatureAlgorithm(rawValue: name) else {
                throw ProviderError.invalid(setting: "\(id): key_alg", .unknown(ServerText(name)))
            }
            provider.keyAlgorithm = known
        }
        if let name = try text("assertion_audience") {
            guard let known = ClientAuthentication.Audience(rawValue: name) else {
                throw ProviderError.invalid(
                    setting: "\(id): assertion_audience",
                    .noneOf(ClientAuthentication.Audience.allCases.map(\.rawValue), ServerText(name)))
            }
            provider.assertionAudience = known
        }
        func endpoint(_ name: String) throws -> HTTPURL? {
            try text(name).map {
                try ProviderEntry.endpoint($0, of: provider, setting: "\(id): \(name)")
            }
        }
        provider.deviceAuthorizationEndpoint = try endpoint("device_authorization_endpoint")
        provider.revocationEndpoint = try endpoint("revocation_endpoint")
        provider.pushedRequestEndpoint = try endpoint("pushed_authorization_request_endpoint")
        /// What protects is not off because its word is none.
        func isOn(_ name: String) throws -> Bool {
            guard let value = entry[name] else { return false }
            guard let isOn = value.bool else {
                throw ProviderError.invalid(
                    setting: "\(id): \(name)", .noneOf(["true", "false"], ServerText(value.text ?? "")))
            }
            return isOn
        }
        provider.pushesRequests = try isOn("par")
        provider.bindsTokens = try isOn("dpop")
        provider.isFAPI2 = try isOn("fapi2")
        provider.teamID = try text("team_id")
        if let tenant = try text("tenant") { provider.tenant = tenant }
        provider.apiHosts = entry["api_hosts"]?.texts ?? []
        provider.madeFor = try text("made_for")
        self.provider = provider
        secret = SecretSource(file: try text("client_secret_file"), environment: try text("client_secret_env"))
    }

    /// A provider as its place alone describes it: a built-in one has its own, unless a base URL moves it; any other has
    /// an issuer.
    /// - Throws: `ProviderError`.
    package static func bare(
        _ id: String, issuer: String?, baseURL: String?, preset: String? = nil, clientID: String?
    ) throws(ProviderError) -> Provider {
        guard let clientID else { throw .invalid(setting: id, .missing(["client_id"])) }
        guard clientID.isPrintableASCII else {
            throw .invalid(setting: "\(id): client_id", .notPrintable)
        }
        if Provider.isBuiltIn(id) {
            guard issuer == nil else {
                throw .invalid(setting: "\(id): issuer", .builtIn)
            }
            let base: HTTPURL? = if let baseURL { try self.issuer(baseURL, setting: "\(id): base_url") } else { nil }
            do { return try Provider(builtIn: id, clientID: clientID, baseURL: base) } catch { throw .unknownID(id) }
        }
        guard let issuer else { throw .invalid(setting: id, .missing(["issuer"])) }
        guard baseURL == nil else {
            throw .invalid(setting: "\(id): base_url", .onlyForBuiltIn)
        }
        var known: Dialect.Preset?
        if let preset {
            known = Dialect.Preset(rawValue: preset)
            guard known != nil else {
                throw .invalid(setting: "\(id): preset", .unknown(ServerText(preset)))
            }
        }
        return Provider(
            id: id, issuer: try self.issuer(issuer, setting: "\(id): issuer"), clientID: clientID, preset: known)
    }

    /// Reads an issuer: https, or http on loopback; without query and fragment (OpenID Connect Discovery section 3).
    /// - Throws: `ProviderError.invalid`.
    package static func issuer(_ text: String, setting: String) throws(ProviderError) -> HTTPURL {
        let url: HTTPURL
        do {
            url = try HTTPURL(text)
        } catch .userInfo {
            throw .invalid(setting: setting, .userName(ServerText(text)))
        } catch .host {
            throw .invalid(setting: setting, .doubtfulHost(ServerText(text)))
        } catch {
            throw .invalid(setting: setting, .noHTTPSURL(ServerText(text)))
        }
        guard url.query == nil else { throw .invalid(setting: setting, .query(ServerText(text))) }
        return url
    }

    /// Reads an endpoint that no document of a discovered provider names: https, or plain http on loopback or where the
    /// entry allows it.
    /// - Throws: `ProviderError.invalid`.
    package static func endpoint(
        _ text: String, of provider: Provider, setting: String
    ) throws(ProviderError) -> HTTPURL {
        guard !Provider.isBuiltIn(provider.id) else {
            throw .invalid(setting: setting, .builtIn)
        }
        guard let url = try? HTTPURL(text), url.isSecure || url.isLoopback || provider.allowsPlainHTTP else {
            throw .invalid(setting: setting, .noHTTPSURL(ServerText(text)))
        }
        return url
    }

    // MARK: Writing

    /// As it is written: what is usual is left out.
    var mapping: YAMLMapping {
        var entry = YAMLMapping()
        if let base = provider.baseURL { entry["base_url"] = .text(base.text) }
        if !Provider.isBuiltIn(provider.id) { entry["issuer"] = .text(provider.issuer.text) }
        if let preset = provider.preset { entry["preset"] = .text(preset.rawValue) }
        entry["client_id"] = .text(provider.clientID)
        if let method = provider.authenticationMethod { entry["auth_method"] = .text(method.rawValue) }
        if provider.scopes != provider.dialect.defaultScopes {
            entry["scopes"] = .texts(provider.scopes)
        }
        if !provider.parameters.isEmpty {
            var parameters = YAMLMapping()
            for (name, value) in provider.parameters { parameters[name] = .text(value) }
            entry["params"] = .mapping(parameters)
        }
        if provider.discovery != .openID { entry["discovery"] = .text(provider.discovery.rawValue) }
        if let uri = provider.redirectURI { entry["redirect_uri"] = .text(uri) }
        if provider.redirectPath != Provider.sharedRedirectPath, provider.dialect.redirect != .publicURL {
            entry["redirect_path"] = .text(provider.redirectPath)
        }
        if provider.trustsEmail { entry["trust_email"] = .bool(true) }
        if provider.allowsPlainHTTP { entry["allow_http"] = .bool(true) }
        if provider.nonceMode != provider.dialect.nonceMode { entry["nonce_mode"] = .text(provider.nonceMode.rawValue) }
        if let file = provider.privateKeyFile { entry["private_key"] = .text(file) }
        if let file = provider.privateKeyPassphraseFile { entry["private_key_passphrase_file"] = .text(file) }
        if let file = provider.certificateFile { entry["certificate"] = .text(file) }
        if let keyID = provider.keyID { entry["key_id"] = .text(keyID) }
        if let algorithm = provider.keyAlgorithm { entry["key_alg"] = .text(algorithm.rawValue) }
        if provider.assertionAudience != .issuer {
            entry["assertion_audience"] = .text(provider.assertionAudience.rawValue)
        }
        if let url = provider.deviceAuthorizationEndpoint { entry["device_authorization_endpoint"] = .text(url.text) }
        if let url = provider.revocationEndpoint { entry["revocation_endpoint"] = .text(url.text) }
        if let url = provider.pushedRequestEndpoint { entry["pushed_authorization_request_endpoint"] = .text(url.text) }
        if provider.pushesRequests { entry["par"] = .bool(true) }
        if provider.bindsTokens { entry["dpop"] = .bool(true) }
        if provider.isFAPI2 { entry["fapi2"] = .bool(true) }
        if let teamID = provider.teamID { entry["team_id"] = .text(teamID) }
        if let tenant = provider.tenant, tenant != Provider.defaultTenant { entry["tenant"] = .text(tenant) }
        if !provider.apiHosts.isEmpty {
            entry["api_hosts"] = .texts(provider.apiHosts)
        }
        if let origin = provider.madeFor { entry["made_for"] = .text(origin) }
        if let file = secret.file { entry["client_secret_file"] = .text(file) }
        if let variable = secret.environment { entry["client_secret_env"] = .text(variable) }
        return entry
    }

    /// The values that `names` have here, for an entry that is there: lists and mappings are added to, anything else is
    /// replaced.
    func put(_ names: [String], into entry: inout YAMLMapping) {
        var new = mapping
        // The usual ones are not written, but they can be added.
        new["scopes"] = .texts(provider.scopes)
        for name in names { entry[name] = ProviderEntry.joined(entry[name], new[name]) }
    }

    private static func joined(_ old: YAMLNode?, _ new: YAMLNode?) -> YAMLNode? {
        if let added = new?.mapping, var all = old?.mapping {
            for entry in added.entries { if let name = entry.key.text { all[name] = entry.value } }
            return .mapping(all)
        }
        guard let added = new?.sequence, let old else { return new }
        let before = old.text.map(Scopes.split) ?? old.texts
        return .texts(before + added.compactMap(\.text).filter { !before.contains($0) })
    }
}
