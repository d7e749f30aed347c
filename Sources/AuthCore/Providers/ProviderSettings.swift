package typealias ProviderSetting = Setting<Provider>

extension Provider {
    package static let settings: [ProviderSetting] = [
        // `Provider.init` reads the settings without a `store` closure.
        ProviderSetting("base_url", value: { $0.baseURL.map { .text($0.text) } }, isDefault: { $0.baseURL == nil })
            .relevant { $0.isBuiltIn },
        ProviderSetting(
            "issuer", value: { .text($0.issuer.text) }, isDefault: { $0.isBuiltIn || $0.tokenEndpoint != nil }
        )
        .required(),
        ProviderSetting(
            "preset", value: { $0.preset.map { .text($0.rawValue) } },
            isDefault: { $0.preset == nil || $0.isPlainOAuth }),
        .text("tenant", at: \.tenant, default: { $0.tenant == nil ? nil : defaultTenant })
            .relevant { $0.tenant != nil },
        ProviderSetting(
            "client_id", value: { $0.clientID.isEmpty ? nil : .text($0.clientID) }, isDefault: { _ in false }
        )
        .required(),
        .text("client_secret_file", at: \.clientSecretFile, as: .file).named("client-secret"),
        .text("client_secret_env", at: \.clientSecretVariable, as: .variable).hidden()
            .with("client_secret_file").named(nil),
        .list("scopes", at: \.scopes, as: .words, default: { $0.dialect.defaultScopes }),
        ProviderSetting(
            "params", as: .pairs, value: { .pairs($0.parameters) }, isDefault: { $0.parameters.isEmpty },
            store: { value, provider in if case .pairs(let pairs) = value { provider.parameters = pairs } }
        ).shown(inText: false),
        .text("redirect_uri", at: \.redirectURI),
        ProviderSetting("redirect_path", at: \.redirectPath, default: unwrittenPath, parse: path, format: { .text($0) })
            .hidden().named(nil),
        .word("auth_method", at: \.authenticationMethod),
        ProviderSetting("app_id", at: \.appID, default: { _ in nil }, parse: number, format: { $0.map { .text($0) } })
            .relevant { $0.dialect.installations != nil },
        .text("private_key", at: \.privateKeyFile, as: .file),
        .text("private_key_passphrase_file", at: \.privateKeyPassphraseFile, as: .file)
            .with("private_key").relevant(hasPrivateKey),
        .text("key_id", at: \.keyID).relevant(hasPrivateKey),
        .word("key_alg", at: \.keyAlgorithm).with("private_key").relevant(hasPrivateKey),
        ProviderSetting(
            "ca_file", at: \.authorityFile, as: .file, default: { _ in nil }, parse: absolutePath,
            format: { $0.map { .text($0) } }),
        .text("certificate", at: \.certificateFile, as: .file),
        .choice("assertion_audience", at: \.assertionAudience, default: { _ in .issuer }),
        ProviderSetting(
            "assertion_from", at: \.assertionFrom, default: { _ in nil }, parse: provider,
            format: { $0.map { .text($0) } }
        ).relevant { !$0.isBuiltIn },
        .choice("discovery", at: \.discovery, default: { $0.isPlainOAuth ? .oauth : .openID }),
        // Read before the endpoints, which may then use plain http.
        .flag("allow_http", at: \.allowsPlainHTTP),
        .choice("nonce_mode", at: \.nonceMode, default: { $0.dialect.nonceMode }),
        .list("trusted_audiences", at: \.trustedAudiences),
        ProviderSetting(
            "nonce_required", as: .flag, value: { .flag($0.requiresNonce) }, isDefault: { $0.requiresNonce },
            store: { (value, provider) throws(SettingFault) in
                provider.requiresNonce = try value.isOn()
                guard provider.requiresNonce || !provider.isBuiltIn else { throw .issuerOfBuiltIn(provider.id) }
            }
        ).relevant { !$0.isBuiltIn },
        .word("response_mode", at: \.responseMode),
        .endpoint("authorization_endpoint", \.authorizationEndpoint),
        .endpoint("token_endpoint", \.tokenEndpoint),
        .endpoint("userinfo_endpoint", \.userAPI.endpoint),
        .text("userinfo_body", at: \.userAPI.body),
        .text("uid_path", at: \.userAPI.uidPath),
        .text("name_path", at: \.userAPI.namePath),
        .text("email_path", at: \.userAPI.emailPath),
        ProviderSetting(
            "scope_separator", at: \.scopeSeparator, default: { _ in " " },
            parse: { (value) throws(SettingFault) in try value.string() }, format: { .text($0) }),
        ProviderSetting(
            "api_headers", as: .pairs, value: { .pairs($0.apiHeaders) }, isDefault: { $0.apiHeaders.isEmpty },
            store: { (value, provider) throws(SettingFault) in
                guard case .pairs(let pairs) = value else { return }
                for (name, value) in pairs where !HTTPFieldProblem.isSettable(name, value) {
                    throw .header(ServerText(name))
                }
                provider.apiHeaders = pairs
            }),
        .endpoint("device_authorization_endpoint", \.deviceAuthorizationEndpoint),
        .endpoint("revocation_endpoint", \.revocationEndpoint),
        .endpoint("pushed_authorization_request_endpoint", \.pushedRequestEndpoint).named("par-endpoint"),
        .list("api_hosts", at: \.apiHosts),
        .flag("par", at: \.pushesRequests),
        .flag("dpop", at: \.bindsTokens),
        .flag("fapi2", at: \.isFAPI2),
        .flag("trust_email", at: \.trustsEmail),
        .text("team_id", at: \.teamID).relevant { $0.dialect.signsClientSecret },
        .text("service", at: \.service).named(nil),
        .text("made_for", at: \.addedForResource).shown(inText: false).named(nil),
    ]

    /// The settings of `oauth.NAME`. OpenID Connect defines what they replace.
    private static let settingsOfPlainOAuth: Set = [
        "authorization_endpoint", "token_endpoint", "userinfo_endpoint", "userinfo_body", "uid_path",
        "name_path", "email_path", "scope_separator",
    ]

    /// The settings that an entry of the catalog can have. The others name files, or only the user decides them.
    static let settingsOfEntries: [String] = {
        let ofUser: Set = [
            "base_url", "client_id", "redirect_uri", "redirect_path", "app_id", "team_id", "key_id",
            "key_alg", "assertion_from", "allow_http", "trusted_audiences", "trust_email", "service", "made_for",
        ]
        return settings.filter { !$0.kind.isOfMachine && !ofUser.contains($0.key) }.map(\.key)
    }()

    /// Checks that settings belong to this kind of provider, and that none of its own is missing.
    package func checkKind() throws(ProviderError) {
        if isPlainOAuth {
            guard (authorizationEndpoint == nil) == (tokenEndpoint == nil) else {
                throw .invalid(
                    setting: id, .missing([tokenEndpoint == nil ? "token_endpoint" : "authorization_endpoint"]))
            }
            guard userAPI.endpoint == nil || userAPI.uidPath != nil else {
                throw .invalid(setting: id, .missing(["uid_path"]))
            }
        } else if let setting = Provider.settings.first(where: {
            Provider.settingsOfPlainOAuth.contains($0.key) && !$0.isDefault(self)
        }) {
            throw invalid(setting.key, .onlyForPlainOAuth)
        }
    }

    @Sendable private static func hasPrivateKey(_ provider: Provider) -> Bool { provider.privateKeyFile != nil }

    @Sendable private static func unwrittenPath(_ provider: Provider) -> String {
        provider.dialect.redirect == .publicURL ? provider.redirectPath : sharedRedirectPath
    }

    @Sendable private static func number(_ value: SettingValue) throws(SettingFault) -> String? {
        let text = try value.string()
        guard text.hasOnlyDigits else { throw .notANumber(ServerText(text)) }
        return text
    }

    @Sendable private static func provider(_ value: SettingValue) throws(SettingFault) -> String? {
        let text = try value.string()
        guard (try? ProviderID(text)) != nil else { throw .unknown(ServerText(text)) }
        return text
    }

    /// A relative path would depend on the directory of each call.
    @Sendable private static func absolutePath(_ value: SettingValue) throws(SettingFault) -> String? {
        let path = try value.string()
        guard path.hasPrefix("/") else { throw .notAPath(ServerText(path)) }
        return path
    }

    @Sendable private static func path(_ value: SettingValue) throws(SettingFault) -> String {
        let path = try value.string()
        guard path.hasPrefix("/"), !path.contains("?"), (try? HTTPURL("http://127.0.0.1" + path)) != nil else {
            throw .notAPath(ServerText(path))
        }
        return path
    }
}

extension ProviderSetting {
    fileprivate static func endpoint(_ key: String, _ path: Path<HTTPURL?>) -> Setting {
        ProviderSetting(
            key, as: .endpoint, value: { $0[keyPath: path].map { .text($0.text) } },
            isDefault: { $0[keyPath: path] == nil },
            store: { (value, provider) throws(SettingFault) in
                let text = try value.string()
                guard !provider.isBuiltIn else { throw .builtIn }
                guard let url = try? HTTPURL(text), url.protectsSecrets || provider.allowsPlainHTTP else {
                    throw .notHTTPSURL(ServerText(text))
                }
                provider[keyPath: path] = url
            })
    }
}
