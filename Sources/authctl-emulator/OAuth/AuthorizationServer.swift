import AuthCore

/// The state of an OAuth provider: its clients, and the issued codes and tokens with their users. The endpoints are in
/// the other files of this folder. `OAuthRules` has the differences between providers.
final class AuthorizationServer {
    let site: Site
    let issuer: TokenIssuer
    let rules: OAuthRules
    var codes: [String: (grant: Grant, expiresAt: Int64)] = [:]
    var refreshTokens: [String: Grant] = [:]
    var accessTokens: [String: Grant] = [:]
    /// The families of used codes and refresh tokens.
    var used: [String: String] = [:]
    var pending: [String: (grant: Grant, state: String, mode: String?)] = [:]
    /// The `jti` of every accepted DPoP proof.
    var usedProofs: Set<String> = []
    var nonces: [String: (nonce: String, left: Int)] = [:]
    var pushed: [String: Pushed] = [:]
    var devices: [String: Device] = [:]
    var clients: [String: Client]
    var usedAssertions: Set<String> = []
    var introduced: Set<String> = []

    struct Client {
        var secret: String?
        var key: PublicKey?
        var subject: String?
        var certificate: String?
        var redirectURIs: [String]
        var logoutURIs: [String] = []
        /// The token with which the client can be deleted (RFC 7592).
        var registrationToken: String?

        var isKnownByCertificate: Bool { key == nil && (subject != nil || certificate != nil) }
    }

    init(_ site: Site, _ rules: OAuthRules) throws {
        self.site = site
        self.rules = rules
        let settings = site.settings
        clients = [
            settings.clientID: Client(
                secret: settings.clientSecret, key: settings.clientKey, subject: settings.clientSubject,
                certificate: settings.clientCertificate, redirectURIs: settings.redirectURIs)
        ]
        issuer = try TokenIssuer(site, name: rules.issuer(settings))
    }

    var settings: Settings { site.settings }
    func has(_ fault: Fault) -> Bool { site.has(fault) }
    func now() -> Int64 { site.now() }
    func token(_ prefix: String = "") throws -> String { try site.token(prefix) }
    func count(_ name: String) { site.count(name) }

    // MARK: Pages that no provider has

    var consentPage: Endpoint { .any("/emulator/decision", decide) }
    var devicePage: Endpoint { .any("/emulator/device", decideDevice) }
    var directIDTokens: Endpoint { .any("/emulator/id-token", directIDToken) }
}
