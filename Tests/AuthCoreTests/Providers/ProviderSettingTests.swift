import Testing

@testable import AuthCore

@Suite struct `The table of provider settings` {
    private func file(_ text: String) throws -> ConfigFile { try ConfigFile(Array(text.utf8), path: "config.yaml") }

    /// Each setting of an `oidc.NAME`, with a value that is not the default.
    private static let all = """
        profiles:
          default:
            providers:
              oidc.a: {issuer: 'https://a.example', preset: okta, tenant: t, client_id: c, client_secret_file: /s,
                client_secret_env: S, scopes: [x, y], redirect_uri: 'http://127.0.0.1/r', redirect_path: /p,
                auth_method: none, private_key: /k, private_key_passphrase_file: /w, key_id: k, key_alg: ES256,
                ca_file: /a, certificate: /c, assertion_audience: token-endpoint, assertion_from: oidc.b, discovery: oauth,
                allow_http: yes, trusted_audiences: [d, e], nonce_required: false, response_mode: form_post,
                nonce_mode: sha256, device_authorization_endpoint: 'http://a.example/d',
                revocation_endpoint: 'https://a.example/r', pushed_authorization_request_endpoint: 'https://a.example/p',
                api_hosts: [h.example], par: true, dpop: on, fapi2: True, trust_email: true, team_id: T,
                app_id: 1, params: {a: b, c: d}, made_for: 'https://m.example'}
              oauth.a: {client_id: c, authorization_endpoint: 'https://a.example/a', token_endpoint: 'https://a.example/t',
                userinfo_endpoint: 'https://a.example/u', userinfo_body: '{}', uid_path: a.b, name_path: n, email_path: e,
                scope_separator: ',', api_headers: {A: b}, service: birds}

        """

    @Test func `Each provider setting is written and read back unchanged`() throws {
        var unset = Set(Provider.settings.map(\.key))
        for id in ["oidc.a", "oauth.a"] {
            let provider = try #require(try file(Self.all).provider(id, profile: "default"))
            unset.formIntersection(Provider.settings.filter { $0.isDefault(provider) }.map(\.key))
            var new = try file("")
            try new.set(provider, profile: "default")
            let text = String(decoding: try new.bytes(), as: UTF8.self)
            let again = try #require(try file(text).provider(id, profile: "default"))
            for setting in Provider.settings {
                #expect(setting.written(again)?.json == setting.written(provider)?.json, "\(setting.key)")
            }
            #expect(again.dialect.defaultScopes == provider.dialect.defaultScopes)
        }
        #expect(unset == ["base_url"])
    }

    @Test func `The nonce is always required of built-in providers`() throws {
        let text = "profiles: {default: {providers: {apple.com: {client_id: c, nonce_required: false}}}}"
        let (setting, fault) = ("apple.com: nonce_required", SettingFault.issuerOfBuiltIn("apple.com"))
        #expect(throws: ConfigFileError.invalid(path: "config.yaml", setting: setting, fault)) {
            try file(text).provider("apple.com", profile: "default")
        }
    }

    @Test func `Settings with their default value are not written`() throws {
        let text =
            "profiles: {default: {providers: {github.com: {client_id: c}, oidc.a: {issuer: 'https://a.example',\n client_id: c}}}}"
        for (id, keys) in [("github.com", ["client_id"]), ("oidc.a", ["issuer", "client_id"])] {
            let provider = try #require(try file(text).provider(id, profile: "default"))
            #expect(Provider.settings.filter { !$0.isDefault(provider) }.map(\.key) == keys)
        }
    }

    @Test func `Setting names and options are unique`() {
        let keys = Provider.settings.map(\.key)
        let options = Provider.settings.compactMap(\.option)
        #expect(Set(keys).count == keys.count && Set(options).count == options.count)
        #expect(Provider.settings.compactMap(\.owner).allSatisfy(keys.contains))
        #expect(Provider.settings.first { $0.key == "private_key_passphrase_file" }?.jsonName == "privateKeyPassphrase")
    }
}
