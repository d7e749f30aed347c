import AuthCoreTesting
import Synchronization
import Testing

@testable import AuthCore

@Suite struct `A second factor of a Firebase project` {
    private let project: ProjectDouble
    private let right: HTTPResponse
    private let wrong = HTTPResponse.json(["error": ["code": 400, "message": "INVALID_CODE : no"]], status: 400)
    private static let call = "/v2/accounts/mfaSignIn:finalize"

    init() throws {
        project = try ProjectDouble()
        right = .json(["idToken": .string(ProjectDouble.unsignedToken()), "refreshToken": "refresh-token-0001"])
        wants([
            ["mfaEnrollmentId": "phone-1", "phoneInfo": "+*******1234"], ["mfaEnrollmentId": "app-1", "totpInfo": [:]],
            ["mfaEnrollmentId": "app-2", "displayName": "laptop", "totpInfo": [:]],
        ])
    }

    private func wants(_ factors: JSONValue) {
        project.on(
            "/v1/accounts:signInWithPassword",
            .json(["localId": "uid-1", "mfaPendingCredential": "pending-0001", "mfaInfo": factors]))
    }

    private func signIn(_ asker: @escaping SecondFactor.CodePrompt) async throws -> IdentityToolkit.Tokens {
        let settings = FirebaseSettings(apiKey: "k", projectID: "p", tenantID: "t-1")
        let toolkit = IdentityToolkit(
            project: FirebaseProject(settings), transport: project, secondFactor: asker)
        return try await toolkit.signIn(email: "ada@example.com", Password("a password"))
    }

    private var sent: [JSONObject] {
        get throws {
            try project.requests.filter { $0.url.path == Self.call }.map { try StrictJSON.object($0.body ?? []) }
        }
    }

    @Test func `goes out as the SDKs send it, in its tenant, and no text may quote it`() async throws {
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

    @Test func `that is typed wrong is asked for again, twice`() async throws {
        project.on(Self.call, wrong)
        let asked = Mutex<[Bool]>([])
        await #expect(throws: FirebaseError.self) {
            try await signIn { factor in
                asked.withLock { $0.append(factor.isRetry) }
                return SecondFactor.EnteredCode(OneTimeCode("123456"), of: 0, isTyped: true)
            }
        }
        #expect(asked.withLock { $0 } == [false, true, true])
    }

    @Test func `that nobody says the app of is tried with each, once`() async throws {
        project.on(Self.call, [wrong, right])
        _ = try await signIn { _ in SecondFactor.EnteredCode(OneTimeCode("123456"), isTyped: false) }
        #expect(try sent.map { $0["mfaEnrollmentId"] } == ["app-1", "app-2"])
        project.on(Self.call, wrong)
        await #expect(throws: FirebaseError.self) {
            try await signIn { _ in SecondFactor.EnteredCode(OneTimeCode("123456"), isTyped: false) }
        }
        #expect(try sent.count == 4)
    }

    @Test func `that cannot be shown ends the sign-in with the reason, and nothing is sent`() async throws {
        await #expect(throws: FirebaseError.secondFactor(.interactionRequired)) { try await signIn { _ in nil } }
        wants([["mfaEnrollmentId": "phone-1", "phoneInfo": "+*******1234"]])
        await #expect(throws: FirebaseError.secondFactor(.phone)) { try await signIn { _ in nil } }
        wants([["mfaEnrollmentId": "mail-1", "emailInfo": [:]]])
        await #expect(throws: FirebaseError.secondFactor(.unknown)) { try await signIn { _ in nil } }
        #expect(try sent.isEmpty)
    }
}

@Suite struct `A mail of a Firebase project` {
    @Test func `that verified an address has, though nobody can see it now`() async throws {
        let bench = try FirebaseBench()
        bench.project.signsIn(try bench.project.idToken())
        let directory = bench.directory()
        let account = try await directory.signIn(bench.credential(), now: ProjectDouble.now).account
        #expect(!account.isEmailVerified)
        bench.project.on("/v1/accounts:update", .json(["localId": "uid-1"]))
        let verified = try await directory.verifyEmail(
            ActionCode("code-0001"), of: account, now: ProjectDouble.now)
        #expect(verified.isEmailVerified && bench.said.all == [.notSeen])
        #expect(try await directory.sessionStore.account(uid: "uid-1")?.isEmailVerified == true)
    }
}
