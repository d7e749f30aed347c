public import AuthCore
import FoundationEssentials

/// A profile in a temporary directory, with a `TestProvider` as provider `oidc.test`. The directory is removed with
/// this object.
public final class TestProfile: Sendable {
    /// The provider, and the transport of these sessions.
    public let provider: TestProvider
    /// The clock of both.
    public let clock: TestClock
    /// The sessions. Initially no user is signed in.
    public let sessions: Sessions
    private let directory: String

    /// - Throws: what keeps the directory from being made.
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

    /// Has Ada sign in.
    /// - Throws: `AuthError`.
    @discardableResult
    public func signIn() async throws -> SignInOutcome {
        try await InteractiveSignIn(to: "oidc.test", in: sessions, presenter: TestPerson(provider: provider)).run()
    }
}

/// The user who signs in at a `TestProvider` as soon as they are asked: their browser comes back with a code.
public struct TestPerson: SignInPresenter {
    let provider: TestProvider

    /// The user at a provider.
    public init(provider: TestProvider) { self.provider = provider }

    /// True.
    public var hasBrowser: Bool { true }

    /// Nothing to see.
    public func show(_ step: SignInStep) async {}

    /// Goes to the page, and comes back.
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

    /// A page that says which end it was.
    public var landing: SignInLanding {
        SignInLanding(
            succeededTitle: "Signed in", succeededText: "This was a test.", failedTitle: "Not signed in",
            failedText: "This was a test.", program: "AuthCoreTesting")
    }
}
