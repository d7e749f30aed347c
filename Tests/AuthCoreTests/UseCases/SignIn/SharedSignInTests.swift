import AuthCoreTesting
import Synchronization
import TestSupport
import Testing

@testable import AuthCore

@Suite struct `Shared sign-ins` {
    @Test func `A sign-in that waits for another one reports it before it waits`() async throws {
        let run = try SignInRun.good(try TestProvider())
        let pauses = Mutex(0)
        var host = VariablesHost()
        host.clock = Clock(now: { TestProvider.now }, sleep: { _ in pauses.withLock { $0 += 1 } })
        let profile = Profile("default", in: ConfigDirectory(path: run.folder.path + "/config"), host: host)
        let shared = SharedSignIn(profile: profile, directory: run.directory)
        func signIn(waiting: (String?) -> Void, _ body: () async throws -> SignInResult) async throws -> SignInResult {
            var request = SignInRequest()
            request.timeout = 1
            return try await shared.run(
                provider: "oidc.test", request: request, isUserInitiated: true, isEnough: { _ in true },
                waiting: waiting, body)
        }
        _ = try await signIn(waiting: { _ in Issue.record("nothing to wait for") }) {
            await #expect(throws: SignInError.timedOut(seconds: 1)) {
                _ = try await signIn(waiting: { _ in #expect(pauses.withLock { $0 } == 0) }) { throw NotRefused() }
            }
            return try await run.run()
        }
        #expect(pauses.withLock { $0 } > 0)
    }
}
