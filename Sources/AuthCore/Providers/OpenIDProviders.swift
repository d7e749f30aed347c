extension Dialect {
    /// Standard OpenID Connect, for `oidc.NAME`.
    static let openID = Dialect(
        defaultScopes: ["openid", "profile", "email"], requiredScopes: ["openid"],
        knownParameters: [
            KnownParameter("audience", .audience(isResource: false)),
            KnownParameter("resource", .audience(isResource: true)),
            KnownParameter("display", .oneOf(["page", "popup", "touch", "wap"])),
            KnownParameter("claims", .claimsAsJSON),
        ],
        identity: OpenIDProfile.read, reauthentication: [("prompt", "login"), ("max_age", "0")],
        requiresConsentForOfflineAccess: true,
        registration: .init(
            url: nil, kind: .publicClient, fields: [.name("Client name"), .redirectURI("Redirect URI")],
            details: [.clientID("Client ID"), .secretIfAny("Client secret")]))

    /// Services that differ from OpenID Connect in a few details.
    package enum Preset: String, Sendable, CaseIterable {
        case okta, auth0, keycloak, cognito, gitlab, oauth

        package static let services = Set(allCases.map(\.rawValue)).subtracting([Preset.oauth.rawValue])
    }

    static func openID(_ preset: Preset?) -> Dialect {
        var dialect = openID
        // The services issue refresh tokens without asking the user each time.
        dialect.requiresConsentForOfflineAccess = preset == nil || preset == .oauth
        switch preset {
        case nil, .keycloak: break
        case .okta, .auth0:
            // Both compare the port of redirect URIs, and issue refresh tokens only with this scope.
            dialect.redirect = .fixedPort(host: "127.0.0.1")
            dialect.defaultScopes.append("offline_access")
        case .cognito:
            // Plain http is allowed only for localhost with a port; userinfo returns booleans as text.
            dialect.redirect = .fixedPort(host: "localhost")
            dialect.logoutRedirectName = "logout_uri"
            dialect.identity = { try OpenIDProfile.read($0, isVerified: ProfileSource.isTrue) }
        case .gitlab: dialect.refreshRepeatsRedirectURI = true
        case .oauth:
            // An authorization server without ID tokens, whose tokens do not identify the user.
            dialect.hasIDTokens = false
            (dialect.defaultScopes, dialect.requiredScopes) = ([], [])
        }
        return dialect
    }
}

/// The standard claims (OpenID Connect Core section 5.1).
enum OpenIDProfile {
    @Sendable static func read(_ source: ProfileSource) throws -> Identity {
        // Only a JSON true, and only if the configuration enables it.
        try read(source) { $0?.bool == true }
    }

    static func read(_ source: ProfileSource, isVerified: (JSONValue?) -> Bool) throws -> Identity {
        let email = source.text("email")
        return Identity(
            key: try source.key(source.subject()), email: email,
            isEmailVerified: email != nil && source.trustsEmail && isVerified(source.emailDocument?["email_verified"]),
            displayName: source.text("name") ?? source.text("preferred_username"), photoURL: source.text("picture"),
            screenName: source.text("preferred_username"))
    }
}
