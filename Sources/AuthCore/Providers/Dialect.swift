/// What one provider does differently from OpenID Connect to the letter: a value for each, and the only place where
/// that difference stands. Nothing else asks which provider it has.
package struct Dialect: Sendable {
    /// Where everything is; nil for a provider that says so itself.
    var endpoints: Endpoints?
    /// The code flow yields an ID token: a nonce goes out and must come back.
    package var hasIDTokens = true

    // MARK: Authorization request

    package var defaultScopes: [String]
    /// Sent whatever else is asked for.
    var requiredScopes: [String] = []
    /// It takes no `resource`, but scopes that begin with one (Microsoft, AADSTS9010010).
    var namesResourceInScopes = false
    /// Sent at every sign-in, unless the entry or the call says otherwise.
    var parameters: [(String, String)] = []
    /// What the provider documents beyond the standard.
    package var knownParameters: [KnownParameter] = []
    /// What the provider calls the options of a sign-in; one that is not here cannot be asked for.
    var optionNames: [RequestOption: String] = Dialect.standardOptionNames
    var nonceMode = NonceMode.raw
    /// An ID token obtained elsewhere must come with its nonce.
    var wantsNonceWithHandedTokens = false
    var responseMode: @Sendable (_ scopes: [String]) -> ResponseMode = { _ in .query }
    package var redirect = Redirect.anyPort(host: "127.0.0.1")

    // MARK: Tokens

    /// How a client with a secret sends it; nil to take what the provider's metadata offers.
    var secretMethod: ClientAuthentication.Method?
    /// The client secret is a JWT made of a private key, for this audience.
    var signsClientSecret = false
    /// Why sign-in fails without a client secret; nil where a public client will do.
    package var secretReason: SecretReason?
    /// Where others need it, a code for another device does not.
    var deviceNeedsNoSecret = false
    /// Whether a refusal of the token endpoint is one of the client, and not of what it asked for.
    var refusesClient: @Sendable (_ code: String, _ description: String) -> Bool = { code, _ in
        Dialect.clientRefusals.contains(code)
    }
    var tokenResponsesMayBeForms = false
    /// What the device authorization endpoint calls the page to visit.
    var deviceURLName = "verification_uri"
    var refreshRepeatsRedirectURI = false
    var acceptsTextTimes = false
    /// Parameters whose value the ID token must repeat in a claim of the same name; `*` stands for any value.
    var claimedParameters: [String] = []
    /// Whether what was granted includes a scope that was asked for.
    var grants: @Sendable (_ granted: [String], _ asked: String) -> Bool = { $0.contains($1) }

    // MARK: The person

    /// Asks who an access token belongs to, where there are no ID tokens.
    var person: (@Sendable (ProviderAPI) async throws -> JSONObject)?
    /// Reads a profile from what was verified.
    var profile: @Sendable (ProfileSource) throws -> ProviderProfile
    /// Checks that an access token was made for this client; nil where nobody can say.
    var checksAccessToken: (@Sendable (ProviderAPI) async throws -> CheckedAccessToken)?
    /// Tokens that users make in the provider's settings; nil if the provider has none or authctl does not support them.
    package var personalTokens: PersonalTokens?
    var revocation = Revocation.endpoint
    /// What the provider's logout wants the redirect URI to be called.
    var logoutRedirectName = "post_logout_redirect_uri"
    /// The name that goes with an access token where a user name and a password are wanted.
    package var tokenUserName = "oauth2"
    /// How a CI system's token becomes an access token here.
    var workloadGrant = TokenEndpoint.WorkloadGrant.tokenExchange
    /// It says the name once, beside the code, and whoever is handed its ID token later must be told.
    var saysNameOnce = false
    /// Its rules want the person's consent before an identity of it is tied to others.
    var wantsConsentToLink = false
    /// What asks the provider for a new proof of the person, where it can be asked.
    var reauthentication: [(String, String)] = []
    /// A refresh token is given only where the person is asked for consent, as OpenID Connect Core section 11 has it.
    var wantsConsentForOfflineAccess = false
    /// What is different where a Firebase project is the provider's client.
    var project = InProject()
    /// Where people register a client.
    package var registration: Registration?

    /// What an option of a sign-in is called here.
    /// - Throws: `ProviderError.noSuchOption`: ignoring it could drop a protection.
    func name(of option: RequestOption, at provider: String) throws(ProviderError) -> String {
        guard let name = optionNames[option] else { throw .noSuchOption(option, provider: provider) }
        return name
    }

    /// It says who somebody is, by an ID token or its API.
    var saysWhoSomebodyIs: Bool { hasIDTokens || person != nil }

    /// Who is expected can be said to the provider.
    package var takesLoginHint: Bool { optionNames[.loginHint] != nil }

    package enum NonceMode: String, Sendable, CaseIterable { case raw, sha256 }

    package enum Redirect: Sendable, Equatable {
        /// `http://HOST:PORT/callback/ID` with any free port.
        case anyPort(host: String)
        /// `http://HOST:8400/callback/ID`: the provider compares ports.
        case fixedPort(host: String)
        /// A public https URL of one's own, which the entry must name.
        case publicURL
    }

    struct InProject: Sendable {
        /// The project takes no credential of this provider from anybody but the provider.
        var takesNoCredential = false
        /// Asked for at every sign-in.
        var scopes: [String] = []
        /// The kind of flow to ask for, at providers that have several.
        var flowType: String?
        /// Its rules want what it gave taken back before an account is deleted.
        var wantsRevocation = false
    }

    /// Access tokens that belong to a user and to no client, so that they work without a client ID.
    package struct PersonalTokens: Sendable {
        /// Whether a token is one; throws `CredentialError` for a token that does not belong to a user.
        var contains: @Sendable (AccessToken) throws -> Bool
        /// Asks the provider whose token it is and what the token is for.
        var check: @Sendable (ProviderAPI) async throws -> CheckedPersonalToken
        /// Where users delete their tokens.
        var page: String
    }

    enum Revocation: Sendable {
        /// RFC 7009, where the metadata names the endpoint.
        case endpoint
        case call(@Sendable (ProviderAPI) async throws -> Void)
    }

    /// A parameter of the authorization request that `--param` can set.
    package struct KnownParameter: Sendable {
        package let name: String
        package let meaning: Meaning

        init(_ name: String, _ meaning: Meaning) {
            self.name = name
            self.meaning = meaning
        }

        package enum Meaning: Sendable, Equatable {
            /// One of these words.
            case oneOf([String])
            case emailOrSubject
            /// The API that the access token is for; by RFC 8707, where that is what names it.
            case audience(isResource: Bool)
            case claimsAsJSON
            /// Of this company's page.
            case language(of: String)
            case suggestedAccount
            /// `false`: nobody makes an account.
            case newAccounts
            /// `select_account`.
            case accountPicker
            /// `offline`, sent unless the word is `online`.
            case refreshToken
            /// One of these words, of which `consent` gives a new refresh token to web clients.
            case consent([String])
            /// The token must confirm it.
            case confirmedDomain
            case earlierScopes
            /// `rerequest` or `reauthenticate`.
            case askAgain
            case businessConfiguration
            case organizationDomain
            /// Not with this parameter.
            case expectedPerson(not: String)
        }
    }

    /// With what people call the provider.
    package enum SecretReason: Sendable, Equatable {
        /// It takes no public clients in the web flow.
        case noPublicClients(String)
        /// Its desktop clients have a secret that is none, and must send it.
        case desktopClientsToo(String)
        /// A secret is made of a private key.
        case signed(String)
        case redeemsOnlyWithSecret(String)
    }

    /// The built-in providers whose identities are tied to others only with the person's consent.
    package static let wantingConsent = Set(builtIn.filter(\.dialect.wantsConsentToLink).map(\.id))

    static let sayingNameOnce = Set(builtIn.filter(\.dialect.saysNameOnce).map(\.id))

    /// What refusals of a client are called: RFC 6749's codes, and GitHub's.
    static let clientRefusals: Set = [
        "invalid_client", "unauthorized_client", "incorrect_client_credentials", "Not Found", "device_flow_disabled",
    ]

    static let standardOptionNames: [RequestOption: String] = [
        .loginHint: "login_hint", .prompt: "prompt", .maximumAge: "max_age", .authenticationContexts: "acr_values",
        .language: "ui_locales",
    ]

    /// A built-in provider's.
    package static func named(_ id: String) -> Dialect? { builtIn.first { $0.id == id }?.dialect }

    /// The built-in providers by ID.
    package static let builtIn: [(id: String, dialect: Dialect)] = [
        ("github.com", .github), ("apple.com", .apple), ("microsoft.com", .microsoft), ("google.com", .google),
        ("facebook.com", .facebook), ("twitter.com", .x),
    ]

    /// The ID that somebody means by a provider's usual name, `github` or `x`; any other text as it is.
    package static func id(called name: String) -> String {
        if let known = names[name] { return known }
        return builtIn.first { $0.id == name + ".com" }?.id ?? name
    }

    /// Names of providers that their IDs do not begin with.
    private static let names = ["x": "twitter.com", "x.com": "twitter.com"]

    /// A name that people have for a built-in provider, where its ID does not begin with it.
    package static func usualName(of id: String) -> String? {
        names.filter { $0.value == id }.keys.min { $0.utf8.count < $1.utf8.count }
    }

    /// What a Firebase project signs in with and this tool has no dialect for.
    static let onlyInProjects: Set = ["yahoo.com"]

    /// Whether a project takes no credential of a provider that anybody but the provider gives it.
    static func isOnlyProjects(_ providerID: String) -> Bool {
        named(providerID)?.project.takesNoCredential ?? onlyInProjects.contains(providerID)
    }

    /// Whether some provider made an address to hide the person's own.
    static func isRelay(_ email: String?) -> Bool { Apple.isRelay(email) }
}
