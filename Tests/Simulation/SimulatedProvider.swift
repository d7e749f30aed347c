import AuthCoreTesting

@testable import AuthCore

/// A token of the simulated provider.
struct IssuedToken: Equatable {
    /// The number of the sign-in that the token belongs to.
    let family: Int
    /// The number of earlier rotations of the refresh token.
    let generation: Int
}

/// Two OpenID Providers that rotate refresh tokens. If a used refresh token is presented again, all tokens of the
/// sign-in are revoked (RFC 9700 section 4.14.2). Some accept the token again for ten seconds if its response was lost.
final class SimulatedProvider {
    static let ids = ["oidc.a", "oidc.b"]
    static let clientID = "client-1"

    /// All tokens of one sign-in.
    struct Family {
        let provider: String
        let subject: String
        /// Seconds that its access tokens are valid.
        let lifetime: Int64
        var generation = 0
        var isOver = false
        /// Whether a response with new tokens was lost. If so, using an old refresh token again is not an error.
        var isExcused = false
        /// Until when the refresh token of the last lost response is accepted again, in seconds since 1970.
        var windowEnds: Int64 = 0
    }

    /// The history of one generation's access token.
    struct Record {
        let issuedAt: Int
        /// When the response arrived, by the machine's clock.
        var receivedAt: Int64?
        /// The step in which the token was first found in the store.
        var storedAt: Int?
    }

    private(set) var families: [Family] = []
    var records: [[Record]] = []
    private(set) var idTokens: [String: (token: IssuedToken, expiresAt: Int64)] = [:]
    private let key: TestProvider
    /// The sign-ins of another user, whose tokens were in the response to a refresh.
    private var foreign: Set<Int> = []
    var hasWindow = false
    /// Called with each violation.
    var report: (String) -> Void = { _ in }

    init(_ key: TestProvider) { self.key = key }

    static func issuer(_ provider: String) -> String { "https://\(provider.suffix(1)).example.com" }

    static func entry(_ provider: String) throws -> Provider {
        Provider(id: provider, issuer: try HTTPURL(issuer(provider)), clientID: clientID)
    }

    func excuse(_ token: IssuedToken) { families[token.family].isExcused = true }

    func lose(_ token: IssuedToken, at now: Int64) {
        excuse(token)
        if hasWindow { families[token.family].windowEnds = now + 10 }
    }

    func receive(_ token: IssuedToken, at time: Int64) { records[token.family][token.generation].receivedAt = time }

    // MARK: Tokens

    static func token(_ text: String) -> IssuedToken? {
        let parts = text.split(separator: "-").compactMap { Int($0) }
        return parts.count == 2 ? IssuedToken(family: parts[0], generation: parts[1]) : nil
    }

    /// Returns the token response of a new sign-in.
    func signIn(_ subject: String, at provider: String, lifetime: Int64, step: Int, now: Int64) -> JSONObject {
        families.append(Family(provider: provider, subject: subject, lifetime: lifetime))
        records.append([])
        return tokens(of: families.count - 1, hasIDToken: true, step: step, now: now)
    }

    private func tokens(of number: Int, hasIDToken: Bool, step: Int, now: Int64) -> JSONObject {
        let family = families[number]
        records[number].append(Record(issuedAt: step))
        let suffix = "\(number)-\(family.generation)"
        var object: JSONObject = [
            "access_token": .string("access-\(suffix)"), "refresh_token": .string("refresh-\(suffix)"),
            "token_type": "Bearer", "expires_in": JSONValue(family.lifetime),
        ]
        guard hasIDToken else { return object }
        let claims: JSONObject = [
            "iss": .string(Self.issuer(family.provider)), "sub": .string(family.subject), "aud": .string(Self.clientID),
            "iat": JSONValue(now), "exp": JSONValue(now + family.lifetime),
        ]
        let idToken = key.sign(JSONValue.object(claims).text)
        idTokens[idToken] = (IssuedToken(family: number, generation: family.generation), now + family.lifetime)
        object["id_token"] = .string(idToken)
        return object
    }

    // MARK: Responses

    func metadata(_ issuer: String) -> TransportResponse {
        .json([
            "issuer": .string(issuer), "authorization_endpoint": .string(issuer + "/authorize"),
            "token_endpoint": .string(issuer + "/token"), "jwks_uri": .string(issuer + "/jwks"),
            "revocation_endpoint": .string(issuer + "/revoke"), "response_types_supported": ["code"],
            "id_token_signing_alg_values_supported": [.string(key.algorithm.rawValue)],
        ])
    }

    func keys() -> TransportResponse { .json(key.keySet) }

    private static func parameter(_ name: String, of request: TransportRequest) -> String? {
        FormURLEncoded.decode(request.body ?? [])?.first { $0.name == name }?.value
    }

    private static let refused = TransportResponse.json(["error": "invalid_grant"], status: 400)

    /// What is wrong with the response to a refresh.
    enum Fault: CaseIterable {
        case none
        /// It has no `token_type`.
        case untyped
        /// It has the tokens of another user, and the refresh token is not rotated.
        case foreign
    }

    static func sentToken(_ request: TransportRequest) -> IssuedToken? {
        parameter("refresh_token", of: request).flatMap(token)
    }

    /// - Returns: the response, and the rotated refresh token that it contains.
    func refresh(
        _ request: TransportRequest, hasIDToken: Bool, _ fault: Fault, step: Int, now: Int64
    ) -> (TransportResponse, IssuedToken?) {
        guard let token = Self.sentToken(request), families.indices.contains(token.family) else {
            report("a request has no refresh token of this provider")
            return (Self.refused, nil)
        }
        if foreign.contains(token.family) { report("another user's refresh token is used") }
        let family = families[token.family]
        let isInWindow = token.generation == family.generation - 1 && now < family.windowEnds
        if isInWindow { families[token.family].windowEnds = 0 }
        guard token.generation == family.generation || isInWindow else {
            // If the family has ended, for example by a revocation, nothing is lost by an older token.
            if !families[token.family].isExcused, !families[token.family].isOver {
                report("refresh token \(token.family)-\(token.generation) is used twice")
            }
            families[token.family].isOver = true
            return (Self.refused, nil)
        }
        guard !families[token.family].isOver else { return (Self.refused, nil) }
        if fault == .foreign {
            foreign.insert(families.count)
            return (.json(signIn("mallory", at: family.provider, lifetime: 60, step: step, now: now)), nil)
        }
        families[token.family].generation += 1
        var object = tokens(of: token.family, hasIDToken: hasIDToken, step: step, now: now)
        if fault == .untyped { object["token_type"] = nil }
        return (.json(object), IssuedToken(family: token.family, generation: family.generation + 1))
    }

    func revoke(_ request: TransportRequest) -> TransportResponse {
        if let token = Self.parameter("token", of: request).flatMap(Self.token) { families[token.family].isOver = true }
        return TransportResponse(status: 200)
    }
}
