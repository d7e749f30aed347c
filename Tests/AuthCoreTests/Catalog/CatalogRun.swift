import AuthCoreTesting
import Synchronization
import TestSupport

@testable import AuthCore

/// A sign-in, a refresh and a revocation at a service that answers as its facts say.
final class CatalogRun: SignInInterface {
    static let (clientID, user) = ("client-1", "user-7")
    static let (code, accessToken, refreshToken) = ("the-code-0001", "the-access-0001", "the-refresh-0001")
    // Random values are zero bytes: 24 of a state and a nonce, 32 of a verifier.
    static let random = String(repeating: "A", count: 32)
    static let verifier = String(repeating: "A", count: 43)
    static let challenge = "DwBzhbb51LfusnSGBa_hqYSgo7-j8BTQnip4TOnlzRo"
    /// Shared, because generating a key is slow.
    private static let keys = Result { try TestProvider() }

    struct Request {
        var method, url: String
        var parameters: [String: String]
        var headers: [String: String] = [:]

        init(_ method: String, _ url: String, _ parameters: [String: String]) {
            (self.method, self.url, self.parameters) = (method, url, parameters)
        }

        /// All of it, so that a difference can be read.
        var text: String {
            func lines(_ pairs: [String: String]) -> [String] { pairs.map { "\($0): \($1)" }.sorted() }
            return (["\(method) \(url)"] + lines(headers) + lines(parameters)).joined(separator: "\n")
        }
    }

    let client: ProviderClient
    private let transport = ScriptedTransport()
    private let shown = Mutex<AuthorizationPage?>(nil)
    private let lines = AsyncStream<String>.makeStream()
    private(set) nonisolated(unsafe) var identity: IdentityKey?

    init(_ entry: CatalogEntry, _ facts: CatalogFacts, _ secret: ClientSecret?) async throws {
        let provider = try entry.answering(facts.answers).provider(clientID: CatalogRun.clientID)
        try CatalogRun.play(facts, provider, on: transport)
        let services = Services(
            transport: transport, clock: Clock(now: { TestProvider.now }),
            random: RandomSource { [UInt8](repeating: 0, count: $0) })
        client = try await ProviderClient.resolve(provider, keys: ClientKeys(secret: secret), services: services)
        let folder = try TemporaryFolder()
        let config = ConfigDirectory(path: folder.path + "/config")
        guard let store = try Store.open(in: config, host: NonInteractiveVaultHost(), creating: true) else { return }
        var request = SignInRequest()
        request.flow = .paste
        let directory = LocalDirectory(sessionStore: SessionStore(store: store, profile: "default"))
        let result = try await SignIn(request, client: client, directory: directory, interface: self).run()
        identity = result.account.identity(of: provider.id)?.key
        let endpoint = try client.tokenEndpoint()
        let token = RefreshToken(CatalogRun.refreshToken)
        if result.hasRefreshToken { _ = try await endpoint.refresh(token) }
        if endpoint.revocationURL != nil { try await endpoint.revoke(token.revealed(), hint: .refreshToken) }
    }

    private static func play(_ facts: CatalogFacts, _ provider: Provider, on transport: ScriptedTransport) throws {
        let keys = try keys.get()
        var tokens: JSONObject = ["access_token": .string(accessToken), "token_type": "bearer", "expires_in": 3600]
        if facts.isRefreshed { tokens["refresh_token"] = .string(refreshToken) }
        if let issuer = facts.issuer {
            var metadata: JSONObject = [
                "issuer": .string(issuer), "jwks_uri": "https://keys.example.com/jwks",
                "authorization_endpoint": .string(facts.endpoint("/authorize", "")),
                "token_endpoint": .string(facts.token),
            ]
            metadata["revocation_endpoint"] = facts["revocation"].map { .string($0) }
            if !facts.methods.isEmpty { metadata["token_endpoint_auth_methods_supported"] = JSONValue(facts.methods) }
            metadata["id_token_signing_alg_values_supported"] = ["ES256"]
            let document = metadata
            let url = try provider.discovery.url(of: try HTTPURL(issuer)).text
            transport.on(url) { _ throws(HTTPError) in .json(document) }
            let keySet = keys.keySet
            transport.on("https://keys.example.com/jwks") { _ throws(HTTPError) in .json(keySet) }
        }
        let person = facts.path.reversed().reduce(JSONValue.string(user)) { value, name in
            Int(name) == nil ? .object(JSONObject(members: [.init(name: name, value: value)])) : .array([value])
        }
        if facts.hasIDTokens {
            let claims: JSONObject = [
                "iss": .string(facts.issuer ?? ""), "aud": .string(clientID), "sub": .string(user),
                "iat": JSONValue(TestProvider.now), "exp": JSONValue(TestProvider.now + 600), "nonce": .string(random),
                "email": "ada@example.com", "name": "Ada",
            ]
            tokens["id_token"] = .string(keys.sign(JSONValue.object(claims).text))
        } else if let words = facts["identity"]?.split(separator: " "), let object = person.object {
            if words[0] == "token_response" { tokens.merge(object) }
            transport.on(String(words[1].prefix { $0 != "?" })) { _ throws(HTTPError) in .json(object) }
        }
        let response = tokens
        transport.on(facts.token) { _ throws(HTTPError) in .json(response) }
        if let url = facts["revocation"] { transport.on(url) { _ throws(HTTPError) in TransportResponse(status: 200) } }
    }

    // MARK: What was sent

    private var page: AuthorizationPage? { shown.withLock { $0 } }
    var redirectURI: String { page?.redirectURI ?? "" }

    /// The authorization request. The order of scopes has no meaning.
    var authorization: Request {
        let parts = (page?.url ?? "").split(separator: "?", maxSplits: 1).map(String.init)
        var request = Request("GET", parts.first ?? "", CatalogRun.pairs(Array((parts.last ?? "").utf8)))
        if let scope = request.parameters["scope"] {
            let separator = scope.contains(",") ? "," : " "
            request.parameters["scope"] = scope.split(separator: separator).sorted().joined(separator: separator)
        }
        return request
    }

    /// The requests, without those for metadata and keys, and without headers that every request has.
    var requests: [Request] {
        transport.requests.filter { !$0.url.text.contains("/.well-known/") && !$0.url.text.hasSuffix("/jwks") }.map {
            var request = Request($0.method.rawValue, $0.url.text, [:])
            let isForm = $0.headers.contains { $0.value == "application/x-www-form-urlencoded" }
            if isForm { request.parameters = CatalogRun.pairs($0.body ?? []) }
            for header in $0.headers where header.name != "Content-Type" && header.value != "application/json" {
                request.headers[header.name] = header.value
            }
            return request
        }
    }

    private static func pairs(_ form: [UInt8]) -> [String: String] {
        // A service may take '+' literally.
        let pairs = form.contains(UInt8(ascii: "+")) ? nil : FormURLEncoded.decode(form)
        return Dictionary((pairs ?? []).map { ($0.name, $0.value) }) { "\($0) and again \($1)" }
    }

    // MARK: The user

    func show(_ page: AuthorizationPage) async {
        shown.withLock { $0 = page }
        let query = FormURLEncoded.encode([("code", CatalogRun.code), ("state", CatalogRun.random)])
        lines.continuation.yield("\(page.redirectURI)?\(query)")
    }
    func pastedLines() -> AsyncStream<String> { lines.stream }
    func show(device: DeviceAuthorization) async {}
    func landingPage(after result: Result<SignInResult, any Error>) -> LandingPage { .plain }
    var hasBrowser: Bool { false }
    func openBrowser(_ url: String) async -> Bool { false }
}
