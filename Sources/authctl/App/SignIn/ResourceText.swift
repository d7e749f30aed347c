import AuthCore

enum ResourceText {
    static func json(_ chain: DiscoverResource.Chain) -> JSONValue {
        let (found, server) = (chain.found, chain.server)
        var configured: String?
        if case .configured(let id)? = server?.client { configured = id }
        return [
            "resource": .string((found.resource?.resource ?? found.requestedURL).text),
            "metadata": JSONValue(found.metadataURL?.text),
            "authorizationServers": JSONValue(found.resource?.authorizationServers.map(\.text) ?? []),
            "issuer": JSONValue(server?.issuer.text), "scopes": JSONValue(found.scopes ?? []),
            "dpop": .string(chain.binding.rawValue), "client": .string((server?.client ?? .none).text),
            "providerId": JSONValue(configured),
        ]
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
    fileprivate var description: String {
        switch self {
        case .configured(let id): "configured, '\(id)'"
        case .metadataDocument: "the URL of a metadata document (--client-metadata)"
        case .registration: "registers itself"
        case .none: "none: register a client with the provider"
        }
    }
}
