import AuthCoreTesting
import Synchronization
import TestSupport
import Testing

@testable import AuthCore

/// The device authorization grant (RFC 8628), with a simulated clock.
@Suite struct `The device flow` {
    /// A clock that only `sleep` advances.
    private final class Time: Sendable {
        private let passed = Mutex<[Double]>([])
        /// Seconds by which the clock is set during the first wait.
        let jump = Mutex<Int64>(0)

        var waits: [Double] { passed.withLock { $0 } }

        var clock: Clock {
            Clock(
                now: { [self] in
                    TestProvider.now + Int64(waits.reduce(0, +)) + (waits.isEmpty ? 0 : jump.withLock { $0 })
                },
                sleep: { [self] seconds in passed.withLock { $0.append(seconds) } })
        }
    }

    private final class Shown: SignInInterface {
        let (isRemote, hasBrowser): (Bool, Bool)
        private let device = Mutex<DeviceAuthorization?>(nil)

        init(isRemote: Bool = false, hasBrowser: Bool = false) {
            (self.isRemote, self.hasBrowser) = (isRemote, hasBrowser)
        }

        var userCode: String? { device.withLock { $0?.userCode } }

        func show(_ page: AuthorizationPage) async {
            if let device = page.device { await show(device: device) }
        }
        func show(device authorization: DeviceAuthorization) async { device.withLock { $0 = authorization } }
        func landingPage(after result: Result<SignInResult, any Error>) -> LandingPage { .plain }
        func openBrowser(_ url: String) async -> Bool { false }
        func pastedLines() -> AsyncStream<String> { AsyncStream { $0.finish() } }
    }

    private let folder: TemporaryFolder
    private let directory: LocalDirectory
    private let provider: TestProvider
    private let time = Time()
    private let shown = Shown()

    init() throws {
        folder = try TemporaryFolder()
        let config = ConfigDirectory(path: folder.path + "/config")
        let store = try #require(try Store.open(in: config, host: NonInteractiveVaultHost(), creating: true))
        directory = LocalDirectory(sessionStore: SessionStore(store: store, profile: "default"))
        provider = try TestProvider()
        var metadata = provider.metadata
        metadata["device_authorization_endpoint"] = .string(TestProvider.issuer + "/device")
        let document = metadata
        provider.on("/.well-known/openid-configuration") { _ throws(HTTPError) in .json(document) }
        device()
    }

    /// Sets the device authorization response.
    private func device(_ change: (inout JSONObject) -> Void = { _ in }) {
        var object: JSONObject = [
            "device_code": "the-device-code", "user_code": "WDJB-MJHT",
            "verification_uri": "https://id.example.com/device", "expires_in": 900, "interval": 5,
        ]
        change(&object)
        let response = object
        provider.on("/device") { _ throws(HTTPError) in .json(response) }
    }

    /// Sets the responses of the token endpoint, in order. After the last response, it returns tokens.
    private func tokenResponses(_ responses: [HTTPResponse]) {
        let rest = Mutex(responses)
        provider.on("/token") { [provider] _ throws(HTTPError) in
            let next = rest.withLock { $0.isEmpty ? nil : $0.removeFirst() }
            return next ?? .json(provider.tokenResponse())
        }
    }

    private func error(_ code: String, status: Int = 400, _ more: JSONObject = [:]) -> HTTPResponse {
        var object: JSONObject = ["error": .string(code)]
        for member in more.members { object[member.name] = member.value }
        return .json(object, status: status)
    }

    private func signIn(_ request: SignInRequest, _ interface: Shown) async throws -> SignIn {
        let client = try await ProviderClient.resolve(
            Provider(id: "oidc.test", issuer: try HTTPURL(TestProvider.issuer), clientID: TestProvider.clientID),
            keys: .init(), services: Services(transport: provider, clock: time.clock))
        return try SignIn(request, client: client, directory: directory, interface: interface)
    }

    private func signIn(timeout: Int = 900) async throws -> SignInResult {
        var request = SignInRequest()
        request.flow = .device
        request.timeout = timeout
        return try await signIn(request, shown).run()
    }

    private func failure(timeout: Int = 900) async -> (any Error)? {
        do {
            _ = try await signIn(timeout: timeout)
            return nil
        } catch {
            return error
        }
    }

    @Test(arguments: [
        ("missing", 5.0), ("0", 1), ("-5", 1), (#""7""#, 7), ("120", 120), ("null", 5), (#""soon""#, 5), ("12", 12),
    ])
    func `J1: the polling interval is the provider's, at least one second, and 5 seconds by default`(
        json: String, seconds: Double
    ) async throws {
        let value = json == "missing" ? nil : try StrictJSON.parse(Array(json.utf8))
        device { $0["interval"] = value }
        tokenResponses([error("authorization_pending")])
        _ = try await signIn()
        #expect(time.waits == [seconds, seconds])
        #expect(shown.userCode == "WDJB-MJHT")
    }

    @Test func `J1: slow_down adds five seconds to all later intervals, or sets a longer interval that it contains`()
        async throws
    {
        tokenResponses([error("slow_down"), error("authorization_pending"), error("slow_down", ["interval": 25])])
        _ = try await signIn()
        #expect(time.waits == [5, 10, 10, 25])
    }

    @Test func `J1: slow_down never makes the interval shorter`() async throws {
        tokenResponses([error("slow_down", ["interval": 5]), error("slow_down", ["interval": 1])])
        _ = try await signIn()
        #expect(time.waits == [5, 10, 15])
    }

    @Test(arguments: ["expired_token", "token_expired"])
    func `J2: an expired device code is a timeout`(code: String) async throws {
        tokenResponses([error(code)])
        let failure = await failure()
        #expect(failure == OAuthError.refused(code: code, description: nil, at: .token) && failure?.code == .timedOut)
    }

    @Test func `J2: polling stops at the timeout of the sign-in if the response has no expires_in`() async throws {
        device { $0["expires_in"] = nil }
        provider.on("/token") { _ throws(HTTPError) in .json(["error": "authorization_pending"], status: 400) }
        let failure = await failure(timeout: 32)
        #expect(failure == SignInError.timedOut(seconds: 32))
        #expect(time.waits == [5, 5, 5, 5, 5, 5])
    }

    @Test(arguments: [-7200, 7200] as [Int64])
    func `C17: the timeout does not depend on a clock that is set meanwhile`(jump: Int64) async throws {
        time.jump.withLock { $0 = jump }
        provider.on("/token") { _ throws(HTTPError) in .json(["error": "authorization_pending"], status: 400) }
        #expect(await failure(timeout: 32) == SignInError.timedOut(seconds: 32))
        #expect(time.waits == [5, 5, 5, 5, 5, 5])
    }

    @Test(arguments: ["access_denied", "authorization_declined"])
    func `J3: a sign-in that the user declines fails with access-denied`(code: String) async throws {
        tokenResponses([error("authorization_pending"), error(code, status: 403)])
        let failure = await failure()
        #expect(failure == OAuthError.refused(code: code, description: nil, at: .token))
        #expect(failure?.code == .accessDenied)
    }

    @Test(arguments: [200, 400, 403, 428])
    func `J4: authorization_pending and slow_down are recognized at any HTTP status`(status: Int) async throws {
        tokenResponses([error("authorization_pending", status: status), error("slow_down", status: status)])
        _ = try await signIn()
        #expect(time.waits == [5, 5, 10])
    }

    @Test(arguments: [
        #""http://id.example.com/device""#, #""javascript:alert(1)""#, #""https://id.example.com/\u001b[31m""#, "null",
        #""//id.example.com""#, "7",
    ])
    func `J5: a verification_uri that is not a valid https URL is refused before polling`(json: String) async throws {
        let value = try StrictJSON.parse(Array(json.utf8))
        device { $0["verification_uri"] = value }
        let failure = await failure()
        let fault: ResponseFault =
            json == "null" ? .missing("verification_uri") : .malformed("verification_uri", isNot: .httpsURL)
        #expect(failure == OAuthError.invalidResponse(fault, at: .deviceAuthorization) && time.waits.isEmpty)
    }

    @Test(arguments: ["", "A B", "A\u{1B}[31m", "\u{202E}ABCD", String(repeating: "A", count: 65)])
    func `J6: a user code that is empty, too long or cannot be typed is refused`(code: String) async throws {
        device { $0["user_code"] = .string(code) }
        #expect(
            await failure()
                == OAuthError.invalidResponse(.malformed("user_code", isNot: .userCode), at: .deviceAuthorization))
    }

    @Test func `J6: the user code is shown unchanged`() async throws {
        device { $0["user_code"] = "abCD-12" }
        _ = try await signIn()
        #expect(shown.userCode == "abCD-12")
    }

    @Test(arguments: [
        HTTPError.timedOut(origin: TestProvider.issuer),
        .connectionLost(origin: TestProvider.issuer, reason: "closed"),
        .cannotConnect(origin: TestProvider.issuer, reason: "no route"),
        .proxyFailed(origin: TestProvider.issuer, proxy: "proxy.example.com:3128", fault: .status(503)),
    ])
    func `J7: a network error doubles the polling interval up to 60 seconds, and polling continues until the timeout`(
        lost: HTTPError
    ) async throws {
        let count = Mutex(0)
        provider.on("/token") { [provider] _ throws(HTTPError) in
            if count.withLock({
                $0 += 1; return $0
            }) <= 5 {
                throw lost
            }
            return .json(provider.tokenResponse())
        }
        _ = try await signIn()
        #expect(time.waits == [5, 10, 20, 40, 60, 60])
        count.withLock { $0 = -1_000_000 }
        #expect(await failure(timeout: 300)?.code == .timedOut)
    }

    @Test func `J10: polling continues after a 5xx response and ends at any other error`() async throws {
        tokenResponses([.text("", status: 503), error("invalid_grant")])
        let failure = await failure()
        #expect(
            failure == OAuthError.refused(code: "invalid_grant", description: nil, at: .token) && time.waits == [5, 10])
        for (code, kind) in [
            ("unknown_error", .invalidCredential), ("invalid_client", .invalidConfiguration),
            ("device_flow_disabled", .invalidConfiguration),
        ] as [(String, ErrorCode)] {
            tokenResponses([error(code)])
            let failure = await self.failure()
            #expect(failure == OAuthError.refused(code: code, description: nil, at: .token) && failure?.code == kind)
        }
        tokenResponses([.text("<html>", status: 400, type: "text/html")])
        #expect(await self.failure() == OAuthError.invalidResponse(.noObject(status: 400), at: .token))
    }

    @Test func `J10: the error does not contain the device code`() async throws {
        tokenResponses([error("invalid_grant", ["error_description": "the-device-code is unknown"])])
        let description = ServerText("the-device-code is unknown", secrets: ["the-device-code"])
        #expect(
            await failure() == OAuthError.refused(code: "invalid_grant", description: description, at: .token))
    }

    @Test(arguments: [
        (false, true, true, false), (true, true, true, true), (false, false, true, true), (false, false, false, false),
    ])
    func `the device flow begins before the browser opens if the browser is remote or missing`(
        isRemote: Bool, hasBrowser: Bool, opensBrowser: Bool, isFirst: Bool
    ) async throws {
        var request = SignInRequest()
        request.opensBrowser = opensBrowser
        let signIn = try await signIn(request, Shown(isRemote: isRemote, hasBrowser: hasBrowser))
        #expect(signIn.device?.startsFirst == isFirst)
    }

    @Test func `a sign-in that reads pasted lines offers the device flow if the server supports it`() async throws {
        let run = try SignInRun.good(provider)
        for acceptsPaste in [true, false] {
            provider.claims { $0["nonce"] = nil }
            _ = try await run.run { $0.acceptsPaste = acceptsPaste }
        }
        provider.claims { $0["nonce"] = nil }
        provider.on("/.well-known/openid-configuration") { [provider] _ throws(HTTPError) in .json(provider.metadata) }
        _ = try await run.run()
        #expect(run.pages.withLock { $0.map(\.offersDevice) } == [true, false, false])
    }

    @Test func `mutated device authorization responses do not crash the parser`() {
        var random = SeededGenerator(seed: 41)
        let good = Array(
            #"{"device_code":"c","user_code":"WDJB-MJHT","verification_uri":"https://a.example/d","interval":5}"#.utf8)
        var acceptedCount = 0
        for _ in 0..<Fuzz.iterations(2_000) {
            var bytes = good
            for _ in 0..<3 {
                bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 0x20...0x7E, using: &random)
            }
            guard let object = try? StrictJSON.object(bytes) else { continue }
            if let device = try? DeviceAuthorization(object, nameOfURL: "verification_uri") {
                #expect((1...60).contains(device.interval) && device.verificationURL.isSecure)
                acceptedCount += 1
            }
        }
        #expect(acceptedCount > 20, "\(acceptedCount)")
    }
}
