import AuthCoreTesting

@testable import AuthCore

/// A token of the simulated provider.
struct IssuedToken: Equatable {
    /// The number of the sign-in whose token it is.
    let family: Int
    /// How often the refresh token was rotated before.
    let generation: Int
}

/// Two OpenID Providers that rotate refresh tokens, and end a sign-in whose used refresh token comes again (RFC 9700
/// section 4.14.2).
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
        /// A response with new tokens was lost, so that the used refresh token may come once more.
        var isExcused = false
    }

    /// What is known of the access token of one generation.
    struct Record {
        let issuedAt: Int
        /// When its response came, by the machine's clock.
        var receivedAt: Int64?
        /// The step in which it was first seen in the store.
        var storedAt: Int?
    }

    private(set) var families: [Family] = []
    var records: [[Record]] = []
    private(set) var idTokens: [String: (token: IssuedToken, expiresAt: Int64)] = [:]
    private let key: TestProvider
    /// Called with each broken rule.
    var report: (String) -> Void = { _ in }

    init(_ key: TestProvider) { self.key = key }

    static func issuer(_ provider: String) -> String { "https://\(provider.suffix(1)).example.com" }

    static func entry(_ provider: String) throws -> Provider {
        Provider(id: provider, issuer: try HTTPURL(issuer(provider)), clientID: clientID)
    }

    func excuse(_ token: IssuedToken) { families[token.family].isExcused = true }

    func receive(_ token: IssuedToken, at time: Int64) { records[token.family][token.generation].receivedAt = time }

    // MARK: Tokens

    static func token(_ text: String) -> IssuedToken? {
        let parts = text.split(separator: "-").compactMap { Int($0) }
        return parts.count == 2 ? IssuedToken(family: parts[0], generation: parts[1]) : nil
    }

    /// A sign-in: the tokens, and whose they are.
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

    /// - Returns: the response, and which rotation it brings.
    func refresh(
        _ request: TransportRequest, hasIDToken: Bool, step: Int, now: Int64
    ) -> (TransportResponse, IssuedToken?) {
        guard let token = Self.parameter("refresh_token", of: request).flatMap(Self.token),
            families.indices.contains(token.family)
        else {
            report("a request has no refresh token of this provider")
            return (Self.refused, nil)
        }
        guard token.generation == families[token.family].generation else {
            if !families[token.family].isExcused {
                report("refresh token \(token.family)-\(token.generation) is used twice")
            }
            families[token.family].isOver = true
            return (Self.refused, nil)
        }
        guard !families[token.family].isOver else { return (Self.refused, nil) }
        families[token.family].generation += 1
        let object = tokens(of: token.family, hasIDToken: hasIDToken, step: step, now: now)
        return (.json(object), IssuedToken(family: token.family, generation: token.generation + 1))
    }

    func revoke(_ request: TransportRequest) -> TransportResponse {
        if let token = Self.parameter("token", of: request).flatMap(Self.token) { families[token.family].isOver = true }
        return TransportResponse(status: 200)
    }
}
