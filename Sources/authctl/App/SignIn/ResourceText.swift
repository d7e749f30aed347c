import AuthCore

enum ResourceText {
    static let output = View<DiscoverResource.Chain> {
        Field("resource", of: { ($0.found.resource?.resource ?? $0.found.requestedURL).text })
        Field("metadata", of: \.found.metadataURL?.text, means: "its URL; null: not found")
        Field("authorizationServers", of: { $0.found.resource?.authorizationServers.map(\.text) ?? [] })
        Field("issuer", of: \.server?.issuer.text, means: "null: none, or several")
        Field("scopes", of: { $0.found.scopes ?? [] })
        Field("dpop", of: \.binding.rawValue, means: "required, supported, no")
        Field(
            "client", of: { ($0.server?.client ?? .none).text },
            means: "configured, metadata-document, registration, none")
        Field("providerId", of: \.server?.client.providerID, means: "if client is configured")
    }

    static func rows(_ chain: DiscoverResource.Chain) -> [[String]] {
        let (found, server) = (chain.found, chain.server)
        var rows = [["resource", (found.resource?.resource ?? found.requestedURL).text]]
        rows.append(["metadata", found.metadataURL?.text ?? "none"])
        if let resource = found.resource {
            rows.append(["authorization servers", resource.authorizationServers.map(\.text).joined(separator: " ")])
        }
        guard let server else { return rows }
        rows += [
            ["issuer", server.issuer.text], ["scopes", (found.scopes ?? []).joined(separator: " ")],
            ["DPoP-bound tokens", chain.binding.rawValue], ["client", server.client.description],
        ]
        return rows.filter { !$0[1].isEmpty }
    }

    /// The provider, the scopes and the resource of a sign-in. Printed before the request.
    static func requestNote(_ target: SignInToResource.Target) -> String {
        let scopes = target.requestedScopes.map { "'\(shown: $0)'" }.joined(separator: ", ")
        let requested = scopes.isEmpty ? "the default scopes" : "the scopes \(scopes)"
        return "requesting a token for '\(target.resource.text)' from '\(target.issuer.text)', with \(requested)"
    }

    static func question(_ consent: ResourceConsent) -> String {
        switch consent {
        case .wider(let resource, let wider):
            return "The metadata of '\(wider)' covers all of '\(resource)'. Sign in for all of it?"
        case .moved(let resource, _, _, let old, let new):
            return
                "'\(resource.text)' now names the authorization server '\(new.text)' instead of '\(old.text)'. Sign in there?"
        case .token(let provider, _, let resource, _, let unnamed):
            let listed = unnamed.map { "'\(shown: $0)'" }.joined(separator: ", ")
            let scopes = unnamed.isEmpty ? "" : " with the scopes \(listed)"
            return "Send a token of '\(provider)'\(scopes) to '\(resource)'?"
        }
    }

    static func notes(_ chain: DiscoverResource.Chain) -> [String] {
        guard let resource = chain.found.resource else {
            return ["no protected resource metadata found for '\(chain.found.requestedURL.text)'"]
        }
        var notes: [String] = []
        if let wider = chain.found.wider {
            notes.append("its metadata is for '\(wider.text)', which includes '\(chain.found.requestedURL.text)'")
        }
        if chain.server == nil {
            notes.append(
                "\(resource.authorizationServers.count) servers issue tokens for it, and none of them is configured")
        }
        return notes
    }
}

extension DiscoverResource.Client {
    fileprivate var providerID: String? { if case .configured(let id) = self { id } else { nil } }

    fileprivate var description: String {
        switch self {
        case .configured(let id): "configured, '\(id)'"
        case .metadataDocument: "the URL of a metadata document (--client-metadata)"
        case .registration: "registers itself"
        case .none: "none: register a client with the provider"
        }
    }
}
