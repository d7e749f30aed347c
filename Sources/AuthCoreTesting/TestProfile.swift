public import AuthCore
import FoundationEssentials

/// A profile in a temporary directory, with a `TestProvider` as the provider `oidc.test`. The directory is removed with
/// this object.
public final class TestProfile: Sendable {
    /// The provider, which is also the transport of the sessions.
    public let provider: TestProvider
    /// The clock of the provider and the sessions.
    public let clock: TestClock
    /// The sessions. Initially no user is signed in.
    public let sessions: Sessions
    private let directory: String

    /// - Throws: an error if the directory cannot be created.
    public init(clock: TestClock = TestClock()) throws {
        self.clock = clock
        provider = try TestProvider(clock: clock)
        directory = FileManager.default.temporaryDirectory.path + "/authcore-\(UUID().uuidString)"
        try FileManager.default.createDirectory(
            atPath: directory, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        var configuration = Sessions.Configuration(
            directory: directory,
            environment: [
                "AUTHCTL_OIDC_TEST_ISSUER": TestProvider.issuer, "AUTHCTL_OIDC_TEST_CLIENT_ID": TestProvider.clientID,
            ])
        configuration.transport = provider
        configuration.now = { clock.now }
        sessions = Sessions(configuration)
    }

    deinit { try? FileManager.default.removeItem(atPath: directory) }

    /// Signs in the test user Ada.
    /// - Throws: `AuthError`.
    @discardableResult
    public func signIn() async throws -> SignInOutcome {
        try await InteractiveSignIn(to: "oidc.test", in: sessions, presenter: TestPerson(provider: provider)).run()
    }
}

/// A simulated user who signs in at a `TestProvider`. The browser immediately calls the redirect URI with a code.
public struct TestPerson: SignInPresenter {
    let provider: TestProvider

    /// Creates a user of this provider.
    public init(provider: TestProvider) { self.provider = provider }

    /// Always true.
    public var hasBrowser: Bool { true }

    /// Does nothing.
    public func show(_ step: SignInStep) async {}

    /// Sends the callback with a code to the page's redirect URI.
    public func openBrowser(_ url: String) async -> Bool {
        guard let page = try? HTTPURL(url), (try? provider.begin(url)) != nil,
            let query = FormURLEncoded.decode(Array((page.query ?? "").utf8)),
            let redirect = query.first(where: { $0.name == "redirect_uri" })?.value,
            let state = query.first(where: { $0.name == "state" })?.value
        else { return false }
        let response = FormURLEncoded.encode([
            ("code", TestProvider.code), ("state", state), ("iss", TestProvider.issuer),
        ])
        guard let callback = try? HTTPURL(redirect + "?" + response) else { return false }
        return (try? await CurlTransport().send(HTTPRequest(.get, callback))) != nil
    }

    /// The page that shows whether the sign-in succeeded.
    public var landing: SignInLanding {
        SignInLanding(
            succeededTitle: "Signed in", succeededText: "This was a test.", failedTitle: "Not signed in",
            failedText: "This was a test.", program: "AuthCoreTesting")
    }
}
