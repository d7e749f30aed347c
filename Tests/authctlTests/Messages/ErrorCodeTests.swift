import Testing

@testable import AuthCore
@testable import authctl

@Suite struct `Error codes` {
    @Test func `an error of the library never has a code that only the command line uses`() throws {
        for error in try AllErrors.all(with: "oidc.work") where !(error is CommandError) {
            let code = AuthError(error).code
            #expect(code.general == code, "\(error)")
        }
    }

    @Test func `a wrapped error keeps its code and exit code`() {
        let error = RequestRefused.status(503, variable: nil, session: nil)
        let wrapped = SignInAfterSetup(provider: "oidc.work", again: "authctl signin", error: error)
        #expect(wrapped.code == .requestFailed && wrapped.exitCode == 69)
    }

    @Test func `error codes are equal if their texts are equal`() {
        #expect(ErrorCode(rawValue: "timeout") == .timedOut && ErrorCode(rawValue: "timeout") != .cancelled)
        #expect(Set([ErrorCode(rawValue: "timeout"), .timedOut]).count == 1)
    }

    @Test func `the command's context precedes an error message unless the message is complete by itself`() {
        let context = ErrorContext("sign-in failed")
        #expect(Failure(OAuthError.stateMismatch, while: context).message.hasPrefix("sign-in failed: the 'state'"))
        #expect(Failure(NotSignedIn.noAccount, while: context).message == "not signed in")
        #expect(Failure(CommandError(.usage, "give one"), while: context).message == "give one")
        let unavailable = OAuthError.unavailable(status: 200, origin: "https://id.example.com")
        #expect(
            Failure(unavailable, while: context).message
                == "sign-in failed: 'https://id.example.com' responded with status 200, without a body")
        let empty = ErrorContext()
        #expect(Failure(OAuthError.stateMismatch, while: empty).message.hasPrefix("the 'state'"))
    }
}
