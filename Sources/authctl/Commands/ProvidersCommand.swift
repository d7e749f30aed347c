import ArgumentParser
import AuthCore

struct ProvidersCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "providers", abstract: "List, show, add, change, remove and check providers.",
        subcommands: [
            List.self, Show.self, ProvidersAddCommand.self, ProvidersSetCommand.self, Remove.self, Check.self,
        ])

    struct List: Command {
        static let configuration = CommandConfiguration(commandName: "list", abstract: "List the configured providers.")

        @OptionGroup var options: GlobalOptions

        var task: Undertaking { Undertaking("no providers", again: "authctl providers list") }

        func run(_ context: Context) async throws {
            let file = try context.configuration()
            let providers = try file.providerIDs(profile: context.profile).map { try context.provider($0).provider }
            context.output.result(["providers": .array(providers.map { ProviderText.json($0, nil) })]) {
                Table.lines(providers.map { [$0.id, $0.issuer.text, $0.clientID] })
            }
            if providers.isEmpty {
                context.output.note(
                    "no provider is configured; add one with: authctl providers add github.com --client-id …, or oidc.NAME --issuer https://… --client-id …"
                )
            }
        }
    }

    struct Show: Command {
        static let configuration = CommandConfiguration(
            commandName: "show", abstract: "Show one provider's settings; secrets only by their place.")

        @Argument(
            help: ArgumentHelp("The provider.", valueName: "id"),
            completion: .custom { _, _, _ in Completions.providers() })
        var id: String

        @OptionGroup var options: GlobalOptions

        var task: Undertaking { Undertaking("nothing to show", provider: id, again: "authctl providers list") }

        func run(_ context: Context) async throws {
            // What is built in can be looked at before it is configured.
            let isConfigured = try context.isEntered(id)
            let (provider, source) =
                !isConfigured && Provider.isBuiltIn(id)
                ? (try Provider(builtIn: id, clientID: ""), ConfigFile.SecretSource()) : try context.provider(id)
            let place = isConfigured ? try await ProviderText.secretPlace(source, provider, context) : nil
            context.output.result(ProviderText.json(provider, place)) { ProviderText.lines(provider, place) }
        }
    }

    struct Remove: Command {
        static let configuration = CommandConfiguration(
            commandName: "remove", abstract: "Remove a provider's entry and its sealed secret.")

        @Argument(
            help: ArgumentHelp("The provider.", valueName: "id"),
            completion: .custom { _, _, _ in Completions.providers() })
        var id: String

        @OptionGroup var options: GlobalOptions

        var task: Undertaking { Undertaking("provider not removed", provider: id, again: "authctl providers list") }

        func run(_ context: Context) async throws {
            guard context.configDirectory.exists else { throw ProviderError.notConfigured(id) }
            try await ConfigChange.locked(context) {
                var file = try context.configuration()
                guard try file.remove(id, profile: context.profile) else { throw ProviderError.notConfigured(id) }
                try file.save(in: context.configDirectory)
                if let store = try context.store(creating: false) {
                    try await ProviderSecrets(store: store, profile: context.profile).set(nil, for: id)
                }
            }
            context.output.result(["removed": .string(id)]) { [] }
            context.output.note("'\(id)' is removed; sessions with it stay until you sign out")
        }
    }

    struct Check: Command {
        static let configuration = CommandConfiguration(
            commandName: "check", abstract: "Check a provider: discovery, keys, clock, redirect rules.")

        @Argument(
            help: ArgumentHelp("The provider; all of them when left out.", valueName: "id"),
            completion: .custom { _, _, _ in Completions.providers() })
        var id: String?

        @OptionGroup var options: GlobalOptions

        var task: Undertaking { Undertaking("check failed", provider: id, again: "authctl providers check") }

        func run(_ context: Context) async throws {
            let ids = try id.map { [$0] } ?? context.configuration().providerIDs(profile: context.profile)
            guard !ids.isEmpty else { _ = try context.providerID(nil); return }
            let store = try context.store(creating: false)
            var isFine = true
            var results: [JSONValue] = []
            for id in ids {
                let (provider, source) = try context.provider(id)
                let findings = try await ProviderCheck(services: try context.services(store))(
                    provider, try await context.credentials(provider, source, store))
                isFine = isFine && findings.allSatisfy(\.isFine)
                for finding in findings {
                    results.append([
                        "providerId": .string(id), "check": .string(finding.name), "ok": .bool(finding.isFine),
                        "detail": .string(finding.detail),
                    ])
                }
                if !context.output.isJSON {
                    for line in Table.lines(findings.map { [$0.isFine ? "ok" : "FAIL", id, $0.name, $0.detail] }) {
                        context.output.line(line)
                    }
                }
            }
            if context.output.isJSON { context.output.json(["checks": .array(results)]) }
            if !isFine { throw ExitStatus(code: 1) }
        }
    }
}

/// Changes of `config.yaml`: one process at a time.
enum ConfigChange {
    static func locked<R>(_ context: Context, _ body: () async throws -> R) async throws -> R {
        try context.configDirectory.create()
        return try await FileLock.holding("config", in: context.configDirectory, clock: context.clock, body)
    }
}

enum ProviderText {
    /// Where the client secret is kept; nil where there is none.
    static func secretPlace(
        _ source: ConfigFile.SecretSource, _ provider: Provider, _ context: Context
    ) async throws -> String? {
        if let variable = source.environment { return "environment \(variable)" }
        if let file = source.file { return "file \(file)" }
        guard let store = try context.store(creating: false) else { return nil }
        let secret = try await ProviderSecrets(store: store, profile: context.profile).secret(for: provider.id)
        return secret == nil ? nil : "sealed in the store"
    }

    static func json(_ provider: Provider, _ place: String?) -> JSONValue {
        var object: JSONObject = [
            "providerId": .string(provider.id), "issuer": .string(provider.issuer.text),
            "clientId": provider.clientID.isEmpty ? .null : .string(provider.clientID),
            "scopes": JSONValue(provider.scopes),
            "redirectUri": JSONValue(provider.redirectURI),
            "authMethod": JSONValue(provider.authenticationMethod?.rawValue),
            "trustEmail": .bool(provider.trustsEmail), "clientSecret": JSONValue(place),
        ]
        if Provider.isBuiltIn(provider.id) { object["baseUrl"] = JSONValue(provider.baseURL?.text) }
        if let tenant = provider.tenant { object["tenant"] = .string(tenant) }
        if let file = provider.privateKeyFile {
            object["privateKey"] = .string("file \(file)")
            object["privateKeyPassphrase"] = JSONValue(provider.privateKeyPassphraseFile.map { "file \($0)" })
            object["keyId"] = JSONValue(provider.keyID)
            object["keyAlg"] = JSONValue(provider.keyAlgorithm?.rawValue)
        }
        if provider.assertionAudience != .issuer {
            object["assertionAudience"] = .string(provider.assertionAudience.rawValue)
        }
        if let url = provider.deviceAuthorizationEndpoint { object["deviceAuthorizationEndpoint"] = .string(url.text) }
        if let url = provider.revocationEndpoint { object["revocationEndpoint"] = .string(url.text) }
        object["parameters"] = .array(
            provider.dialect.knownParameters.map { ["name": .string($0.name), "meaning": .string($0.meaning)] })
        return .object(object)
    }

    static func lines(_ provider: Provider, _ place: String?) -> [String] {
        var rows = [["provider", provider.id]]
        if let base = provider.baseURL {
            rows.append(["base URL", base.text])
        } else if !Provider.isBuiltIn(provider.id) {
            rows.append(["issuer", provider.issuer.text])
        }
        if let preset = provider.preset { rows.append(["preset", preset.rawValue]) }
        if let tenant = provider.tenant { rows.append(["tenant", tenant]) }
        rows += [
            ["client ID", provider.clientID.isEmpty ? "not configured" : provider.clientID],
            ["client secret", place ?? "none"], ["scopes", provider.scopes.joined(separator: " ")],
            ["redirect URI", redirectURI(provider)],
            ["client authentication", provider.authenticationMethod?.rawValue ?? "what the provider offers"],
        ]
        if let file = provider.privateKeyFile {
            rows.append(["private key", "file \(file)"])
            if let file = provider.privateKeyPassphraseFile { rows.append(["its passphrase", "file \(file)"]) }
            if let keyID = provider.keyID { rows.append(["key ID", keyID]) }
            if let algorithm = provider.keyAlgorithm { rows.append(["signs with", algorithm.rawValue]) }
        }
        if provider.assertionAudience != .issuer {
            rows.append(["assertions are for", provider.assertionAudience.rawValue])
        }
        if let url = provider.deviceAuthorizationEndpoint { rows.append(["device authorization endpoint", url.text]) }
        if let url = provider.revocationEndpoint { rows.append(["revocation endpoint", url.text]) }
        if !Provider.isBuiltIn(provider.id) {
            rows.append(["email_verified counts", provider.trustsEmail ? "yes" : "no"])
        }
        if let place = provider.dialect.registration { rows.append(["register at", place]) }
        for (name, value) in provider.parameters { rows.append(["sends", "\(name)=\(value)"]) }
        for known in provider.dialect.knownParameters { rows.append(["--param \(known.name)=", known.meaning]) }
        return Table.lines(rows)
    }

    /// Where the provider is, in a sentence.
    static func place(_ client: ProviderClient) -> String {
        if let base = client.provider.baseURL { return "at '\(base.text)'" }
        return Provider.isBuiltIn(client.provider.id) ? "built in" : "issuer '\(client.metadata.issuer)'"
    }

    private static func redirectURI(_ provider: Provider) -> String {
        if let uri = provider.redirectURI { return uri }
        guard let uri = provider.defaultRedirectURI else { return "none: needs --redirect-uri https://…" }
        return uri.contains("PORT") ? "\(uri), any port" : uri
    }

    /// What is left to do after a provider was added.
    static func advice(_ client: ProviderClient, hasSecret: Bool) -> [String] {
        let provider = client.provider
        var advice: [String] = []
        switch (provider.redirectURI, provider.defaultRedirectURI) {
        case (nil, let uri?) where uri.contains("PORT"):
            advice.append(
                "register '\(uri.replacing(":PORT", with: ""))' there, any port; or say which one with --redirect-uri")
        case (nil, let uri?): advice.append("register '\(uri)' there, with this port; or name another one")
        case (nil, nil):
            advice.append(
                "it takes no loopback redirect URI: name a public one with --redirect-uri, whose proxy ends at --port")
        default: break
        }
        if client.missingProof != nil {
            advice.append(
                "ID tokens obtained elsewhere can be used as it is; a sign-in needs --team-id, --key-id and --private-key"
            )
        } else if let reason = provider.dialect.secretReason, !hasSecret, provider.privateKeyFile == nil {
            advice.append("\(reason): add it with --client-secret-stdin, -file or -env")
        }
        return advice
    }
}
