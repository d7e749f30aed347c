import Synchronization

@testable import AuthCore

/// An OpenID Provider in memory that does what a test tells it, and remembers what it was asked.
final class ProviderDouble: HTTPTransport {
    static let issuer = "https://id.example.com"
    static let clientID = "client-1"
    /// Seconds since 1970: 2026-11-21T08:00:00Z, the tests' only now.
    static let now: Int64 = 1_795_248_000
    static let code = "the-authorization-code"
    static let accessToken = "the-access-token-0001"
    static let refreshToken = "the-refresh-token-0001"

    typealias Handler = @Sendable (HTTPRequest) throws(HTTPError) -> HTTPResponse

    private struct State {
        var handlers: [String: Handler] = [:]
        var requests: [HTTPRequest] = []
        var claims: JSONObject = [:]
        var pushed: [String: [(name: String, value: String)]] = [:]
    }

    private let state: Mutex<State>
    let key: PrivateKey
    let algorithm: SignatureAlgorithm

    init(algorithm: SignatureAlgorithm = .es256) throws {
        self.algorithm = algorithm
        key = try PrivateKey.generate(algorithm.family)
        state = Mutex(State())
        state.withLock { $0.claims = ProviderDouble.goodClaims }
        let metadata = self.metadata
        let keys = keySet
        on("/.well-known/openid-configuration") { _ throws(HTTPError) in .json(metadata) }
        on("/jwks") { _ throws(HTTPError) in .json(keys) }
        on("/token") { [unowned self] _ throws(HTTPError) in .json(tokenResponse()) }
        on("/par") { [unowned self] request throws(HTTPError) in .json(push(request), status: 201) }
        on("/revoke") { _ throws(HTTPError) in HTTPResponse(status: 200) }
    }

    var metadata: JSONObject {
        let base = ProviderDouble.issuer
        return [
            "issuer": .string(base), "authorization_endpoint": .string(base + "/authorize"),
            "token_endpoint": .string(base + "/token"), "jwks_uri": .string(base + "/jwks"),
            "userinfo_endpoint": .string(base + "/userinfo"), "revocation_endpoint": .string(base + "/revoke"),
            "response_types_supported": ["code"],
            "id_token_signing_alg_values_supported": [.string(algorithm.rawValue)],
            "authorization_response_iss_parameter_supported": true,
        ]
    }

    var keySet: JSONObject { JWKSet(keys: [JWK(key: key.publicKey, keyID: "k1")]).json }

    static let goodClaims: JSONObject = [
        "iss": .string(issuer), "sub": "248289761001", "aud": .string(clientID), "exp": JSONValue(now + 600),
        "iat": JSONValue(now), "email": "ada@example.com", "name": "Ada Example",
    ]

    /// Changes the claims of every ID token from here on; the nonce of the sign-in is added where none is named.
    func claims(_ change: (inout JSONObject) -> Void) { state.withLock { change(&$0.claims) } }

    func idToken() -> String {
        let claims = state.withLock { $0.claims }
        return sign(JSONValue.object(claims).text)
    }

    /// Signs a payload as it stands, well-formed or not.
    func sign(_ payload: String, header: String? = nil) -> String {
        let head = header ?? #"{"alg":"\#(algorithm.rawValue)","kid":"k1"}"#
        let input = Base64URL.encode(Array(head.utf8)) + "." + Base64URL.encode(Array(payload.utf8))
        let signature = (try? key.signature(over: Array(input.utf8), algorithm: algorithm)) ?? []
        return input + "." + Base64URL.encode(signature)
    }

    func tokenResponse() -> JSONObject {
        [
            "access_token": .string(ProviderDouble.accessToken), "token_type": "Bearer", "expires_in": 3600,
            "refresh_token": .string(ProviderDouble.refreshToken), "id_token": .string(idToken()),
        ]
    }

    func on(_ path: String, _ handler: @escaping Handler) { state.withLock { $0.handlers[path] = handler } }

    /// The requests so far to one path.
    func requests(to path: String) -> [HTTPRequest] {
        state.withLock { $0.requests.filter { $0.url.path == path } }
    }

    func send(_ request: HTTPRequest) async throws(HTTPError) -> HTTPResponse {
        let handler = state.withLock { state in
            state.requests.append(request)
            return state.handlers[request.url.path]
        }
        guard let handler else { return HTTPResponse(status: 404) }
        return try handler(request)
    }

    /// Keeps a request that is pushed, under a name of its own.
    private func push(_ request: HTTPRequest) -> JSONObject {
        state.withLock { state in
            let uri = "urn:ietf:params:oauth:request_uri:\(state.pushed.count + 1)"
            state.pushed[uri] = request.form
            return ["request_uri": .string(uri), "expires_in": 60]
        }
    }

    /// What an authorization URL asks for, itself or by the name of what was pushed.
    func parameters(of authorizationURL: String) -> [(name: String, value: String)] {
        let query = (try? HTTPURL(authorizationURL))?.query ?? ""
        let own = FormURLEncoded.decode(Array(query.utf8)) ?? []
        guard let uri = own.first(where: { $0.name == "request_uri" })?.value else { return own }
        return state.withLock { $0.pushed[uri] ?? [] }
    }

    /// Remembers the nonce that the client sent, as a provider does.
    func begin(_ authorizationURL: String) throws {
        let nonce = parameters(of: authorizationURL).first { $0.name == "nonce" }?.value
        claims { claims in
            if claims["nonce"] == nil, let nonce { claims["nonce"] = .string(nonce) }
        }
    }
}

extension HTTPResponse {
    static func json(_ object: JSONObject, status: Int = 200, headers: [(name: String, value: String)] = [])
        -> HTTPResponse
    {
        HTTPResponse(
            status: status, headers: [(name: "content-type", value: "application/json")] + headers,
            body: Array(JSONValue.object(object).text.utf8))
    }

    static func text(_ text: String, status: Int = 200, type: String = "application/json") -> HTTPResponse {
        HTTPResponse(status: status, headers: [(name: "content-type", value: type)], body: Array(text.utf8))
    }
}
