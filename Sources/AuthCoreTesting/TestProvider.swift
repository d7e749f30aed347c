public import AuthCore
import FoundationEssentials

/// An OpenID Provider inside the test's process: a transport that returns its responses and records the requests.
///
/// Each provider has a new signing key. Tests change its behavior with `claims` and `on`.
public final class TestProvider: HTTPTransport {
    /// The issuer of its tokens.
    public static let issuer = "https://id.example.com"
    /// The ID of its client.
    public static let clientID = "client-1"
    /// The time of a provider without a clock, in seconds since 1970: 2026-11-21T08:00:00Z.
    package static let now: Int64 = 1_795_248_000
    package static let code = "the-authorization-code"
    package static let accessToken = "the-access-token-0001"
    package static let refreshToken = "the-refresh-token-0001"

    package typealias Handler = @Sendable (TransportRequest) throws(HTTPError) -> TransportResponse

    private struct State {
        var handlers: [String: Handler] = [:]
        var requests: [TransportRequest] = []
        var claims: JSONObject = [:]
        var pushed: [String: [(name: String, value: String)]] = [:]
    }

    private let state: Lock<State>
    package let key: PrivateKey
    package let algorithm: SignatureAlgorithm
    private let clock: TestClock?

    /// Creates a provider that uses the test's clock.
    /// - Throws: an error if the key cannot be generated.
    public convenience init(clock: TestClock) throws { try self.init(algorithm: .es256, clock: clock) }

    package init(algorithm: SignatureAlgorithm = .es256, clock: TestClock? = nil) throws {
        self.algorithm = algorithm
        self.clock = clock
        key = try PrivateKey.generate(algorithm.family)
        state = Lock(State())
        state.withLock { $0.claims = TestProvider.goodClaims }
        let metadata = self.metadata
        let keys = keySet
        on("/.well-known/openid-configuration") { _ throws(HTTPError) in .json(metadata) }
        on("/jwks") { _ throws(HTTPError) in .json(keys) }
        on("/token") { [unowned self] _ throws(HTTPError) in .json(tokenResponse()) }
        on("/par") { [unowned self] request throws(HTTPError) in .json(push(request), status: 201) }
        on("/revoke") { _ throws(HTTPError) in TransportResponse(status: 200) }
    }

    /// Its public keys as a JWK Set (RFC 7517 section 5).
    public var jwks: [UInt8] { Array(JSONValue.object(keySet).text.utf8) }

    /// Signs a JWT with these claims. `iss`, `sub`, `iat` and `exp` (in one hour) have defaults.
    /// - Parameters:
    ///   - claims: a claim with one text is a string, otherwise an array.
    ///   - type: the header's `typ`.
    public func token(_ claims: [String: [String]], audience: String, type: String = "at+jwt") -> String {
        let now = clock.map { Int64($0.now.timeIntervalSince1970) } ?? Self.now
        var object: JSONObject = [
            "iss": .string(Self.issuer), "sub": "248289761001", "aud": .string(audience), "iat": JSONValue(now),
            "exp": JSONValue(now + 3600),
        ]
        for (name, values) in claims.sorted(by: { $0.key < $1.key }) {
            object[name] = values.count == 1 ? .string(values[0]) : .array(values.map { .string($0) })
        }
        return sign(
            JSONValue.object(object).text, header: #"{"alg":"\#(algorithm.rawValue)","kid":"k1","typ":"\#(type)"}"#)
    }

    /// The number of requests to a path, for example `/token`.
    public func count(of path: String) -> Int { requests(to: path).count }

    package var metadata: JSONObject {
        let base = TestProvider.issuer
        return [
            "issuer": .string(base), "authorization_endpoint": .string(base + "/authorize"),
            "token_endpoint": .string(base + "/token"), "jwks_uri": .string(base + "/jwks"),
            "userinfo_endpoint": .string(base + "/userinfo"), "revocation_endpoint": .string(base + "/revoke"),
            "response_types_supported": ["code"],
            "id_token_signing_alg_values_supported": [.string(algorithm.rawValue)],
            "authorization_response_iss_parameter_supported": true,
        ]
    }

    package var keySet: JSONObject { JWKSet(keys: [JWK(key: key.publicKey, keyID: "k1")]).json }

    package static let goodClaims: JSONObject = [
        "iss": .string(issuer), "sub": "248289761001", "aud": .string(clientID), "exp": JSONValue(now + 600),
        "iat": JSONValue(now), "email": "ada@example.com", "name": "Ada Example",
    ]

    package func claims(_ change: (inout JSONObject) -> Void) { state.withLock { change(&$0.claims) } }

    package func idToken() -> String {
        var claims = state.withLock { $0.claims }
        if let clock {
            let now = Int64(clock.now.timeIntervalSince1970)
            claims["iat"] = JSONValue(now)
            claims["exp"] = JSONValue(now + 600)
        }
        return sign(JSONValue.object(claims).text)
    }

    package func sign(_ payload: String, header: String? = nil) -> String {
        let head = header ?? #"{"alg":"\#(algorithm.rawValue)","kid":"k1"}"#
        let input = Base64URL.encode(Array(head.utf8)) + "." + Base64URL.encode(Array(payload.utf8))
        let signature = (try? key.signature(over: Array(input.utf8), algorithm: algorithm)) ?? []
        return input + "." + Base64URL.encode(signature)
    }

    package func tokenResponse() -> JSONObject {
        // With a clock, each response has different tokens, so that a test sees whether new tokens were requested.
        let number = clock == nil ? 1 : count(of: "/token")
        let digits = String(10000 + number).dropFirst()
        return [
            "access_token": .string("the-access-token-\(digits)"), "token_type": "Bearer", "expires_in": 3600,
            "refresh_token": .string("the-refresh-token-\(digits)"), "id_token": .string(idToken()),
        ]
    }

    package func on(_ path: String, _ handler: @escaping Handler) { state.withLock { $0.handlers[path] = handler } }

    package func requests(to path: String) -> [TransportRequest] {
        state.withLock { $0.requests.filter { $0.url.path == path } }
    }

    /// Responds to a request.
    public func send(_ request: TransportRequest) async throws(HTTPError) -> TransportResponse {
        let handler = state.withLock { state in
            state.requests.append(request)
            return state.handlers[request.url.path]
        }
        guard let handler else { return TransportResponse(status: 404) }
        return try handler(request)
    }

    private func push(_ request: TransportRequest) -> JSONObject {
        state.withLock { state in
            let uri = "urn:ietf:params:oauth:request_uri:\(state.pushed.count + 1)"
            state.pushed[uri] = FormURLEncoded.decode(request.body ?? []) ?? []
            return ["request_uri": .string(uri), "expires_in": 60]
        }
    }

    package func parameters(of authorizationURL: String) -> [(name: String, value: String)] {
        let query = (try? HTTPURL(authorizationURL))?.query ?? ""
        let own = FormURLEncoded.decode(Array(query.utf8)) ?? []
        guard let uri = own.first(where: { $0.name == "request_uri" })?.value else { return own }
        return state.withLock { $0.pushed[uri] ?? [] }
    }

    package func begin(_ authorizationURL: String) throws {
        let nonce = parameters(of: authorizationURL).first { $0.name == "nonce" }?.value
        claims { claims in
            if claims["nonce"] == nil, let nonce { claims["nonce"] = .string(nonce) }
        }
    }
}

extension TransportResponse {
    package static func json(_ object: JSONObject, status: Int = 200, headers: [(name: String, value: String)] = [])
        -> TransportResponse
    {
        TransportResponse(
            status: status, headers: [(name: "content-type", value: "application/json")] + headers,
            body: Array(JSONValue.object(object).text.utf8))
    }

    package static func text(_ text: String, status: Int = 200, type: String = "application/json") -> TransportResponse
    {
        TransportResponse(status: status, headers: [(name: "content-type", value: type)], body: Array(text.utf8))
    }
}
