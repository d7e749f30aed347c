extension Provider {
    func checkScopes(_ scopes: [String], for resource: HTTPURL, agreed: [String]) throws(ProtectedResourceError) {
        guard dialect.namesResourceInScopes,
            let other = scopes.first(where: { Provider.isOther($0, at: resource, agreed: agreed) })
        else { return }
        throw .otherScope(ServerText(other), provider: id, resource: resource.text)
    }

    /// The consent that is required before this provider issues a token for a resource; nil if none.
    func consent(
        to resource: HTTPURL, scopes: [String], agreed: [String], isNamed: Bool, metadata: ProviderMetadata
    ) -> ResourceConsent? {
        // The provider was added for this host, so the user does not use it for anything else.
        if let addedForResource = addedForResource.flatMap({ try? HTTPURL($0) }),
            addedForResource.origin == resource.origin
        {
            return nil
        }
        let isNamed =
            isNamed || allows(resource)
            || metadata.protectedResources.contains { (try? HTTPURL($0))?.isSameResource(as: resource) == true }
        let unnamed = scopes.filter { !agreed.contains($0) && !Provider.identityScopes.contains($0) }
        guard !isNamed || !unnamed.isEmpty else { return nil }
        return .token(provider: id, isNamed: isNamed, resource: resource, all: scopes, unnamed: unnamed)
    }

    /// Checks that a JWT access token is for the requested resource. A server that ignores `resource` (RFC 8707) issues
    /// a token that other APIs accept too. Providers that name the resource in scopes use a different ID in `aud`.
    func checkAudience(
        of token: AccessToken, for resource: HTTPURL?, at endpoint: OAuthError.Endpoint
    ) throws(OAuthError) {
        guard let resource, !dialect.namesResourceInScopes,
            let audience = token.unverifiedClaims?["aud"]?.oneOrMoreStrings, !audience.isEmpty
        else { return }
        let isIncluded = audience.contains { text in
            guard let url = try? HTTPURL(text) else { return false }
            return url.covers(resource) || url.isSameResource(as: resource)
        }
        guard isIncluded else {
            throw .invalidResponse(.otherAudience(audience, resource: resource.text), at: endpoint)
        }
    }

    /// Whether a scope belongs to another API than the resource. A scope without a host, such as `api://ID/read`,
    /// belongs to the resource if the user agrees.
    static func isOther(_ scope: String, at resource: HTTPURL, agreed: [String]) -> Bool {
        guard let scheme = scope.firstRange(of: "://") else { return false }
        guard !scope.hasPrefix(resource.root + "/") else { return false }
        return ["http", "https"].contains(scope[..<scheme.lowerBound].lowercased()) || !agreed.contains(scope)
    }
}
