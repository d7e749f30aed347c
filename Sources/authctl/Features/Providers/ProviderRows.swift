import AuthCore

extension ProviderText {
    /// Deletes a dynamically registered client, and prints whether that succeeded.
    static func delete(_ registered: RegisteredClient, of provider: Provider?, in context: Context) async throws {
        let client = ServerText.shown(registered.clientID)
        let services = try context.profile.services()
        let isDeleted = await registered.delete(by: ((try? services.trusting(provider)) ?? services).transport)
        context.output.note(
            isDeleted
                ? "the client '\(client)' was deleted at the provider"
                : "the client '\(client)' remains registered at the provider: delete it there")
    }

    static func secretPlace(_ provider: Provider, _ context: Context) async throws -> String? {
        if let variable = provider.clientSecretVariable { return "environment \(variable)" }
        if let file = provider.clientSecretFile { return "file \(file)" }
        return try await context.profile.hasSealedSecret(of: provider.id) ? "encrypted in the store" : nil
    }

    private static let labels = [
        "base_url": "base URL", "ca_file": "CA certificates", "team_id": "team ID", "allow_http": "allows plain http",
        "app_id": "app ID",
        "client_id": "client ID", "client_secret_file": "client secret",
        "redirect_uri": "redirect URI", "auth_method": "client authentication",
        "private_key_passphrase_file": "passphrase of the key", "key_id": "key ID", "key_alg": "signature algorithm",
        "assertion_audience": "assertion audience", "assertion_from": "identity assertions",
        "pushed_authorization_request_endpoint": "PAR endpoint", "api_hosts": "API hosts",
        "par": "PAR", "dpop": "DPoP", "fapi2": "FAPI 2.0", "trust_email": "trusts email_verified",
    ]

    static func rows(
        _ provider: Provider, at place: String?, from: ConfigurationPlace?, overrides: [String] = [],
        project: FirebaseSettings? = nil
    ) -> [[String]] {
        var rows = [["provider", provider.id]]
        if let from { rows.append(["from", ([from.description] + overrides).joined(separator: ", ")]) }
        let client =
            project.map { "that of the Firebase project '\(shown: $0.projectID)'" }
            ?? (provider.clientID.isEmpty ? "not configured" : provider.clientID)
        // Settings that are shown even if they have the default, or whose text is not their value.
        let special: [String: String?] = [
            "tenant": provider.tenant, "client_id": client,
            "client_secret_file": project == nil ? place ?? "none" : "the project's",
            "scopes": provider.scopes.joined(separator: " "), "redirect_uri": redirectURI(provider),
            "auth_method": provider.authenticationMethod?.rawValue ?? "chosen from the metadata",
            "par": provider.pushesRequests ? "always" : nil, "dpop": provider.bindsTokens ? "always" : nil,
            "fapi2": provider.isFAPI2 ? "enforced" : nil,
            "trust_email": Provider.isBuiltIn(provider.id) ? nil : provider.trustsEmail ? "yes" : "no",
        ]
        for setting in Provider.settings where setting.isInText && setting.isRelevant(provider) {
            let label = labels[setting.key] ?? setting.key.replacing("_", with: " ")
            let file = setting.kind == .file ? "file " : ""
            let words: String? = special[setting.key] ?? setting.written(provider).map { file + $0.displayText }
            if let words { rows.append([label, words]) }
        }
        if let page = provider.registrationPage {
            let kind = provider.dialect.registration?.kind.map { " (\($0.description))" } ?? ""
            rows.append(["register at", page + kind])
        }
        for (name, value) in provider.parameters { rows.append(["sends", "\(name)=\(value)"]) }
        for known in provider.dialect.knownParameters {
            rows.append(["--param \(known.name)=", known.kind.description])
        }
        return rows
    }

    private static func redirectURI(_ provider: Provider) -> String {
        if let uri = provider.redirectURI { return uri }
        guard let uri = provider.defaultRedirectURI else {
            return "none: requires --redirect-uri with a public https URL"
        }
        return uri.contains("PORT") ? "\(uri), any port" : uri
    }

    /// The name that discovery found for a tenant, if it is not the requested one.
    static func tenantNote(_ tenant: String?, _ client: ProviderClient) -> String? {
        guard let tenant, let found = client.provider.tenant, found != tenant else { return nil }
        return "tenant '\(tenant)' is '\(found)'"
    }

    static func advice(_ client: ProviderClient, hasSecret: Bool) -> [String] {
        let provider = client.provider
        if provider.isOnlyAnApp {
            return ["to get a token: \(ShellCommand("authctl token --repository OWNER/REPO").text)"]
        }
        if case .noClient? = client.missingCredential {
            return ["to sign in with a personal access token: \(ShellCommand.signIn(provider.id).text)"]
        }
        var advice: [String] = []
        switch (provider.redirectURI, provider.defaultRedirectURI) {
        case (nil, let uri?) where provider.registersRedirectURI:
            let plain = uri.replacing(":PORT", with: "")
            let port = uri.contains("PORT") ? ", with any port" : ""
            advice.append("register the redirect URI '\(plain)' at the provider\(port); to use another: --redirect-uri")
        case (nil, nil):
            advice.append(
                "the provider does not accept loopback redirect URIs: set a public one with --redirect-uri that forwards to --port"
            )
        default: break
        }
        if client.missingCredential != nil {
            advice.append(
                "existing ID tokens can be used with this configuration; a sign-in requires --team-id, --key-id and --private-key"
            )
        } else if let reason = provider.dialect.secretReason, client.usesDeviceFlowOnly {
            advice.append(
                "\(reason.description): it uses the device flow, which must be enabled at the provider; to sign in with the browser, add its secret with --client-secret-stdin, -file or -env"
            )
        } else if let reason = provider.dialect.secretReason, !hasSecret, provider.privateKeyFile == nil {
            advice.append("\(reason.description): add it with --client-secret-stdin, -file or -env")
        }
        return advice
    }
}
