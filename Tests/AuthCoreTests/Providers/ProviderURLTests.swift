import AuthCoreTesting
import Synchronization
import TestSupport
import Testing

@testable import AuthCore

/// Records the authorization URL of a sign-in, which then ends without input.
private final class URLRecorder: SignInInterface {
    private let shown = Mutex("")
    var url: String { shown.withLock { $0 } }

    func show(_ page: AuthorizationPage) async { shown.withLock { $0 = page.url } }

    func show(device: DeviceAuthorization) async {}
    func landingPage(after result: Result<SignInResult, any Error>) -> LandingPage { .plain }
    var hasBrowser: Bool { false }
    func openBrowser(_ url: String) async -> Bool { false }
    func pastedLines() -> AsyncStream<String> { AsyncStream { $0.finish() } }
}

/// Fails every request, because built-in providers require no discovery.
private struct NoNetwork: HTTPTransport {
    func send(_ request: HTTPRequest) async throws(HTTPError) -> HTTPResponse {
        throw .cannotConnect(origin: request.url.origin, reason: "no network in this test")
    }
}

/// The whole authorization URL of each built-in provider, as in the provider's documentation.
@Suite struct `Authorization URLs of built-in providers` {
    // State and nonce are 24 zero bytes. The code challenge is the SHA-256 of a verifier of 32 zero bytes.
    private static let state = "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
    private static let challenge = "DwBzhbb51LfusnSGBa_hqYSgo7-j8BTQnip4TOnlzRo"

    private func url(_ provider: Provider, _ change: (inout SignInRequest) -> Void = { _ in }) async throws -> String {
        let folder = try TemporaryFolder()
        let config = ConfigDirectory(path: folder.path + "/config")
        let store = try #require(try Store.open(in: config, host: NonInteractiveVaultHost(), creating: true))
        let services = Services(
            transport: NoNetwork(), clock: Clock(now: { TestProvider.now }),
            random: RandomSource { [UInt8](repeating: 0, count: $0) })
        var credentials = ClientKeys()
        credentials.privateKey = try PrivateKey.generate(.ellipticCurve(.p256))
        var provider = provider
        if provider.dialect.signsClientSecret { (provider.keyID, provider.teamID) = ("KEY1234567", "TEAM123456") }
        if !provider.dialect.signsClientSecret { credentials.privateKey = nil }
        var request = SignInRequest()
        request.flow = .paste
        change(&request)
        let recorder = URLRecorder()
        let directory = LocalDirectory(sessionStore: SessionStore(store: store, profile: "default"))
        let client = try await ProviderClient.resolve(provider, keys: credentials, services: services)
        await #expect(throws: SignInError.emptyInput) {
            try await SignIn(request, client: client, directory: directory, interface: recorder).run()
        }
        return recorder.url
    }

    private func builtIn(_ id: String) throws -> Provider { try Provider(builtIn: id, clientID: "client-1") }

    private func common(_ redirectURI: String, _ scope: String) -> String {
        "?response_type=code&client_id=client-1&redirect_uri=\(redirectURI)&scope=\(scope)&state=\(Self.state)"
            + "&code_challenge=\(Self.challenge)&code_challenge_method=S256"
    }

    @Test func `the authorization URL for github.com is as documented`() async throws {
        #expect(
            try await url(try builtIn("github.com")) == "https://github.com/login/oauth/authorize"
                + common("http%3A%2F%2F127.0.0.1%3A8400%2Fcallback%2Fgithub.com", "read%3Auser%20user%3Aemail"))
    }

    @Test func `the authorization URL for apple.com has form_post, the locale and a hashed nonce`() async throws {
        var provider = try builtIn("apple.com")
        provider.redirectURI = "https://signin.example.com/callback"
        let nonce = try HashFunction.sha256.digest(Self.state.utf8).hexadecimal
        #expect(
            try await url(provider) { $0.language = "fr_FR" } == "https://appleid.apple.com/auth/authorize"
                + common("https%3A%2F%2Fsignin.example.com%2Fcallback", "name%20email")
                + "&nonce=\(nonce)&response_mode=form_post&locale=fr_FR")
    }

    @Test(arguments: ["common", "organizations", "consumers", "72f988bf-86f1-41af-91ab-2d7cd011db47"])
    func `the authorization URL for microsoft.com contains the tenant`(tenant: String) async throws {
        var provider = try builtIn("microsoft.com")
        provider.tenant = tenant
        #expect(
            try await url(provider) == "https://login.microsoftonline.com/\(tenant)/oauth2/v2.0/authorize"
                + common(
                    "http%3A%2F%2Flocalhost%3A8400%2Fcallback%2Fmicrosoft.com",
                    "openid%20profile%20email%20offline_access")
                + "&nonce=\(Self.state)")
    }

    @Test func `the authorization URL for google.com requests offline access`() async throws {
        #expect(
            try await url(try builtIn("google.com")) == "https://accounts.google.com/o/oauth2/v2/auth"
                + common("http%3A%2F%2F127.0.0.1%3A8400%2Fcallback%2Fgoogle.com", "openid%20profile%20email")
                + "&nonce=\(Self.state)&access_type=offline")
    }

    @Test func `the authorization URL for facebook.com is as documented`() async throws {
        #expect(
            try await url(try builtIn("facebook.com")) == "https://www.facebook.com/v23.0/dialog/oauth"
                + common("http%3A%2F%2Flocalhost%3A8400%2Fcallback%2Ffacebook.com", "public_profile%20email"))
    }

    @Test func `the authorization URL for twitter.com is as documented`() async throws {
        #expect(
            try await url(try builtIn("twitter.com")) == "https://x.com/i/oauth2/authorize"
                + common(
                    "http%3A%2F%2F127.0.0.1%3A8400%2Fcallback%2Ftwitter.com", "tweet.read%20users.read%20offline.access"
                ))
    }

    @Test func `a request's parameters override configured ones, which override the provider's own`() async throws {
        var provider = try builtIn("google.com")
        provider.parameters = [("access_type", "online"), ("hd", "a.example")]
        let url = try await url(provider) { $0.parameters = [("hd", "b.example")] }
        #expect(url.hasSuffix("&access_type=online&hd=b.example"))
    }

    @Test func `an option that the provider has no parameter for is refused, not ignored`() async throws {
        for (id, option) in [
            ("github.com", RequestOption.maximumAge), ("apple.com", .prompt), ("twitter.com", .loginHint),
        ] {
            #expect(throws: ProviderError.noSuchOption(option, provider: id)) {
                try builtIn(id).dialect.name(of: option, at: id)
            }
        }
    }
}
