import AuthCoreTesting
import Synchronization
import Testing

@testable import AuthCore

@Suite struct `Second factors of Firebase accounts` {
    private let project: ProjectDouble
    private let right: HTTPResponse
    private let wrong = HTTPResponse.json(["error": ["code": 400, "message": "INVALID_CODE : no"]], status: 400)
    private static let call = "/v2/accounts/mfaSignIn:finalize"

    init() throws {
        project = try ProjectDouble()
        right = .json(["idToken": .string(ProjectDouble.unsignedToken()), "refreshToken": "refresh-token-0001"])
        requires([
            ["mfaEnrollmentId": "phone-1", "phoneInfo": "+*******1234"], ["mfaEnrollmentId": "app-1", "totpInfo": [:]],
            ["mfaEnrollmentId": "app-2", "displayName": "laptop", "totpInfo": [:]],
        ])
    }

    private func requires(_ factors: JSONValue) {
        project.on(
            "/v1/accounts:signInWithPassword",
            .json(["localId": "uid-1", "mfaPendingCredential": "pending-0001", "mfaInfo": factors]))
    }

    private func signIn(_ prompt: @escaping SecondFactor.CodePrompt) async throws -> IdentityToolkit.Tokens {
        let settings = FirebaseSettings(apiKey: "k", projectID: "p", tenantID: "t-1")
        let toolkit = IdentityToolkit(
            project: FirebaseProject(settings: settings), transport: project, secondFactor: prompt)
        return try await toolkit.signIn(email: "ada@example.com", Password("a password"))
    }

    private var sent: [JSONObject] {
        get throws {
            try project.requests.filter { $0.url.path == Self.call }.map { try StrictJSON.object($0.body ?? []) }
        }
    }

    @Test func `the one-time code is sent with its enrollment and tenant, and is marked as secret`() async throws {
        project.on(Self.call, right)
        let tokens = try await signIn { factor in
            #expect(factor.apps.map(\.name) == [nil, "laptop"] && !factor.isRetry)
            return SecondFactor.EnteredCode(OneTimeCode("123456"), of: 1, isTyped: true)
        }
        #expect(tokens.uid == "uid-1" && tokens.refreshToken.revealed() == "refresh-token-0001")
        let body = try #require(try sent.first)
        #expect(body["mfaPendingCredential"] == "pending-0001" && body["mfaEnrollmentId"] == "app-2")
        #expect(body["totpVerificationInfo"] == ["verificationCode": "123456"] && body["tenantId"] == "t-1")
        #expect(project.requests.last?.secrets == ["pending-0001", "123456"])
    }

    @Test func `the user is prompted two more times after a wrong code`() async throws {
        project.on(Self.call, wrong)
        let retries = Mutex<[Bool]>([])
        await #expect(throws: FirebaseError.refused(code: "INVALID_CODE", detail: ServerText("no"))) {
            try await signIn { factor in
                retries.withLock { $0.append(factor.isRetry) }
                return SecondFactor.EnteredCode(OneTimeCode("123456"), of: 0, isTyped: true)
            }
        }
        #expect(retries.withLock { $0 } == [false, true, true])
    }

    @Test func `a code without a named app is tried once with each authenticator app`() async throws {
        project.on(Self.call, [wrong, right])
        _ = try await signIn { _ in SecondFactor.EnteredCode(OneTimeCode("123456"), isTyped: false) }
        #expect(try sent.map { $0["mfaEnrollmentId"] } == ["app-1", "app-2"])
        project.on(Self.call, wrong)
        await #expect(throws: FirebaseError.refused(code: "INVALID_CODE", detail: ServerText("no"))) {
            try await signIn { _ in SecondFactor.EnteredCode(OneTimeCode("123456"), isTyped: false) }
        }
        #expect(try sent.count == 4)
    }

    @Test func `the sign-in fails and sends no code if none is entered or the factor is not supported`() async throws {
        await #expect(throws: FirebaseError.secondFactor(.interactionRequired)) { try await signIn { _ in nil } }
        requires([["mfaEnrollmentId": "phone-1", "phoneInfo": "+*******1234"]])
        await #expect(throws: FirebaseError.secondFactor(.phone)) { try await signIn { _ in nil } }
        requires([["mfaEnrollmentId": "mail-1", "emailInfo": [:]]])
        await #expect(throws: FirebaseError.secondFactor(.unknown)) { try await signIn { _ in nil } }
        #expect(try sent.isEmpty)
    }
}

@Suite struct `Email verification of Firebase accounts` {
    @Test func `an applied code verifies the email address even if the account cannot be read again`() async throws {
        let bench = try FirebaseBench()
        bench.project.signsIn(try bench.project.idToken())
        let directory = bench.directory()
        let account = try await directory.signIn(bench.credential(), now: ProjectDouble.now).account
        #expect(!account.isEmailVerified)
        bench.project.on("/v1/accounts:update", .json(["localId": "uid-1"]))
        let verified = try await directory.verifyEmail(ActionCode("code-0001"), of: account)
        #expect(verified.isEmailVerified && bench.notes.all == [.notSeen])
        #expect(try await directory.sessionStore.account(uid: "uid-1")?.isEmailVerified == true)
    }
}
