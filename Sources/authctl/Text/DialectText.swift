import AuthCore

// What a provider does its own way, in words.

extension Dialect.KnownParameter.Meaning {
    var words: String {
        switch self {
        case .oneOf(let words): choice(words)
        case .emailOrSubject: "an email address or a sub"
        case .audience(isResource: false): "the API that the access token is for, at providers that ask for one"
        case .audience(isResource: true): "the same, by RFC 8707"
        case .claimsAsJSON: "claims asked for, as JSON"
        case .language(let company): "the language of \(company)'s page, such as fr_FR"
        case .suggestedAccount: "the account that is suggested"
        case .newAccounts: "false keeps people without an account from making one"
        case .accountPicker: "select_account shows the account picker"
        case .refreshToken: "offline (sent unless you say online): a refresh token"
        case .consent(let words): "\(choice(words)); consent gives web clients a new refresh token"
        case .confirmedDomain: "a Workspace domain, or * for any: the ID token must confirm it"
        case .earlierScopes: "true adds what was granted before; not for desktop clients"
        case .askAgain: "rerequest asks again for what was declined; reauthenticate for the password"
        case .businessConfiguration: "the configuration of Facebook Login for Business"
        case .organizationDomain: "the domain of the organization that people sign in with"
        case .expectedPerson(let other): "who is expected; not together with \(other)"
        }
    }

    private func choice(_ words: [String]) -> String {
        words.dropLast().joined(separator: ", ") + " or " + (words.last ?? "")
    }
}

extension Dialect.SecretReason {
    var words: String {
        switch self {
        case .noPublicClients(let company): "\(company)'s web flow takes no public clients"
        case .desktopClientsToo(let company): "\(company)'s desktop clients have a secret too, and need it"
        case .signed(let company): "\(company) wants a client secret made of --team-id, --key-id and --private-key"
        case .redeemsOnlyWithSecret(let company): "\(company) redeems a code only with the app secret"
        }
    }
}

extension Dialect.Registration.Kind {
    /// The kind of client, as the page has it.
    var words: String {
        switch self {
        case .mobileAndDesktop: "App registrations, platform Mobile and desktop"
        case .desktopApp: "an OAuth client of the type Desktop app"
        case .servicesIDAndKey: "a Services ID with Sign in with Apple, and a key for it"
        case .facebookLogin: "an app with Facebook Login"
        case .nativeApp: "an app with User authentication, of the type Native App"
        case .publicClient: "a native (public) client with PKCE"
        }
    }
}

extension Dialect.Registration.Field {
    /// What the page calls it, and what to put there.
    /// - Parameter redirectURI: nil where it is the person's own to choose.
    func row(redirectURI: String?) -> (label: String, value: String) {
        switch self {
        case .name(let label): (label, "authctl")
        case .homepage(let label): (label, "http://127.0.0.1")
        case .redirectURI(let label):
            (label, redirectURI ?? "a public https URL of yours, whose proxy or tunnel ends at this machine")
        case .ticked(let label): (label, "tick it")
        case .publicClientFlows: ("Allow public client flows", "Yes, for codes to enter on another device")
        }
    }
}
