extension Dialect {
    /// Google: two spellings of its issuer, alternative names of scopes, a domain that the token must confirm.
    static let google = Dialect(
        endpoints: Endpoints(
            issuer: .spellings(["https://accounts.google.com", "accounts.google.com"]),
            authorization: "https://accounts.google.com/o/oauth2/v2/auth", token: "https://oauth2.googleapis.com/token",
            keys: ["https://www.googleapis.com/oauth2/v3/certs"],
            userInfo: "https://openidconnect.googleapis.com/v1/userinfo",
            revocation: "https://oauth2.googleapis.com/revoke",
            deviceAuthorization: "https://oauth2.googleapis.com/device/code", api: "https://www.googleapis.com",
            apiHosts: ["https://.googleapis.com"], promisesIssuer: true),
        defaultScopes: ["openid", "profile", "email"], requiredScopes: ["openid"],
        parameters: [("access_type", "offline")],
        knownParameters: [
            KnownParameter("access_type", .refreshToken),
            KnownParameter("prompt", .consent(["none", "consent", "select_account"])),
            KnownParameter("login_hint", .emailOrSubject),
            KnownParameter("hd", .confirmedDomain),
            KnownParameter("include_granted_scopes", .earlierScopes),
        ],
        optionNames: [.loginHint: "login_hint", .prompt: "prompt", .language: "hl"],
        // Apps of the same project request ID tokens for its web client. `azp` is the app's own client ID.
        givenIDTokensMayBeOfOtherClients: true, secretMethod: .clientSecretPost,
        secretReason: .publicDesktopSecret("Google"), deviceURLName: "verification_url",
        claimedParameters: ["hd"],
        grants: Google.grants, identity: Google.identity,
        reauthentication: [("prompt", "select_account")],
        project: .init(flowType: "CODE_FLOW"),
        registration: .init(
            url: "https://console.cloud.google.com/auth/clients", kind: .desktopApp, fields: [.name("Name")],
            details: [
                .clientID("Client ID", .ending(".apps.googleusercontent.com")), .clientSecret("Client secret"),
            ], owner: "Google"))
}

enum Google {
    @Sendable static func grants(_ granted: [String], _ requested: String) -> Bool {
        let root = "https://www.googleapis.com/auth/"
        let names = ["email": root + "userinfo.email", "profile": root + "userinfo.profile"]
        return granted.contains(requested) || names[requested].map(granted.contains) == true
            || names.contains { $0.value == requested && granted.contains($0.key) }
    }

    @Sendable static func identity(_ source: ProfileSource) throws -> Identity {
        let email = source.text("email")
        return Identity(
            key: try source.key(source.subject()), email: email,
            isEmailVerified: email != nil && source.emailDocument?["email_verified"]?.bool == true,
            displayName: source.text("name"), photoURL: source.text("picture"))
    }
}
