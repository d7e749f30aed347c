import AuthCore
import AuthCoreTesting
import Testing

@Suite struct `The sign-in API` {
    @Test func `signs a user in and makes the account current`() async throws {
        let profile = try TestProfile()
        guard case .signedIn(let account) = try await profile.signIn() else {
            Issue.record("a conflict")
            return
        }
        #expect(account.email == "ada@example.com")
        #expect(account.isCurrent)
    }

    @Test func `distinguishes an unconfigured provider from an unreachable one`() async throws {
        let profile = try TestProfile()
        let unknown = InteractiveSignIn(
            to: "oidc.other", in: profile.sessions, presenter: TestPerson(provider: profile.provider))
        var error = await #expect(throws: AuthError.self) { _ = try await unknown.run() }
        #expect(error?.code == .invalidConfiguration)
        #expect(error?.provider == "oidc.other")
        struct Nobody: SignInPresenter {
            func show(_ step: SignInStep) async {}
            var landing: SignInLanding {
                SignInLanding(succeededTitle: "", succeededText: "", failedTitle: "", failedText: "", program: "")
            }
        }
        var alone = InteractiveSignIn(to: "oidc.test", in: profile.sessions, presenter: Nobody())
        alone.timeout = .seconds(1)
        error = await #expect(throws: AuthError.self) { _ = try await alone.run() }
        #expect(error?.code == .timedOut)
    }
}
