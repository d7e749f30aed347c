extension Dialect {
    /// Apple: a client secret that the client signs, a hashed nonce, responses by POST, the name only at the first
    /// sign-in.
    static let apple = Dialect(
        endpoints: Endpoints(
            issuer: .spellings(["https://appleid.apple.com"]),
            authorization: "https://appleid.apple.com/auth/authorize", token: "https://appleid.apple.com/auth/token",
            keys: ["https://appleid.apple.com/auth/keys"], revocation: "https://appleid.apple.com/auth/revoke",
            api: "https://appleid.apple.com", apiHosts: []),
        defaultScopes: ["name", "email"],
        knownParameters: [KnownParameter("locale", .language(of: "Apple"))],
        optionNames: [.language: "locale"], nonceMode: .sha256, requiresNonceWithGivenIDTokens: true,
        // Apple requires `form_post` if a name or an address is requested.
        responseMode: { scopes in scopes.contains("name") || scopes.contains("email") ? .formPost : nil },
        redirect: .publicURL, secretMethod: .clientSecretPost, signsClientSecret: true,
        secretReason: .signed("Apple"),
        acceptsTextTimes: true, grants: { _, _ in true }, identity: Apple.identity, sendsNameOnce: true,
        requiresConsentToLink: true,
        project: .init(scopes: ["email", "name"], requiresRevocation: true),
        registration: .init(
            url: "https://developer.apple.com/account/resources/identifiers/list/serviceId", kind: .servicesIDAndKey,
            fields: [.name("Description"), .redirectURI("Return URL")],
            details: [
                .clientID("Services ID"), .redirectURI("Return URL"), .teamID("Team ID"), .keyID("Key ID"), .privateKey,
            ], owner: "Apple"))

    /// Whether an address belongs to Apple's private relay, which only forwards.
    static func isRelay(_ email: String?) -> Bool { email?.hasSuffix("@privaterelay.appleid.com") ?? false }
}

enum Apple {
    @Sendable static func identity(_ source: ProfileSource) throws -> Identity {
        let email = ProfileSource.bounded(source.claims["email"])
        let name = source.user?["name"]?.object
        let words = [name?["firstName"], name?["lastName"]].compactMap(ProfileSource.bounded)
        return Identity(
            key: try source.key(source.subject()), email: email,
            isEmailVerified: email != nil && ProfileSource.isTrue(source.claims["email_verified"]),
            displayName: words.isEmpty ? nil : words.joined(separator: " "),
            isPrivateRelay: ProfileSource.isTrue(source.claims["is_private_email"]) || Dialect.isRelay(email))
    }
}
