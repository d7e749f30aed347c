import AuthCore

/// Providers' entries as a person wants to see them.
enum ProviderText {
    /// Where the client secret is kept; nil where there is none.
    static func secretPlace(
        _ source: ProviderEntry.SecretSource, _ provider: Provider, _ context: Context
    ) async throws -> String? {
        if let variable = source.environment { return "environment \(variable)" }
        if let file = source.file { return "file \(file)" }
        return try await context.profile.sealedSecret(of: provider.id) == nil ? nil : "sealed in the store"
    }

    /// - Parameters:
    ///   - place: where the client secret is.
    ///   - from: where the entry is; nil where there is none.
    static func json(_ provider: Provider, _ place: String?, from: Profile.EntryPlace?) -> JSONValue {
        var object: JSONObject = [
            "providerId": .string(provider.id), "issuer": .string(provider.issuer.text),
            "clientId": provider.clientID.isEmpty ? .null : .string(provider.clientID),
            "scopes": JSONValue(provider.scopes),
            "redirectUri": JSONValue(provider.redirectURI),
            "authMethod": JSONValue(provider.authenticationMethod?.rawValue),
            "trustEmail": .bool(provider.trustsEmail), "clientSecret": JSONValue(place),
            "apiHosts": JSONValue(provider.apiHosts),
        ]
        if Provider.isBuiltIn(provider.id) { object["baseUrl"] = JSONValue(provider.baseURL?.text) }
        if let tenant = provider.tenant { object["tenant"] = .string(tenant) }
        if let file = provider.privateKeyFile {
            object["privateKey"] = .string("file \(file)")
            object["privateKeyPassphrase"] = JSONValue(provider.privateKeyPassphraseFile.map { "file \($0)" })
            object["keyId"] = JSONValue(provider.keyID)
            object["keyAlg"] = JSONValue(provider.keyAlgorithm?.rawValue)
        }
        if let file = provider.certificateFile { object["certificate"] = .string("file \(file)") }
        if provider.assertionAudience != .issuer {
            object["assertionAudience"] = .string(provider.assertionAudience.rawValue)
        }
        if let url = provider.deviceAuthorizationEndpoint { object["deviceAuthorizationEndpoint"] = .string(url.text) }
        if let url = provider.revocationEndpoint { object["revocationEndpoint"] = .string(url.text) }
        if let url = provider.pushedRequestEndpoint {
            object["pushedAuthorizationRequestEndpoint"] = .string(url.text)
        }
        if provider.pushesRequests { object["par"] = true }
        if provider.bindsTokens { object["dpop"] = true }
        if provider.isFAPI2 { object["fapi2"] = true }
        if let origin = provider.madeFor { object["madeFor"] = .string(origin) }
        object["parameters"] = .array(
            provider.dialect.knownParameters.map { ["name": .string($0.name), "meaning": .string($0.meaning.words)] })
        from?.put(into: &object)
        return .object(object)
    }

    /// - Parameter project: the Firebase project that is the provider's client; nil for this program.
    static func rows(
        _ provider: Provider, _ place: String?, from: Profile.EntryPlace?, project: FirebaseSettings? = nil
    ) -> [[String]] {
        var rows = [["provider", provider.id]]
        if let from { rows.append(["from", from.words]) }
        if let base = provider.baseURL {
            rows.append(["base URL", base.text])
        } else if !Provider.isBuiltIn(provider.id) {
            rows.append(["issuer", provider.issuer.text])
        }
        if let preset = provider.preset { rows.append(["preset", preset.rawValue]) }
        if let tenant = provider.tenant { rows.append(["tenant", tenant]) }
        rows += [
            [
                "client ID",
                project.map { "that of the Firebase project '\(ServerText.shown($0.projectID))'" }
                    ?? (provider.clientID.isEmpty ? "not configured" : provider.clientID),
            ],
            ["client secret", project == nil ? place ?? "none" : "the project's"],
            ["scopes", provider.scopes.joined(separator: " ")],
            ["redirect URI", redirectURI(provider)],
            ["client authentication", provider.authenticationMethod?.rawValue ?? "what the provider offers"],
        ]
        if let file = provider.privateKeyFile {
            rows.append(["private key", "file \(file)"])
            if let file = provider.privateKeyPassphraseFile { rows.append(["its passphrase", "file \(file)"]) }
            if let keyID = provider.keyID { rows.append(["key ID", keyID]) }
            if let algorithm = provider.keyAlgorithm { rows.append(["signs with", algorithm.rawValue]) }
        }
        if let file = provider.certificateFile { rows.append(["certificate", "file \(file)"]) }
        if provider.assertionAudience != .issuer {
            rows.append(["assertions are for", provider.assertionAudience.rawValue])
        }
        if let url = provider.deviceAuthorizationEndpoint { rows.append(["device authorization endpoint", url.text]) }
        if let url = provider.revocationEndpoint { rows.append(["revocation endpoint", url.text]) }
        if let url = provider.pushedRequestEndpoint { rows.append(["pushed request endpoint", url.text]) }
        if !provider.apiHosts.isEmpty { rows.append(["API hosts", provider.apiHosts.joined(separator: " ")]) }
        if provider.pushesRequests { rows.append(["pushed requests", "always"]) }
        if provider.bindsTokens { rows.append(["bound tokens", "always"]) }
        if provider.isFAPI2 { rows.append(["FAPI 2.0", "what does not keep it is refused"]) }
        if !Provider.isBuiltIn(provider.id) {
            rows.append(["email_verified counts", provider.trustsEmail ? "yes" : "no"])
        }
        if let page = provider.registrationPage {
            let kind = provider.dialect.registration?.kind.map { " (\($0.words))" } ?? ""
            rows.append(["register at", page + kind])
        }
        for (name, value) in provider.parameters { rows.append(["sends", "\(name)=\(value)"]) }
        for known in provider.dialect.knownParameters { rows.append(["--param \(known.name)=", known.meaning.words]) }
        return rows
    }

    /// Where the provider is, in a sentence.
    static func place(_ client: ProviderClient) -> String {
        if let base = client.provider.baseURL { return "at '\(base.text)'" }
        return Provider.isBuiltIn(client.provider.id) ? "built in" : "issuer '\(client.metadata.issuer)'"
    }

    private static func redirectURI(_ provider: Provider) -> String {
        if let uri = provider.redirectURI { return uri }
        guard let uri = provider.defaultRedirectURI else { return "none: needs --redirect-uri with a public https URL" }
        return uri.contains("PORT") ? "\(uri), any port" : uri
    }

    /// What a provider made of a registration, where that is not what was asked for, or ends.
    static func notes(_ client: RegisterClient.Registered) -> [String] {
        var notes: [String] = []
        if let method = client.provider.authenticationMethod, method != client.askedMethod {
            notes.append(
                "registered with '\(method.rawValue)', though '\(client.askedMethod.rawValue)' was asked for")
        }
        if let end = client.secretExpiresAt {
            notes.append("the client's secret ends at \(HTTPDate.rfc3339(end)): register again before")
        }
        return notes
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
        } else if let reason = provider.dialect.secretReason, client.signsInByDeviceAlone {
            advice.append(
                "\(reason.words): it signs in by a code for another device, which must be enabled there; for a sign-in in the browser add its secret with --client-secret-stdin, -file or -env"
            )
        } else if let reason = provider.dialect.secretReason, !hasSecret, provider.privateKeyFile == nil {
            advice.append("\(reason.words): add it with --client-secret-stdin, -file or -env")
        }
        return advice
    }
}
