import AuthCore
import AuthCoreTesting
import Testing

@Suite struct `The sign-in API` {
    @Test func `A sign-in returns the account and makes it the current one`() async throws {
        let profile = try TestProfile()
        guard case .signedIn(let account) = try await profile.signIn() else {
            Issue.record("a conflict")
            return
        }
        #expect(account.email == "ada@example.com")
        #expect(account.isCurrent)
    }

    @Test func `An unconfigured provider and a sign-in timeout have different error codes`() async throws {
        let profile = try TestProfile()
        let unconfigured = InteractiveSignIn(
            to: "oidc.other", in: profile.sessions, presenter: TestPerson(provider: profile.provider))
        var error = await #expect(throws: AuthError.self) { _ = try await unconfigured.run() }
        #expect(error?.code == .invalidConfiguration)
        #expect(error?.provider == "oidc.other")
        struct NoBrowser: SignInPresenter {
            func show(_ step: SignInStep) async {}
            var landing: SignInLanding {
                SignInLanding(succeededTitle: "", succeededText: "", failedTitle: "", failedText: "", program: "")
            }
        }
        var unattended = InteractiveSignIn(to: "oidc.test", in: profile.sessions, presenter: NoBrowser())
        unattended.timeout = .seconds(1)
        error = await #expect(throws: AuthError.self) { _ = try await unattended.run() }
        #expect(error?.code == .timedOut)
    }
}
