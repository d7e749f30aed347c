import AuthCore

// Texts for a provider's differences from OpenID Connect.

extension Dialect.KnownParameter.Kind {
    var description: String {
        switch self {
        case .oneOf(let words): choice(words)
        case .emailOrSubject: "an email address or a sub"
        case .audience(isResource: false): "the API of the access token, at providers that require one"
        case .audience(isResource: true): "the same, by RFC 8707"
        case .claimsAsJSON: "requested claims, as JSON"
        case .language(let company): "the language of \(company)'s page, such as fr_FR"
        case .suggestedAccount: "the suggested account"
        case .newAccounts: "false does not offer to create an account"
        case .accountPicker: "select_account shows the account picker"
        case .refreshToken: "offline (sent unless you say online): a refresh token"
        case .consent(let words): "\(choice(words)); consent gives web clients a new refresh token"
        case .confirmedDomain: "a Workspace domain, or * for any: the ID token must confirm it"
        case .earlierScopes: "true adds what was granted before; not for desktop clients"
        case .rerequest: "rerequest asks again for what was declined; reauthenticate for the password"
        case .businessConfiguration: "the configuration of Facebook Login for Business"
        case .organizationDomain: "the domain of the users' organization"
        case .expectedUser(let other): "the expected user; cannot be used with \(other)"
        }
    }

    private func choice(_ words: [String]) -> String {
        words.dropLast().joined(separator: ", ") + " or " + (words.last ?? "")
    }
}

extension Dialect.SecretReason {
    var description: String {
        switch self {
        case .noPublicClients(let company): "\(company)'s web flow does not support public clients"
        case .publicDesktopSecret(let company): "\(company)'s desktop clients require their secret"
        case .signed(let company):
            "\(company) requires a client secret derived from --team-id, --key-id and --private-key"
        case .redeemsOnlyWithSecret(let company): "\(company) requires the app secret to redeem a code"
        }
    }
}

extension Dialect.Registration.Kind {
    var description: String {
        switch self {
        case .mobileAndDesktop: "an app registration with the platform Mobile and desktop"
        case .desktopApp: "an OAuth client of the type Desktop app"
        case .servicesIDAndKey: "a Services ID with Sign in with Apple, and a key for it"
        case .facebookLogin: "an app with Facebook Login"
        case .nativeApp: "an app with User authentication, of the type Native App"
        case .publicClient: "a native (public) client with PKCE"
        }
    }
}

extension Dialect.Registration.Field {
    func row(redirectURI: String?) -> (label: String, value: String) {
        switch self {
        case .name(let label): (label, "authctl")
        case .homepage(let label): (label, "http://127.0.0.1")
        case .redirectURI(let label):
            (label, redirectURI ?? "a public https URL that a proxy or tunnel forwards to this machine")
        case .checkbox(let label): (label, "tick it")
        case .either(let label): (label, "on or off")
        case .publicClientFlows: ("Allow public client flows", "Yes, for codes to enter on another device")
        }
    }
}
