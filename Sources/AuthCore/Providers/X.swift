extension Dialect {
    /// X: codes that expire after 30 seconds, redirect URIs with a fixed port, identifiers in strings.
    static let x = Dialect(
        endpoints: Endpoints(
            issuer: .none("https://x.com"), authorization: "https://x.com/i/oauth2/authorize",
            token: "https://api.x.com/2/oauth2/token", revocation: "https://api.x.com/2/oauth2/revoke",
            api: "https://api.x.com", apiHosts: ["https://api.x.com"]),
        hasIDTokens: false, defaultScopes: ["tweet.read", "users.read", "offline.access"],
        requiredScopes: ["tweet.read", "users.read"],
        knownParameters: [], optionNames: [:], redirect: .fixedPort(host: "127.0.0.1"),
        secretMethod: .clientSecretBasic, person: X.person, identity: X.identity,
        project: .init(rejectsCredentials: true),
        registration: .init(
            url: "https://developer.x.com/en/portal/dashboard", kind: .nativeApp,
            fields: [.name("App name"), .redirectURI("Callback URI"), .homepage("Website URL")],
            details: [.clientID("OAuth 2.0 Client ID")], owner: "X"))
}

enum X {
    @Sendable static func person(_ api: ProviderAPI) async throws -> JSONObject {
        var fields = "name,username,profile_image_url"
        if api.scopes.contains("users.email") { fields += ",confirmed_email" }
        let response = try await api.send(to: "/2/users/me", query: [("user.fields", fields)]).object()
        guard let person = response["data"]?.object else {
            throw OAuthError.invalidResponse(.missing("data"), at: .profile)
        }
        return person
    }

    @Sendable static func identity(_ source: ProfileSource) throws -> Identity {
        // A 64-bit integer in a string: a JSON number could have been rounded.
        guard let id = source.userInfo?["id"]?.string, (1...20).contains(id.utf8.count),
            id.utf8.allSatisfy(\.isDigit)
        else { throw OAuthError.invalidResponse(.malformed("id", isNot: .digits), at: .profile) }
        return Identity(
            key: source.key(id), email: source.text("confirmed_email"),
            displayName: source.text("name") ?? source.text("username"), photoURL: source.text("profile_image_url"),
            screenName: source.text("username"))
    }
}
