/// The ways in which one provider differs from OpenID Connect. Other code does not distinguish the providers.
///
/// A base URL replaces the origin of every endpoint, never of one: a configuration cannot send codes of the real provider
/// to a foreign token endpoint. Identities and tokens belong to the base URL.
package struct Dialect: Sendable {
    var endpoints: Endpoints?
    /// The code flow returns an ID token, which must repeat the nonce of the request.
    package var hasIDTokens = true

    // MARK: Authorization request

    package var defaultScopes: [String]
    var requiredScopes: [String] = []
    var namesResourceInScopes = false
    /// Sent with every authorization request, unless the configuration or an option overrides it.
    var parameters: [(String, String)] = []
    package var knownParameters: [KnownParameter] = []
    var optionNames: [RequestOption: String] = Dialect.standardOptionNames
    var nonceMode = NonceMode.raw
    /// An ID token obtained elsewhere must come with its nonce.
    var requiresNonceWithGivenIDTokens = false
    /// An ID token obtained elsewhere may have been issued to any client (`azp`) for this one.
    var givenIDTokensMayBeOfOtherClients = false
    /// The mode to request; nil for the default one, `query`.
    var responseMode: @Sendable (_ scopes: [String]) -> ResponseMode? = { _ in nil }
    package var redirect = Redirect.anyPort(host: "127.0.0.1")

    // MARK: Tokens

    var secretMethod: ClientAuthentication.Method?
    package var signsClientSecret = false
    /// Why sign-in requires a client secret; nil if public clients are supported.
    package var secretReason: SecretReason?
    var deviceNeedsNoSecret = false
    /// Also requested in the device flow, and not reported as missing.
    var deviceScopes: [String] = []
    var refusesClient: @Sendable (_ code: String, _ description: String) -> Bool = { code, _ in
        Dialect.clientRefusals.contains(code)
    }
    var tokenResponsesMayBeForms = false
    var deviceURLName = "verification_uri"
    var refreshRepeatsRedirectURI = false
    var acceptsTextTimes = false
    /// Parameters whose value the ID token must repeat in a claim of the same name; `*` stands for any value.
    var claimedParameters: [String] = []
    var grants: @Sendable (_ granted: [String], _ requested: String) -> Bool = { $0.contains($1) }

    // MARK: The user

    var person: (@Sendable (ProviderAPI) async throws -> JSONObject)?
    var identity: @Sendable (ProfileSource) throws -> Identity
    var checksAccessToken: (@Sendable (ProviderAPI) async throws -> CheckedAccessToken)?
    package var personalTokens: PersonalTokens?
    package var installations: Installations?
    var revocation = Revocation.endpoint
    var logoutRedirectName = "post_logout_redirect_uri"
    package var tokenUserName = "oauth2"
    var workloadGrant = TokenEndpoint.WorkloadGrant.tokenExchange
    /// The provider sends the name only at the first sign-in, beside the code. Directories that verify the ID token
    /// later must receive it separately.
    var sendsNameOnce = false
    /// The provider's rules require the user's consent before an identity is linked to others.
    var requiresConsentToLink = false
    var reauthentication: [(String, String)] = []
    /// The provider issues a refresh token only if the user is asked for consent (OpenID Connect Core section 11).
    var requiresConsentForOfflineAccess = false
    var project = InProject()
    package var registration: Registration?

    func name(of option: RequestOption, at provider: String) throws(ProviderError) -> String {
        guard let name = optionNames[option] else { throw .noSuchOption(option, provider: provider) }
        return name
    }

    var identifiesUser: Bool { hasIDTokens || person != nil }

    package var supportsLoginHint: Bool { optionNames[.loginHint] != nil }

    package enum NonceMode: String, Sendable, CaseIterable { case raw, sha256 }

    package enum Redirect: Sendable, Equatable {
        case anyPort(host: String)
        case fixedPort(host: String)
        /// A public https URL of the client, which must be configured.
        case publicURL
    }

    struct InProject: Sendable {
        var rejectsCredentials = false
        var scopes: [String] = []
        var flowType: String?
        /// The provider's rules require that its tokens are revoked before an account is deleted.
        var requiresRevocation = false
    }

    /// Access tokens that belong to a user and not to a client: they do not require a client ID.
    package struct PersonalTokens: Sendable {
        var contains: @Sendable (AccessToken) throws -> Bool
        var check: @Sendable (ProviderAPI) async throws -> CheckedPersonalToken
        var page: String
        /// The page that creates a token, without the scopes to select there.
        package var newPage: String
        package let scopes: [String]
    }

    /// Apps that are installed on repositories and authenticate with their own key.
    package struct Installations: Sendable {
        var token: @Sendable (ProviderAPI, InstallationRequest) async throws -> InstallationToken
        var app: @Sendable (ProviderAPI) async throws -> KnownApp
    }

    enum Revocation: Sendable {
        /// RFC 7009, if the metadata names the endpoint.
        case endpoint
        case call(@Sendable (ProviderAPI) async throws -> Void)
    }

    /// A parameter of the authorization request that `--param` can set.
    package struct KnownParameter: Sendable {
        package let name: String
        package let kind: Kind

        init(_ name: String, _ kind: Kind) { (self.name, self.kind) = (name, kind) }

        package enum Kind: Sendable, Equatable {
            case oneOf([String])
            case emailOrSubject
            /// The API that the access token is for. With `isResource`, the parameter is that of RFC 8707.
            case audience(isResource: Bool)
            case claimsAsJSON
            case language(of: String)
            case suggestedAccount, newAccounts, accountPicker, refreshToken
            case consent([String])
            /// The ID token must confirm the domain.
            case confirmedDomain
            case earlierScopes, rerequest, businessConfiguration, organizationDomain
            case expectedUser(not: String)
        }
    }

    /// Why a provider requires a client secret, with the provider's display name.
    package enum SecretReason: Sendable, Equatable {
        case noPublicClients(String)
        /// Desktop clients must send their client secret, although it is public.
        case publicDesktopSecret(String)
        case signed(String)
        case redeemsOnlyWithSecret(String)
    }

    /// The built-in providers whose identities are linked to others only with the user's consent.
    package static let providersRequiringConsent = Set(builtIn.filter(\.dialect.requiresConsentToLink).map(\.id))

    static let sendingNameOnce = Set(builtIn.filter(\.dialect.sendsNameOnce).map(\.id))

    /// The error codes for a rejected client: RFC 6749's, and GitHub's.
    static let clientRefusals: Set = [
        "invalid_client", "unauthorized_client", "incorrect_client_credentials", "Not Found", "device_flow_disabled",
    ]

    static let standardOptionNames = Dictionary(uniqueKeysWithValues: RequestOption.allCases.map { ($0, $0.rawValue) })

    package static func named(_ id: String) -> Dialect? { builtIn.first { $0.id == id }?.dialect }

    package static let builtIn: [(id: String, dialect: Dialect)] = [
        ("github.com", .github), ("apple.com", .apple), ("microsoft.com", .microsoft), ("google.com", .google),
        ("facebook.com", .facebook), ("twitter.com", .x),
    ]

    package static func id(called name: String) -> String {
        let word = name.lowercased()
        return names[word] ?? builtIn.first { [word, word + ".com"].contains($0.id) }?.id ?? name
    }

    private static let names = ["x": "twitter.com", "x.com": "twitter.com"]

    package static func defaultName(of id: String) -> String? {
        names.filter { $0.value == id }.keys.min { $0.utf8.count < $1.utf8.count }
    }

    static let onlyInProjects: Set = ["yahoo.com"]

    package static func isOnlyProjects(_ providerID: String) -> Bool {
        named(providerID)?.project.rejectsCredentials ?? onlyInProjects.contains(providerID)
    }
}
