/// Looks at one provider as `providers check` does: discovery, keys, clock, redirect rules.
public struct ProviderCheck: Sendable {
    public struct Finding: Sendable {
        public let name: String
        public let isFine: Bool
        public let detail: String
    }

    let services: Services

    public init(services: Services) { self.services = services }

    /// Every finding; a check that depends on one that failed is left out.
    public func callAsFunction(
        _ provider: Provider, _ credentials: ClientKeys
    ) async throws -> [Finding] {
        let client = try await ProviderClient.resolve(provider, credentials, services: services, forced: true)
        let metadata = client.metadata
        var findings = [
            Provider.isBuiltIn(provider.id)
                ? Finding(name: "endpoints", isFine: true, detail: "built in, at '\(metadata.tokenEndpoint.origin)'")
                : Finding(name: "discovery", isFine: true, detail: "issuer '\(metadata.issuer)'")
        ]
        if !metadata.keySetURLs.isEmpty {
            let keys = try await client.keys.keys(forced: true)
            let algorithms = metadata.idTokenAlgorithms.map(\.rawValue).sorted().joined(separator: " ")
            findings.append(
                Finding(name: "keys", isFine: !keys.keys.isEmpty, detail: "\(keys.keys.count) usable; \(algorithms)"))
        }
        findings.append(try await clockFinding(metadata))
        findings.append(redirectFinding(provider))
        let method = client.authentication.method
        let isListed = metadata.authenticationMethods.contains(method)
        if let reason = provider.dialect.secretReason, client.missingProof != nil || method == .none {
            findings.append(Finding(name: "client", isFine: false, detail: "no secret: \(reason)"))
            return findings
        }
        findings.append(
            Finding(
                name: "client", isFine: true,
                detail: "'\(method.rawValue)'\(isListed ? "" : ", which its metadata does not list")"))
        return findings
    }

    private func clockFinding(_ metadata: ProviderMetadata) async throws -> Finding {
        var request = HTTPRequest(.get, metadata.keySetURLs.first ?? metadata.authorizationEndpoint)
        request.narrowestZone = metadata.zone
        let response = try await services.transport.answer(to: request)
        guard let theirs = response.serverTime else {
            return Finding(name: "clock", isFine: true, detail: "the server does not say its time")
        }
        let offset = services.clock.now() - theirs
        let isFine = abs(offset) <= ExpectedIDToken.clockSkew
        let detail =
            offset == 0 ? "same as the server's" : "\(abs(offset)) s \(offset > 0 ? "ahead of" : "behind") the server's"
        return Finding(name: "clock", isFine: isFine, detail: detail)
    }

    private func redirectFinding(_ provider: Provider) -> Finding {
        let uri = provider.redirectURI ?? provider.defaultRedirectURI
        let isUsable =
            (try? RedirectURI(provider, port: 1, responseMode: .query, isPasted: false)) != nil
        let detail = uri.map { "'\($0)'; the provider must know it" } ?? "none: name a public one with --redirect-uri"
        return Finding(name: "redirect", isFine: isUsable, detail: detail)
    }
}
