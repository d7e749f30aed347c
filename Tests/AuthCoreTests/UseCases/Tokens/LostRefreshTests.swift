import AuthCoreTesting
import TestSupport
import Testing

@testable import AuthCore

/// Refreshes whose response is lost, or is refused after the provider has rotated the refresh token.
@Suite struct `Lost and refused refreshes` {
    private let provider: TestProvider
    private let run: SignInRun
    private let uid: String
    private let script = Script()
    private var directory: LocalDirectory { run.directory }

    /// The provider's next response to a refresh.
    private enum Step: Sendable {
        case error(HTTPError)
        case refused(String)
        case response(HTTPResponse)
        /// A token response with this refresh token, and changed members.
        case tokens(RefreshToken, @Sendable (inout JSONObject) -> Void = { _ in })
    }

    private final class Script: Sendable {
        let steps = Lock<[Step]>([])
    }

    init() async throws {
        provider = try TestProvider()
        run = try SignInRun.good(provider)
        uid = try await run.run().account.uid
    }

    /// Lets the provider give these responses, then `invalid_grant`.
    private func script(_ steps: Step...) {
        script.steps.withLock { $0 = steps }
        provider.on("/token") { [provider, script] _ throws(HTTPError) in
            let step = script.steps.withLock { $0.isEmpty ? .refused("invalid_grant") : $0.removeFirst() }
            switch step {
            case .error(let error): throw error
            case .refused(let code): return .json(["error": .string(code)], status: 400)
            case .response(let response): return response
            case .tokens(let token, let change):
                var tokens = provider.tokenResponse()
                tokens["access_token"] = .string("access-of-\(token.revealed())")
                tokens["refresh_token"] = .string(token.revealed())
                change(&tokens)
                return .json(tokens)
            }
        }
    }

    private var forced: CurrentToken.Request {
        var request = CurrentToken.Request()
        request.forcesRefresh = true
        return request
    }

    private func refresh(_ keys: ClientKeys = ClientKeys(), entry: Provider? = nil) async throws -> CurrentToken.Result
    {
        try await CurrentToken(try run.sessionServices(entry: entry, keys)).run(forced)
    }

    private func stored() async throws -> Session {
        try #require(try await directory.sessionStore.session(account: uid, provider: "oidc.test"))
    }

    private func forms(_ path: String = "/token") -> [[String: String]] {
        provider.requests(to: path).map { request in
            let pairs = FormURLEncoded.decode(request.body ?? []) ?? []
            return Dictionary(pairs.map { ($0.name, $0.value) }) { first, _ in first }
        }
    }

    /// The refresh tokens that were sent, in order.
    private var sent: [String] { forms().compactMap { $0["refresh_token"] } }

    private static let lost = Step.error(.noResponse(origin: "o", reason: "closed"))
    private let old = TestProvider.refreshToken
    private let first = RefreshToken("rotated-1")
    private let second = RefreshToken("rotated-2")

    // MARK: A refused response

    @Test(arguments: ["token_type", "access_token", "id_token"])
    func `The new refresh token of a refused response is sent next, and the old one stays stored until then`(
        member: String
    ) async throws {
        script(.tokens(first) { $0[member] = "\n" }, .tokens(second))
        let form: ResponseFault.Form = member == "token_type" ? .bearer : .token
        await #expect(throws: OAuthError.invalidResponse(.malformed(member, isNot: form), at: .refresh)) {
            try await refresh()
        }
        #expect(try await stored().refreshToken?.revealed() == old)
        #expect(try await refresh().token == .access(AccessToken("access-of-rotated-2")))
        #expect(sent == [old, "rotated-1"])
        #expect(try await stored().refreshToken == second)
    }

    @Test func `A refresh token that is not valid in a header is not kept`() async throws {
        script(.tokens(RefreshToken("a b")) { $0["token_type"] = nil }, .tokens(second))
        await #expect(throws: OAuthError.invalidResponse(.malformed("refresh_token", isNot: .token), at: .refresh)) {
            try await refresh()
        }
        _ = try await refresh()
        #expect(sent == [old, old])
    }

    @Test(arguments: [true, false])
    func `Another user's refresh token is never used, and the old one stays`(isSigned: Bool) async throws {
        provider.claims { $0["sub"] = "another-user" }
        script(
            .tokens(first) {
                if !isSigned { $0["id_token"] = .string(($0["id_token"]?.string ?? "").dropLast(4) + "AAAA") }
            },
            .tokens(second))
        let error = await #expect(throws: IDTokenRefused.self) { try await refresh() }
        #expect(error?.rejection == (isSigned ? .otherUser : .jose(.signature)))
        #expect(try await stored().refreshToken?.revealed() == old)
        provider.claims { $0["sub"] = TestProvider.goodClaims["sub"] }
        _ = try await refresh()
        #expect(sent == [old, old])
        #expect(forms("/revoke").map { $0["token"] } == (isSigned ? ["access-of-rotated-1"] : []))
    }

    @Test func `The new refresh token of this user is kept if the ID token also names other clients`() async throws {
        provider.claims { $0["aud"] = JSONValue([TestProvider.clientID, "another-client"]) }
        script(.tokens(first), .tokens(second))
        let error = await #expect(throws: IDTokenRefused.self) { try await refresh() }
        #expect(error?.rejection == .otherAudiences(["another-client"]))
        provider.claims { $0["aud"] = TestProvider.goodClaims["aud"] }
        _ = try await refresh()
        #expect(sent == [old, "rotated-1"])
        #expect(try await stored().refreshToken == second)
    }

    @Test func `Both spellings of Google's issuer are this user's`() async throws {
        let google = try TestProvider(algorithm: .rs256)
        google.on("/oauth2/v3/certs") { [unowned google] _ throws(HTTPError) in .json(google.keySet) }
        google.claims { $0["iss"] = "id.example.com" }
        let run = try SignInRun.good(google)
        let base = try HTTPURL(TestProvider.issuer)
        let entry = try Provider(builtIn: "google.com", clientID: TestProvider.clientID, baseURL: base)
        _ = try await run.run(entry: entry)
        google.on("/token") { [unowned google] _ throws(HTTPError) in
            var tokens = google.tokenResponse()
            tokens["refresh_token"] = "rotated-1"
            if google.count(of: "/token") == 2 { tokens["token_type"] = nil }
            return .json(tokens)
        }
        let use = CurrentToken(try run.sessionServices(entry: entry))
        await #expect(throws: OAuthError.invalidResponse(.malformed("token_type", isNot: .bearer), at: .refresh)) {
            try await use.run(forced)
        }
        _ = try await use.run(forced)
        let bodies = google.requests(to: "/token").map { String(decoding: $0.body ?? [], as: UTF8.self) }
        #expect(bodies.last?.contains("refresh_token=rotated-1") == true)
    }

    @Test func `An unproven refresh token that turns out to be another user's is discarded`() async throws {
        script(
            .tokens(first) {
                $0["token_type"] = nil; $0["id_token"] = nil
            }, .tokens(second), .tokens(second))
        await #expect(throws: OAuthError.invalidResponse(.malformed("token_type", isNot: .bearer), at: .refresh)) {
            try await refresh()
        }
        provider.claims { $0["sub"] = "another-user" }
        let error = await #expect(throws: IDTokenRefused.self) { try await refresh() }
        #expect(error?.rejection == .otherUser)
        provider.claims { $0["sub"] = TestProvider.goodClaims["sub"] }
        _ = try await refresh()
        #expect(sent == [old, "rotated-1", old])
    }

    @Test func `If the provider rejects the unproven refresh token, the stored one is sent once`() async throws {
        script(.tokens(first) { $0["token_type"] = nil }, .refused("invalid_grant"), .tokens(second))
        await #expect(throws: OAuthError.invalidResponse(.malformed("token_type", isNot: .bearer), at: .refresh)) {
            try await refresh()
        }
        _ = try await refresh()
        #expect(sent == [old, "rotated-1", old])
        #expect(try await stored().refreshToken == second)
    }

    @Test func `If the provider rejects both, the user must sign in again`() async throws {
        script(.tokens(first) { $0["token_type"] = nil })
        await #expect(throws: OAuthError.invalidResponse(.malformed("token_type", isNot: .bearer), at: .refresh)) {
            try await refresh()
        }
        await #expect(throws: NotSignedIn.refused(provider: "oidc.test")) { try await refresh() }
        #expect(sent == [old, "rotated-1", old])
        #expect(try await stored().refreshToken == nil)
    }

    @Test func `An unproven refresh token survives an unreachable provider`() async throws {
        script(
            .tokens(first) { $0["token_type"] = nil }, .error(.cannotConnect(origin: "o", reason: "r")),
            .error(.timedOut(origin: "o")), .tokens(second))
        await #expect(throws: OAuthError.invalidResponse(.malformed("token_type", isNot: .bearer), at: .refresh)) {
            try await refresh()
        }
        await #expect(throws: HTTPError.cannotConnect(origin: "o", reason: "r")) { try await refresh() }
        await #expect(throws: HTTPError.timedOut(origin: "o")) { try await refresh() }
        _ = try await refresh()
        #expect(sent == [old, "rotated-1", "rotated-1", "rotated-1"])
    }

    @Test func `The new refresh token is not lost if it cannot be stored`() async throws {
        script(.tokens(first), .tokens(second))
        var store = directory.sessionStore.store
        let isFull = Lock(false)
        store.checkpoint = { if isFull.withLock({ $0 }) { throw StoreError.notWritable(path: "p", code: 28) } }
        var services = try run.sessionServices()
        services = SessionServices(
            directory: LocalDirectory(sessionStore: SessionStore(store: store, profile: "default")),
            clock: services.clock,
            lockDirectory: services.lockDirectory, client: services.client)
        services.refresh = { isRunning in isFull.withLock { $0 = isRunning } }
        let use = CurrentToken(services)
        await #expect(throws: StoreError.notWritable(path: "p", code: 28)) { try await use.run(forced) }
        _ = try await refresh()
        #expect(sent == [old, "rotated-1"])
    }

    @Test func `A later sign-in's refresh token is sent, not the unproven one of an earlier sign-in`() async throws {
        script(.tokens(first) { $0["token_type"] = nil }, .tokens(second))
        await #expect(throws: OAuthError.invalidResponse(.malformed("token_type", isNot: .bearer), at: .refresh)) {
            try await refresh()
        }
        var session = try await stored()
        session.refreshToken = RefreshToken("of-another-sign-in")
        #expect(try await directory.sessionStore.replace(session))
        _ = try await refresh()
        #expect(sent == [old, "of-another-sign-in"])
    }

    @Test func `A sign-out revokes the unproven refresh token too`() async throws {
        script(.tokens(first) { $0["token_type"] = nil })
        await #expect(throws: OAuthError.invalidResponse(.malformed("token_type", isNot: .bearer), at: .refresh)) {
            try await refresh()
        }
        var request = SignOut.Request()
        request.revokes = true
        #expect(try await SignOut(try run.sessionServices()).run(request).ended.map(\.revoked) == [.confirmed])
        #expect(forms("/revoke").map { $0["token"] } == ["rotated-1", old, TestProvider.accessToken])
    }

    @Test func `If the revocation fails, the unproven refresh token is revoked by the next try`() async throws {
        script(.tokens(first) { $0["token_type"] = nil })
        await #expect(throws: OAuthError.invalidResponse(.malformed("token_type", isNot: .bearer), at: .refresh)) {
            try await refresh()
        }
        provider.on("/revoke") { _ throws(HTTPError) in HTTPResponse(status: 503) }
        let signOut = SignOut(try run.sessionServices())
        var request = SignOut.Request()
        request.revokes = true
        #expect(try await signOut.run(request).ended.map(\.revoked) == [.failed])
        #expect(try await signOut.retry().map(\.revoked) == [.failed])
        provider.on("/revoke") { _ throws(HTTPError) in HTTPResponse(status: 200) }
        #expect(try await signOut.retry().map(\.revoked) == [.confirmed])
        let all = ["rotated-1", old, TestProvider.accessToken]
        #expect(forms("/revoke").map { $0["token"] } == ["rotated-1", "rotated-1"] + all)
    }

    @Test func `A sign-out without a revocation removes the unproven refresh token`() async throws {
        script(.tokens(first) { $0["token_type"] = nil })
        await #expect(throws: OAuthError.invalidResponse(.malformed("token_type", isNot: .bearer), at: .refresh)) {
            try await refresh()
        }
        #expect(try run.sessionLocks().map { $0.utf8.count > 100 } == [true])
        _ = try await SignOut(try run.sessionServices()).run(SignOut.Request())
        #expect(try run.sessionLocks().map(\.utf8.count) == [64])
    }

    @Test func `The note of a refresh has neither token as text, and is removed after it`() async throws {
        script(.tokens(first) { $0["token_type"] = nil }, .tokens(second))
        await #expect(throws: OAuthError.invalidResponse(.malformed("token_type", isNot: .bearer), at: .refresh)) {
            try await refresh()
        }
        let written = try #require(try run.sessionLocks().first)
        #expect(written.utf8.count > 100 && !written.contains("rotated-1") && !written.contains(old))
        _ = try await refresh()
        #expect(try run.sessionLocks().map(\.utf8.count) == [64])
    }

    // MARK: A lost response

    @Test func `A refresh is sent once more if the connection breaks without a byte of a response`() async throws {
        script(Self.lost, .tokens(second))
        let key = try PrivateKey.generate(.ellipticCurve(.p256))
        var entry = try run.entry
        entry.authenticationMethod = .privateKeyJWT
        let keys = ClientKeys(privateKey: key)
        #expect(try await refresh(keys, entry: entry).token == .access(AccessToken("access-of-rotated-2")))
        #expect(sent == [old, old])
        let assertions = forms().compactMap { $0["client_assertion"] }
        #expect(Set(assertions).count == 2, "each request has a new client assertion")
    }

    @Test(
        arguments: [
            .timedOut(origin: "o"), .connectionLost(origin: "o", reason: "r"), .cannotConnect(origin: "o", reason: "r"),
            .malformedResponse(origin: "o", reason: "r"), .tooLarge(origin: "o"),
        ] as [HTTPError])
    func `A refresh is not repeated after another error`(error: HTTPError) async throws {
        script(.error(error), .tokens(second))
        await #expect(throws: error) { try await refresh() }
        #expect(sent == [old])
    }

    @Test func `A refresh is repeated only once, also by the next process`() async throws {
        script(Self.lost, Self.lost, Self.lost)
        for _ in 1...2 {
            await #expect(throws: HTTPError.noResponse(origin: "o", reason: "closed")) { try await refresh() }
        }
        #expect(sent.count == 3)
        await #expect(throws: NotSignedIn.responseLost(provider: "oidc.test")) { try await refresh() }
        #expect(try await stored().refreshToken == nil)
    }

    @Test(arguments: [HTTPError.noResponse(origin: "o", reason: "r"), .timedOut(origin: "o")])
    func `If the provider rejects the refresh token after a lost response, the error says so`(error: HTTPError)
        async throws
    {
        script(.error(error))
        if case .timedOut = error { await #expect(throws: error) { try await refresh() } }
        await #expect(throws: NotSignedIn.responseLost(provider: "oidc.test")) { try await refresh() }
        #expect(sent == [old, old])
    }

    @Test(
        arguments: [
            .cannotConnect(origin: "o", reason: "r"), .untrusted(origin: "o", reason: .expired),
            .certificateRequired(origin: "o"), .certificateRefused(origin: "o", reason: .expired),
            .certificateUnusable(origin: "o", reason: "r"), .plainHTTPThroughProxy(origin: "o"),
            .forbiddenAddress(origin: "o"), .clientUnavailable,
            .proxyFailed(origin: "o", proxy: "p", fault: .noResponse),
        ] as [HTTPError])
    func `A request that was not sent is not a lost response`(error: HTTPError) async throws {
        script(.error(error))
        await #expect(throws: error) { try await refresh() }
        await #expect(throws: NotSignedIn.refused(provider: "oidc.test")) { try await refresh() }
    }

    @Test(
        arguments: [
            (HTTPResponse(status: 429), .tooManyRequests(origin: "https://id.example.com:443", retryAfter: nil), false),
            (
                .text("<h1>Forbidden</h1>", status: 403, type: "text/html"),
                .invalidResponse(.noObject(status: 403), at: .refresh), false
            ),
            (
                HTTPResponse(status: 302, headers: [(name: "location", value: "https://login.example/")]),
                .invalidResponse(.redirect(302), at: .refresh), false
            ),
            (
                .json(["message": "missing header"], status: 400),
                .invalidResponse(.statusWithoutCode(400), at: .refresh), false
            ),
            (HTTPResponse(status: 503), .unavailable(status: 503, origin: "https://id.example.com:443"), true),
            (
                .text("<h1>Sign in to the Wi-Fi</h1>", type: "text/html"),
                .invalidResponse(.noObject(status: 200), at: .refresh), true
            ),
        ] as [(HTTPResponse, OAuthError, Bool)])
    func `A refusal of the request is not a lost response, and an error of the server may be one`(
        response: HTTPResponse, error: OAuthError, isLost: Bool
    ) async throws {
        script(.response(response))
        await #expect(throws: error) { try await refresh() }
        let rejected: NotSignedIn = isLost ? .responseLost(provider: "oidc.test") : .refused(provider: "oidc.test")
        await #expect(throws: rejected) { try await refresh() }
    }

    @Test func `A lost response remains one after a refusal`() async throws {
        script(.error(.timedOut(origin: "o")), .response(HTTPResponse(status: 429)))
        await #expect(throws: HTTPError.timedOut(origin: "o")) { try await refresh() }
        await #expect(throws: OAuthError.tooManyRequests(origin: "https://id.example.com:443", retryAfter: nil)) {
            try await refresh()
        }
        await #expect(throws: NotSignedIn.responseLost(provider: "oidc.test")) { try await refresh() }
    }

    @Test func `An error of the client is not a lost response`() async throws {
        script(.refused("invalid_client"))
        await #expect(throws: OAuthError.refused(code: "invalid_client", description: nil, at: .refresh)) {
            try await refresh()
        }
        await #expect(throws: NotSignedIn.refused(provider: "oidc.test")) { try await refresh() }
    }

    @Test func `An authorization code is never sent twice, also if the connection breaks`() async throws {
        let other = try TestProvider()
        other.on("/token") { _ throws(HTTPError) in throw .noResponse(origin: "o", reason: "r") }
        _ = try await SignInRun.good(other).failure()
        #expect(other.count(of: "/token") == 1)
    }

    // MARK: The tokens of the response

    @Test(arguments: [0, -1, -3600] as [Int64])
    func `The token of a refresh is returned although it expires at once, and the clock has advanced`(seconds: Int64)
        async throws
    {
        script(.tokens(first) { $0["expires_in"] = JSONValue(seconds) })
        let services = try run.sessionServices()
        let readings = Lock(TestProvider.now)
        let clock = Clock(now: {
            readings.withLock { now in
                now += 1
                return now
            }
        })
        let use = CurrentToken(
            SessionServices(
                directory: directory, clock: clock, lockDirectory: services.lockDirectory, client: services.client))
        #expect(try await use.run(forced).token == .access(AccessToken("access-of-rotated-1")))
    }

    @Test func `A provider that returns no ID token when it refreshes is asked for one only once`() async throws {
        var session = try await stored()
        session.idTokenExpiresAt = TestProvider.now - 1
        #expect(try await directory.sessionStore.replace(session))
        script(.tokens(first) { $0["id_token"] = nil }, .tokens(second))
        var request = CurrentToken.Request()
        request.kind = .id
        let use = CurrentToken(try run.sessionServices())
        for _ in 1...2 {
            await #expect(throws: NotSignedIn.noIDTokenAtRefresh(provider: "oidc.test")) { try await use.run(request) }
        }
        #expect(sent == [old])
        // A forced refresh finds out that the provider has changed.
        request.forcesRefresh = true
        _ = try await use.run(request)
        #expect(sent == [old, "rotated-1"])
        #expect(try await !stored().omitsIDToken)
    }
}
