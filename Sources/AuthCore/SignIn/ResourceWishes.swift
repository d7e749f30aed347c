/// What a resource may have asked in a person's name: it says itself whom to ask and for what, and it gets the token.
extension Provider {
    /// Its tokens can be for one resource alone: it takes `resource` (RFC 8707), or scopes that begin with one.
    private var limitsTokens: Bool { dialect.endpoints == nil || dialect.namesResourceInScopes }

    /// - Parameters:
    ///   - scopes: all that would be asked for.
    ///   - agreed: those of them that a person named, or that were granted before.
    ///   - isNamed: a person named this provider for the resource.
    /// - Throws: `ProtectedResourceError.otherScope`, `.unlimitedTokens`.
    func checkWishes(
        of resource: HTTPURL, _ scopes: [String], agreed: [String], isNamed: Bool
    ) throws(ProtectedResourceError) {
        if dialect.namesResourceInScopes, let other = scopes.first(where: { Provider.isOther($0, resource, agreed) }) {
            throw .otherScope(ServerText(other), provider: id, resource: resource.text)
        }
        guard limitsTokens || isNamed || allows(resource) else {
            throw .unlimitedTokens(provider: id, resource: resource.text, scopes: scopes)
        }
    }

    /// Checks that an access token which can be read as a JWT is for the resource that it was requested for. A server that
    /// ignores `resource` (RFC 8707) issues a token that other APIs accept too. Providers that name the resource in scopes call
    /// it by an ID of their own in `aud`.
    /// - Throws: `OAuthError.invalidResponse`.
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

    /// Whether a scope names another API than the resource. One without a host, as in `api://ID/read`, may be its own: that is
    /// for a person to know.
    static func isOther(_ scope: String, _ resource: HTTPURL, _ agreed: [String]) -> Bool {
        guard let scheme = scope.firstRange(of: "://") else { return false }
        guard !scope.hasPrefix(resource.root + "/") else { return false }
        return ["http", "https"].contains(scope[..<scheme.lowerBound].lowercased()) || !agreed.contains(scope)
    }
}
