import Testing

@testable import AuthCore
@testable import authctl

@Suite struct `An error's code` {
    @Test func `in the library is never one that the command line alone has`() throws {
        for error in try AllErrors.all(with: "oidc.work") where !(error is CommandError) {
            let code = AuthError(error).code
            #expect(code.general == code, "\(error)")
        }
    }

    @Test func `keeps the exit code of the error that a wrapper has as its reason`() {
        let error = RequestRefused.status(503)
        let wrapped = SignInAfterSetup(provider: "oidc.work", again: "authctl signin", error: error)
        #expect(wrapped.code == .requestFailed && wrapped.exitCode == 69)
    }

    @Test func `is compared by its text`() {
        #expect(ErrorCode(rawValue: "timeout") == .timedOut && ErrorCode(rawValue: "timeout") != .cancelled)
        #expect(Set([ErrorCode(rawValue: "timeout"), .timedOut]).count == 1)
    }

    @Test func `stands behind the context of the command, but where the message says it all`() {
        let context = ErrorContext("sign-in failed", again: "authctl signin")
        #expect(Failure(OAuthError.stateMismatch, while: context).message.hasPrefix("sign-in failed: the 'state'"))
        #expect(Failure(NotSignedIn.noAccount, while: context).message == "not signed in")
        #expect(Failure(CommandError(.usage, "give one"), while: context).message == "give one")
        let alone = ErrorContext(again: "authctl signin")
        #expect(Failure(OAuthError.stateMismatch, while: alone).message.hasPrefix("the 'state'"))
    }
}
