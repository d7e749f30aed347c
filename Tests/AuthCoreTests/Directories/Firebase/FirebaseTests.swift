import AuthCoreTesting
import FoundationEssentials
import Synchronization
import TestSupport
import Testing

@testable import AuthCore

@Suite struct `Firebase project directory` {
    private let bench: FirebaseBench
    private let now = ProjectDouble.now
    private var project: ProjectDouble { bench.project }
    private var sessionStore: SessionStore { bench.sessionStore }
    private var notes: FirebaseBench.Notes { bench.notes }

    init() throws { bench = try FirebaseBench() }

    private func directory(tenant: String? = nil) -> FirebaseDirectory { bench.directory(tenant: tenant) }
    private func credential(_ provider: String = "google.com") -> AccountCredential { bench.credential(provider) }

    private func failure(_ body: () async throws -> Void) async -> (any Error)? {
        do {
            try await body()
            return nil
        } catch {
            return error
        }
    }

    @Test func `an identity's email is verified only if it is the account's verified email`() throws {
        func account(isVerified: Bool) throws -> Account {
            let identities = [("google.com", "ada@example.com"), ("github.com", "other@example.com")]
            let entries = identities.map {
                ["providerId": .string($0), "rawId": "1", "email": .string($1)] as JSONValue
            }
            return try FirebaseAccount.read(
                [
                    "localId": "uid-1", "email": "ada@example.com", "emailVerified": .bool(isVerified),
                    "providerUserInfo": .array(entries),
                ], directory().project)
        }
        #expect(try account(isVerified: true).providerData.map(\.isEmailVerified) == [true, false])
        #expect(try account(isVerified: false).providerData.map(\.isEmailVerified) == [false, false])
    }

    // MARK: Requests

    @Test func `a credential is sent form-encoded, with the raw nonce and the API key in a header`() async throws {
        project.signsIn(try project.idToken())
        let (account, isNew) = try await directory().signIn(credential(), now: now)
        #expect(account.uid == "uid-1" && isNew)
        let request = try #require(project.requests.first)
        #expect(request.url.text == "https://identitytoolkit.googleapis.com/v1/accounts:signInWithIdp")
        #expect(request.headers.contains { $0.name == "X-Goog-Api-Key" && $0.value == "the-api-key" })
        let body = try StrictJSON.object(request.body ?? [])
        #expect(
            body["postBody"]?.string
                == "providerId=google.com&id_token=the-id-token-0001&access_token=access%2Btoken%2F0001%3D&nonce=the-raw-nonce-0001"
        )
        #expect(body["requestUri"] == "http://localhost" && body["autoCreate"] == true)
        #expect(body["returnSecureToken"] == true && body["returnIdpCredential"] == true && body["tenantId"] == nil)
        for secret in ["the-id-token-0001", "access+token/0001=", "the-raw-nonce-0001"] {
            #expect(request.secrets.contains(secret))
        }
    }

    @Test func `emulator URLs use http, the emulator's host and the API key in the query`() throws {
        let project = FirebaseProject(
            settings: FirebaseSettings(apiKey: "k y", projectID: "p"), emulator: try EmulatorHost("127.0.0.1:9099"))
        #expect(
            try project.url(.identityToolkit, "/v1/accounts:signUp").text
                == "http://127.0.0.1:9099/identitytoolkit.googleapis.com/v1/accounts:signUp?key=k%20y")
        #expect(
            try project.url(.secureToken, "/v1/token").text
                == "http://127.0.0.1:9099/securetoken.googleapis.com/v1/token?key=k%20y")
        #expect(project.headers.isEmpty)
        let six = FirebaseProject(
            settings: FirebaseSettings(apiKey: "k", projectID: "p"), emulator: try EmulatorHost("[::1]:9099"))
        #expect(try six.url(.secureToken, "/v1/token").host == "::1")
    }

    @Test func `tenant ID, locale and bundle ID are sent if set, and the App Check token only outside the emulator`()
        async throws
    {
        project.signsIn(try project.idToken { $0["firebase"] = ["tenant": "t-1"] })
        _ = try await directory(tenant: "t-1").signIn(credential(), now: now)
        #expect(try StrictJSON.object(project.requests.first?.body ?? [])["tenantId"] == "t-1")
        let settings = FirebaseSettings(apiKey: "k", projectID: "p", locale: "de", bundleID: "com.example")
        let headers = FirebaseProject(settings: settings, appCheckToken: "check").headers
        #expect(
            headers.map(\.name) == [
                "X-Goog-Api-Key", "X-Firebase-Locale", "X-Firebase-AppCheck", "X-Ios-Bundle-Identifier",
            ])
        let emulated = FirebaseProject(
            settings: settings, emulator: try EmulatorHost("127.0.0.1:1"), appCheckToken: "check")
        #expect(emulated.headers.map(\.name) == ["X-Firebase-Locale", "X-Ios-Bundle-Identifier"])
    }

    // MARK: Responses

    @Test(
        arguments: [
            (
                "iss",
                .issuer(
                    ServerText("https://securetoken.google.com/other"),
                    expected: "https://securetoken.google.com/demo-project")
            ),
            ("aud", .audience(ServerText("other"), expected: "demo-project")), ("sub", .claim("sub")),
            ("exp", .expired(at: ProjectDouble.now - 61, now: ProjectDouble.now)),
            ("tenant", .claim("firebase.tenant")), ("key", .jose(.signature)),
        ] as [(String, IDTokenRejection)])
    func `an ID token with an invalid claim or signature is refused, and no account is stored`(
        changed: String, rejection: IDTokenRejection
    ) async throws {
        let otherKey = try PrivateKey.generate(.rsa)
        let token = try project.idToken(
            { claims in
                switch changed {
                case "iss": claims["iss"] = "https://securetoken.google.com/other"
                case "aud": claims["aud"] = "other"
                case "sub": claims["sub"] = "uid-2"
                case "exp": claims["exp"] = JSONValue(ProjectDouble.now - 61)
                case "tenant": claims["firebase"] = ["tenant": "t-9"]
                default: break
                }
            }, signedBy: changed == "key" ? otherKey : nil)
        project.signsIn(token)
        let refused = await failure { _ = try await directory().signIn(credential(), now: now) }
        #expect(refused == rejection && refused?.code == .invalidIDToken)
        #expect(try await sessionStore.accounts().isEmpty)
    }

    @Test func `a Firebase ID token with an invalid auth_time, or an empty or too long subject, is refused`()
        async throws
    {
        let firebase = FirebaseProject(settings: FirebaseSettings(apiKey: "k", projectID: ProjectDouble.projectID))
        let claims: JSONObject = ["sub": "uid-1", "auth_time": JSONValue(now)]
        try firebase.checkClaims(claims, now: now)
        for (name, value) in [
            ("auth_time", JSONValue(now + 61)), ("auth_time", nil), ("auth_time", "1"),
            ("sub", .string(String(repeating: "u", count: 129))), ("sub", ""),
        ] as [(String, JSONValue?)] {
            var changed = claims
            changed[name] = value
            #expect(throws: IDTokenRejection.claim(name)) { try firebase.checkClaims(changed, now: now) }
        }
        project.signsIn(try project.idToken { $0["auth_time"] = JSONValue(ProjectDouble.now + 61) })
        #expect(
            await failure { _ = try await directory().signIn(credential(), now: now) }
                == IDTokenRejection.claim("auth_time"))
    }

    @Test(arguments: ["ñandú", "user 1", " a"])
    func `an ID token with any UID that a project can choose is accepted`(uid: String) async throws {
        let body: JSONObject = [
            "localId": .string(uid), "idToken": .string(try project.idToken { $0["sub"] = .string(uid) }),
            "refreshToken": "refresh-token-0001", "expiresIn": "3600",
        ]
        project.on("/v1/accounts:signInWithIdp", .json(body))
        project.on("/v1/accounts:lookup", .json(ProjectDouble.users(uid)))
        #expect(try await directory().signIn(credential(), now: now).account.uid == uid)
    }

    @Test func `an unsigned ID token is refused without the emulator`() async throws {
        let claims = Base64URL.encode(Array(#"{"iss":"https://securetoken.google.com/demo-project"}"#.utf8))
        project.signsIn(Base64URL.encode(Array(#"{"alg":"none"}"#.utf8)) + "." + claims + ".")
        #expect(
            await failure { _ = try await directory().signIn(credential(), now: now) }
                == IDTokenRejection.jose(.algorithm("none")))
    }

    @Test(arguments: [Int64.min, -1, 0, Int64.max - 30, Int64.max])
    func `an emulator's unsigned token may have extreme times, but not a past expiry`(number: Int64) async throws {
        let emulator = bench.directory(emulator: try EmulatorHost("127.0.0.1:9099"))
        for claim in ["exp", "auth_time", "iat"] {
            project.signsIn(ProjectDouble.unsignedToken { $0[claim] = JSONValue(number) })
            let refused = await failure { _ = try await emulator.signIn(credential(), now: now) }
            guard claim == "exp", number <= 0 else {
                #expect(refused == nil)
                let session = try await emulator.sessionStore.session(
                    account: "uid-1", provider: SessionIssuer.projectID)
                #expect(session.flatMap(\.idTokenExpiresAt).map { $0 > now } == true)
                continue
            }
            #expect(refused == IDTokenRejection.expired(at: 0, now: 1795248000))
        }
    }

    // MARK: Failures

    /// Identity Toolkit's error messages, with authctl's error codes and exit codes.
    static let rows: [(message: String, code: String, exit: Int32)] = [
        (
            "MISSING_OR_INVALID_NONCE : The nonce in ID Token \"x\" does not match the SHA256 hash of the raw nonce \"the-raw-nonce-0001\"",
            "missing-or-invalid-nonce", 65
        ),
        ("MISSING_OR_INVALID_NONCE:Duplicate credential received.", "missing-or-invalid-nonce", 65),
        ("INVALID_IDP_RESPONSE : Unable to parse the-id-token-0001", "invalid-credential", 65),
        ("INVALID_PENDING_TOKEN", "invalid-credential", 65), ("INVALID_LOGIN_CREDENTIALS", "invalid-credential", 65),
        (
            "INVALID_CREDENTIAL_OR_PROVIDER_ID : Invalid IdP response/credential: http://localhost?id_token=the-id-token-0001",
            "invalid-credential", 65
        ),
        ("REJECTED_CREDENTIAL", "invalid-credential", 65), ("INVALID_PASSWORD", "wrong-password", 65),
        ("EMAIL_NOT_FOUND", "user-not-found", 65), ("INVALID_OOB_CODE", "invalid-action-code", 65),
        ("INVALID_CODE", "invalid-verification-code", 65),
        ("INVALID_MFA_PENDING_CREDENTIAL", "invalid-multi-factor-session", 65),
        ("MFA_ENROLLMENT_NOT_FOUND", "invalid-multi-factor-session", 65),
        ("EXPIRED_OOB_CODE", "expired-action-code", 65), ("INVALID_CUSTOM_TOKEN", "invalid-custom-token", 65),
        ("CREDENTIAL_MISMATCH", "custom-token-mismatch", 65), ("USER_NOT_FOUND", "user-token-expired", 4),
        ("TOKEN_EXPIRED", "user-token-expired", 4), ("INVALID_ID_TOKEN", "invalid-user-token", 4),
        ("INVALID_REFRESH_TOKEN", "not-signed-in", 4), ("MISSING_REFRESH_TOKEN", "not-signed-in", 4),
        ("CREDENTIAL_TOO_OLD_LOGIN_AGAIN", "requires-recent-login", 5), ("USER_DISABLED", "user-disabled", 7),
        ("OPERATION_NOT_ALLOWED : The identity provider configuration is not found.", "operation-not-allowed", 7),
        ("PASSWORD_LOGIN_DISABLED", "operation-not-allowed", 7),
        ("ADMIN_ONLY_OPERATION", "admin-restricted-operation", 7),
        ("WEAK_PASSWORD : Password should be at least 6 characters", "weak-password", 7),
        (
            "PASSWORD_DOES_NOT_MEET_REQUIREMENTS : Missing password requirements",
            "password-does-not-meet-requirements", 7
        ),
        ("EMAIL_CHANGE_NEEDS_VERIFICATION", "email-change-needs-verification", 7),
        ("UNVERIFIED_EMAIL", "unverified-email", 7),
        ("BLOCKING_FUNCTION_ERROR_RESPONSE : {\"error\":{}}", "operation-not-allowed", 7),
        ("INVALID_RECAPTCHA_TOKEN", "captcha-check-failed", 7), ("RECAPTCHA_NOT_ENABLED", "captcha-check-failed", 7),
        ("USER_CANCELLED", "user-cancelled", 2),
        ("CAPTCHA_CHECK_FAILED", "captcha-check-failed", 7), ("MISSING_RECAPTCHA_TOKEN", "captcha-check-failed", 7),
        ("MISSING_CLIENT_TYPE", "captcha-check-failed", 7), ("INVALID_EMAIL", "invalid-email", 64),
        ("INVALID_IDENTIFIER", "invalid-email", 64), ("MISSING_EMAIL", "missing-email", 64),
        ("MISSING_PASSWORD", "missing-password", 64),
        ("TOO_MANY_ATTEMPTS_TRY_LATER : Access disabled", "too-many-requests", 69),
        ("RESET_PASSWORD_EXCEED_LIMIT", "too-many-requests", 69), ("QUOTA_EXCEEDED", "too-many-requests", 69),
        ("TENANT_ID_MISMATCH", "tenant-id-mismatch", 78), ("INVALID_TENANT_ID", "invalid-tenant-id", 78),
        ("UNSUPPORTED_TENANT_OPERATION", "unsupported-tenant-operation", 78),
        ("INVALID_PROVIDER_ID", "invalid-provider-id", 78),
        ("INVALID_CONTINUE_URI", "invalid-continue-uri", 78), ("UNAUTHORIZED_DOMAIN", "unauthorized-continue-uri", 78),
        ("PROJECT_DISABLED", "invalid-configuration", 78), ("CONFIGURATION_NOT_FOUND", "invalid-configuration", 78),
        ("PROJECT_NUMBER_MISMATCH", "invalid-configuration", 78), ("MISSING_REQUEST_URI", "internal-error", 1),
        ("INVALID_GRANT_TYPE", "internal-error", 1), ("SOMETHING_NEW", "internal-error", 1),
    ]

    @Test(arguments: rows)
    func `each Firebase error has an error code and an exit code, and does not quote secrets`(
        row: (message: String, code: String, exit: Int32)
    ) async throws {
        for message in [row.message, row.message.replacing(" : ", with: ": ").replacing(":", with: "  :  ")] {
            project.refuses(message)
            let refused = await failure { _ = try await directory().signIn(credential(), now: now) }
            let code = try #require(refused?.code)
            #expect(code.rawValue == row.code && code.exitCode == row.exit, "\(message)")
            let shown = String(reflecting: refused)
            for secret in ["the-id-token-0001", "the-raw-nonce-0001", "access+token"] {
                #expect(!shown.contains(secret))
            }
        }
        #expect(try await sessionStore.accounts().isEmpty)
    }

    @Test func `an unknown email address and a wrong password give the same error`() async throws {
        for message in ["EMAIL_NOT_FOUND", "INVALID_PASSWORD", "INVALID_LOGIN_CREDENTIALS"] {
            project.refuses(message)
            let refused = await failure {
                _ = try await directory().signIn(email: "ada@example.com", Password("a password"), now: now)
            }
            #expect(refused?.code == .wrongPassword && refused == PasswordError.wrongInProject)
        }
    }

    @Test func `an invalid App Check token is app-not-authorized, and a disabled service invalid-configuration`() async throws {
        let rows: [(body: JSONObject, status: Int, error: FirebaseError, code: ErrorCode)] = [
            (
                ["code": 401, "message": "Firebase App Check token is invalid.", "status": "UNAUTHENTICATED"], 401,
                .appCheck(hadToken: false), .appNotAuthorized
            ),
            (
                [
                    "code": 403, "message": "It is disabled.", "status": "PERMISSION_DENIED",
                    "details": [["reason": "SERVICE_DISABLED"]],
                ], 403, .serviceDisabled(ServerText("It is disabled.")), .invalidConfiguration
            ),
        ]
        for (body, status, error, code) in rows {
            project.on("/v1/accounts:signInWithIdp", .json(["error": .object(body)], status: status))
            let refused = await failure { _ = try await directory().signIn(credential(), now: now) }
            #expect(refused == error && refused?.code == code)
        }
    }

    @Test func `a conflict without a verified provider names the sign-in method of the email address`() async throws {
        project.on(
            "/v1/accounts:signInWithIdp",
            .json(["needConfirmation": true, "email": "ada@example.com", "verifiedProvider": []]))
        for (response, provider) in [
            (["registered": true, "signinMethods": ["emailLink"]], "emailLink"), (["sessionId": "s"], "password"),
        ] as [(JSONObject, String)] {
            project.on("/v1/accounts:createAuthUri", .json(response))
            let refused = await failure { _ = try await directory().signIn(credential(), now: now) }
            guard case .existsWithDifferentCredential(_, [provider], _)? = refused as? AccountConflict else {
                Issue.record("another error: \(String(describing: refused))")
                continue
            }
        }
    }

    @Test func `an invalid API key is a configuration error`() async throws {
        project.on(
            "/v1/accounts:signInWithIdp",
            .json(
                [
                    "error": [
                        "code": 400, "message": "API key not valid. Please pass a valid API key.",
                        "details": [["reason": "API_KEY_INVALID"]],
                    ]
                ], status: 400))
        let refused = await failure { _ = try await directory().signIn(credential(), now: now) }
        #expect(
            refused == FirebaseError.apiKey(ServerText("API key not valid. Please pass a valid API key."))
                && refused?.code == .invalidAPIKey)
    }

    @Test func `a 200 response with a conflict, an errorMessage or a pending second factor is an error`() async throws {
        project.on(
            "/v1/accounts:signInWithIdp",
            .json([
                "needConfirmation": true, "email": "ada@example.com", "verifiedProvider": ["github.com"],
                "pendingToken": "the-pending-token-0001",
            ]))
        var refused = await failure { _ = try await directory().signIn(credential(), now: now) }
        let first = try #require(try await sessionStore.pendingCredentials(now: now).first).id
        #expect(
            refused
                == AccountConflict.existsWithDifferentCredential(
                    email: "ada@example.com", providers: ["github.com"], pendingID: first))
        project.on("/v1/accounts:signInWithIdp", .json(["errorMessage": "FEDERATED_USER_ID_ALREADY_LINKED"]))
        refused = await failure { _ = try await directory().signIn(credential(), now: now) }
        let second = try #require(try await sessionStore.pendingCredentials(now: now).first { $0.id != first }).id
        #expect(
            refused
                == AccountConflict.credentialAlreadyInUse(
                    provider: "google.com", email: "ada@example.com", pendingID: second))
        project.on("/v1/accounts:signInWithIdp", .json(["errorMessage": "EMAIL_EXISTS"]))
        refused = await failure { _ = try await directory().signIn(credential(), now: now) }
        #expect(refused?.code == .emailAlreadyInUse && refused == AccountConflict.emailAlreadyInUse("ada@example.com"))
        project.on("/v1/accounts:signInWithIdp", .json(["mfaPendingCredential": "x", "mfaInfo": []]))
        refused = await failure { _ = try await directory().signIn(credential(), now: now) }
        #expect(refused?.code == .multiFactorAuthRequired && refused == FirebaseError.secondFactor(.unknown))
    }

    @Test func `a pending credential is sent again only as the project's pendingToken`() async throws {
        project.on(
            "/v1/accounts:signInWithIdp",
            .json(["errorMessage": "FEDERATED_USER_ID_ALREADY_LINKED", "pendingToken": "the-pending-token-0001"]))
        _ = await failure { _ = try await directory().signIn(credential(), now: now) }
        let pending = try #require(try await sessionStore.pendingCredentials(now: now).first)
        let (_, stored) = try await sessionStore.pendingCredential(pending.id, now: now)
        project.signsIn(try project.idToken())
        _ = try await directory().signIn(stored, now: now)
        let sent = try StrictJSON.object(
            project.requests.last { $0.url.path.hasSuffix("signInWithIdp") }?.body ?? [])
        #expect(sent["pendingToken"] == "the-pending-token-0001" && sent["postBody"] == nil)
    }

    @Test(
        arguments: [
            ("id_token", "nonce-0001", ["FEDERATED_USER_ID_ALREADY_LINKED", nil]), ("id_token", nil, [nil]),
            ("access_token", nil, ["FEDERATED_USER_ID_ALREADY_LINKED"]),
        ] as [(String, String?, [String?])])
    func `a token is sent again after a conflict, with its nonce, if the project returned no pendingToken`(
        member: String, nonce: String?, errors: [String?]
    ) async throws {
        let token = ProjectDouble.unsignedToken { $0["sub"] = "000792.a" }
        for error in errors {
            var conflict: JSONObject = ["email": "ada@example.com", "federatedId": "000792.a"]
            if let error { conflict["errorMessage"] = .string(error) } else { conflict["needConfirmation"] = true }
            project.on("/v1/accounts:signInWithIdp", .json(conflict))
            let refused = await failure {
                _ = try await directory().signIn(
                    member, token: token, nonce: nonce.map { Nonce($0) }, of: "apple.com", as: .signIn)
            }
            let id = try #require(try await sessionStore.pendingCredentials(now: now).last).id
            let email = "ada@example.com"
            #expect(
                refused
                    == (error == nil
                        ? AccountConflict.existsWithDifferentCredential(
                            email: email, providers: ["password"], pendingID: id)
                        : .credentialAlreadyInUse(provider: "apple.com", email: email, pendingID: id)))
            let stored = try String(contentsOf: URL(filePath: bench.database), encoding: .isoLatin1)
            #expect(!stored.contains(token))
            project.signsIn(try project.idToken())
            let (_, pending) = try await sessionStore.pendingCredential(id, now: now)
            _ = try await pending.completed(.signIn, in: directory(), now: now)
            let sent = try StrictJSON.object(
                project.requests.last { $0.url.path.hasSuffix("signInWithIdp") }?.body ?? [])
            let nonce = nonce.map { "&nonce=\($0)" } ?? ""
            #expect(sent["postBody"]?.string == "providerId=apple.com&\(member)=\(token)\(nonce)")
        }
    }

    // MARK: Sessions

    @Test(arguments: ["TOKEN_EXPIRED", "USER_DISABLED", "USER_NOT_FOUND", "INVALID_REFRESH_TOKEN"])
    func `a refresh reports an ended session only for errors that end it, and the stored session is kept`(code: String)
        async throws
    {
        project.signsIn(try project.idToken())
        let account = try await directory().signIn(credential(), now: now).account
        let session = try #require(
            try await sessionStore.session(account: account.uid, provider: SessionIssuer.projectID))
        project.on("/v1/token", .json(["error": ["code": 400, "message": .string(code)]], status: 400))
        let ended = await #expect(throws: ProjectSessionEnded.self) {
            _ = try await directory().renewed(session, now: now)
        }
        // The user signs in again with the provider of the session.
        #expect(ended?.provider == "google.com")
        #expect(
            ended?.cause
                == (code == "USER_DISABLED" ? .disabled : code == "USER_NOT_FOUND" ? .accountDeleted : .ended))
        project.on("/v1/token", .json(["error": ["code": 400, "message": "QUOTA_EXCEEDED"]], status: 400))
        await #expect(throws: FirebaseError.refused(code: "QUOTA_EXCEEDED", detail: nil)) {
            _ = try await directory().renewed(session, now: now)
        }
        await #expect(throws: FirebaseError.refused(code: "QUOTA_EXCEEDED", detail: nil)) {
            _ = try await directory().newToken(account.uid)
        }
        project.on("/v1/token", HTTPResponse(status: 503))
        await #expect(throws: OAuthError.unavailable(status: 503, origin: "https://securetoken.googleapis.com:443")) {
            _ = try await directory().renewed(session, now: now)
        }
        await #expect(throws: OAuthError.unavailable(status: 503, origin: "https://securetoken.googleapis.com:443")) {
            _ = try await directory().newToken(account.uid)
        }
        #expect(try await sessionStore.session(account: account.uid, provider: SessionIssuer.projectID) == session)
        #expect(try await sessionStore.currentUID() == account.uid)
    }

    @Test func `a refresh keeps the authentication time, returns the new refresh token and refuses another UID`()
        async throws
    {
        project.signsIn(try project.idToken { $0["auth_time"] = JSONValue(ProjectDouble.now - 1000) })
        let account = try await directory().signIn(credential(), now: now).account
        let session = try #require(
            try await sessionStore.session(account: account.uid, provider: SessionIssuer.projectID))
        #expect(session.lastProvenAt == now - 1000)
        project.on(
            "/v1/token",
            .json([
                "id_token": .string(try project.idToken()), "refresh_token": "refresh-token-0002", "user_id": "uid-1",
                "expires_in": "3600", "project_id": "1234567890",
            ]))
        let renewed = try #require(try await directory().renewed(session, now: now))
        #expect(renewed.refreshToken == RefreshToken("refresh-token-0002") && renewed.lastProvenAt == now - 1000)
        project.on(
            "/v1/token",
            .json(["id_token": .string(try project.idToken()), "refresh_token": "r", "user_id": "uid-2"]))
        #expect(await failure { _ = try await directory().renewed(session, now: now) } == AccountConflict.userMismatch)
    }

    @Test func `a refresh stores the new refresh token although the keys for the ID token are unavailable`()
        async throws
    {
        project.signsIn(try project.idToken())
        let account = try await directory().signIn(credential(), now: now).account
        let session = try #require(
            try await sessionStore.session(account: account.uid, provider: SessionIssuer.projectID))
        project.on(
            "/v1/token",
            .json([
                "id_token": .string(try project.idToken()), "refresh_token": "refresh-token-0002", "user_id": "uid-1",
            ]))
        project.hideKeys()
        await #expect(
            throws: HTTPError.cannotConnect(origin: "https://www.googleapis.com:443", reason: "no keys in this test")
        ) { try await directory().renewed(session, now: now) }
        let stored = try #require(
            try await sessionStore.session(account: account.uid, provider: SessionIssuer.projectID))
        #expect(stored.refreshToken == RefreshToken("refresh-token-0002") && stored.idToken == session.idToken)
    }

    @Test func `a refresh stores the new refresh token although this clock is behind`() async throws {
        project.signsIn(try project.idToken())
        _ = try await directory().signIn(credential(), now: now)
        let session = try #require(try await sessionStore.session(account: "uid-1", provider: SessionIssuer.projectID))
        let later = try project.idToken {
            $0["iat"] = JSONValue(ProjectDouble.now + 600)
            $0["exp"] = JSONValue(ProjectDouble.now + 4200)
        }
        project.on(
            "/v1/token",
            .json(["id_token": .string(later), "refresh_token": "refresh-token-0002", "user_id": "uid-1"]))
        await #expect(throws: IDTokenRejection.issuedInFuture(at: 1795248600, now: 1795248000)) {
            try await directory().renewed(session, now: now)
        }
        let stored = try #require(try await sessionStore.session(account: "uid-1", provider: SessionIssuer.projectID))
        #expect(stored.refreshToken == RefreshToken("refresh-token-0002") && stored.idToken == session.idToken)
    }

    @Test func `concurrent changes with an expiring ID token refresh it only once`() async throws {
        project.signsIn(try project.idToken())
        let account = try await directory().signIn(credential(), now: now).account
        var session = try #require(
            try await sessionStore.session(account: account.uid, provider: SessionIssuer.projectID))
        session.idTokenExpiresAt = now + 200
        #expect(try await sessionStore.replace(session))
        project.on(
            "/v1/token",
            .json([
                "id_token": .string(try project.idToken()), "refresh_token": "refresh-token-0002", "user_id": "uid-1",
            ]))
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 1...8 {
                group.addTask {
                    await #expect(throws: AccountConflict.noSuchProvider("github.com")) {
                        _ = try await directory().unlink("github.com", from: account.uid, now: now)
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(project.requests.filter { $0.url.path == "/v1/token" }.count == 1)
        session = try #require(try await sessionStore.session(account: account.uid, provider: SessionIssuer.projectID))
        #expect(session.refreshToken == RefreshToken("refresh-token-0002"))
    }

    @Test func `providers that the project removed from an account are reported`() async throws {
        var users = ProjectDouble.users("uid-1")
        users["users"] = [
            [
                "localId": "uid-1", "email": "ada@example.com",
                "providerUserInfo": [
                    ["providerId": "github.com", "rawId": "7"], ["providerId": "google.com", "rawId": "1"],
                ],
            ]
        ]
        project.on("/v1/accounts:lookup", .json(users))
        project.signsIn(try project.idToken())
        _ = try await directory().signIn(credential(), now: now)
        #expect(notes.all.isEmpty)
        project.on("/v1/accounts:lookup", .json(ProjectDouble.users("uid-1")))
        _ = try await directory().signIn(credential(), now: now)
        #expect(notes.all.count == 1 && notes.all.first == .merged(["github.com"]))
    }
}

@Suite struct `Firebase configuration formats` {
    @Test(arguments: [
        #"{"apiKey":"k-1","projectId":"p-1","authDomain":"p-1.firebaseapp.com"}"#,
        "const firebaseConfig = {\n  apiKey: \"k-1\",\n  authDomain: 'p-1.firebaseapp.com',\n  projectId: \"p-1\"\n};",
        #"{"project_info":{"project_id":"p-1"},"client":[{"api_key":[{"current_key":"k-1"}]}]}"#,
        #"{"status":"success","result":{"sdkConfig":{"apiKey":"k-1","projectId":"p-1"}}}"#,
        #"{"result":{"fileContents":"<key>API_KEY</key><string>k-1</string><key>PROJECT_ID</key><string>p-1</string>"}}"#,
        "<plist><dict><key>API_KEY</key>\n\t<string>k-1</string><key>PROJECT_ID</key><string>p-1</string></dict></plist>",
    ])
    func `the API key and project ID are read from every format that Firebase prints`(text: String) throws {
        let settings = try #require(FirebaseSettings.all(in: text).first)
        #expect(settings.apiKey == "k-1" && settings.projectID == "p-1")
    }

    @Test(arguments: [
        "", "{}", "apiKey: 'x'", "<key>API_KEY</key><string>k", #"apiKey: "a b", projectId: "p""#,
        "{\"apiKey\":5,\"projectId\":\"p\"}", #"{"apiKey":"k\r\nX: y","projectId":"p"}"#,
        #"{"apiKey":"k","projectId":""}"#, #"{"result":{"fileContents":"{\"result\":{\"fileContents\":\"{}\"}}"}}"#,
    ])
    func `an incomplete or malformed configuration gives no settings`(text: String) {
        #expect(FirebaseSettings.all(in: text).isEmpty)
    }

    @Test(arguments: [
        ("{ // apiKey: 'old',\n apiKey: 'k', /* projectId: 'old' */ projectId: 'p' }", ["k p"]),
        ("// const a = { apiKey: 'old', projectId: 'old' };\nconst b = { apiKey: 'k', projectId: 'p' };", ["k p"]),
        ("const a = { apiKey: 'old' }; const b = { apiKey: 'k', projectId: 'p' };", ["k p"]),
        ("const a = { apiKey: 'k', projectId: 'p' }; use({ projectId: 'p', apiKey: 'k' });", ["k p"]),
        ("a = { x: { apiKey: 'k', projectId: 'p' }, apiKey: 'l', projectId: 'q' }", ["k p", "l q"]),
        ("it's the config\n{ apiKey: 'k', url: 'https://p', projectId: 'p' }", ["k p"]),
        ("{ apiKey: process.env.KEY, projectId: 'p' }", []), ("{ notApiKey: 'k', projectId: 'p' }", []),
    ])
    func `a script's values come from one object, and not from comments`(text: String, expected: [String]) {
        #expect(FirebaseSettings.all(in: text).map { "\($0.apiKey) \($0.projectID)" } == expected)
    }

    @Test func `changed and random text does not crash the parser, and found values have only allowed characters`() {
        var generator = SeededGenerator(seed: 60)
        let forms = [
            ["{", "\"apiKey\"", ":", "\"", "VALUE", "\"", ",", "\"projectId\"", ":", "\"", "VALUE", "\"", "}"],
            ["a = {", "apiKey", ":", "'", "VALUE", "'", ",", "projectId", ":", "'", "VALUE", "'", "}"],
            [
                "<key>API_KEY</key>", "<string>", "VALUE", "</string>", "<key>PROJECT_ID</key>", "<string>", "VALUE",
                "</string>",
            ],
            [
                #"{"project_info":{"project_id":""#, "VALUE", #""},"client":[{"api_key":[{"current_key":""#, "VALUE",
                #""}]}]}"#,
            ],
            [],
        ]
        let values = ["AIza-key", "demo", "a b", "\u{1B}[31m", "k\\", "", "é"]
        let parts = [
            "apiKey", ":", "\"", "'", "AIza-key", "projectId", "demo", ",", "{", "}", "<key>API_KEY</key>", "<string>",
            "</string>", "<key>PROJECT_ID</key>", "\n", " ", "project_info", "\u{1B}[31m", "\\",
        ]
        var count = 0
        for _ in 0..<Fuzz.iterations(5_000) {
            var text = (forms.randomElement(using: &generator) ?? []).map {
                $0 == "VALUE" ? values.randomElement(using: &generator) ?? "" : $0
            }
            for _ in 0..<Int.random(in: 0...(text.isEmpty ? 24 : 2), using: &generator) {
                text.insert(
                    parts.randomElement(using: &generator) ?? "", at: Int.random(in: 0...text.count, using: &generator))
            }
            for found in FirebaseSettings.all(in: text.joined()) {
                count += 1
                for value in [found.apiKey, found.projectID] {
                    #expect(
                        !value.isEmpty
                            && value.utf8.allSatisfy { $0.isLetterOrDigit || [0x2D, 0x2E, 0x3A, 0x5F].contains($0) })
                }
            }
        }
        #expect(count > 100, "\(count)")
    }
}

@Suite struct `Firebase error messages` {
    @Test func `random error messages do not crash the parser, and the error has a code and no secret`() {
        var generator = SeededGenerator(seed: 62)
        let secret = "secret-token-0123456789"
        let parts = [
            "EMAIL_EXISTS", ":", " ", secret, "\u{202E}", "\u{7}", "((", "))", "lower", "A_1", "é", "\"", "\n",
        ]
        var redactedCount = 0
        for _ in 0..<Fuzz.iterations(5_000) {
            let text = (0..<Int.random(in: 0...10, using: &generator)).map { _ in
                parts.randomElement(using: &generator) ?? ""
            }.joined()
            let error = FirebaseError(message: text, secrets: [secret])
            guard case .refused(let code, let detail) = error else {
                Issue.record("not a refusal")
                continue
            }
            #expect(code.utf8.allSatisfy { $0.isUppercaseLetter || $0.isDigit || $0 == 0x5F } && !code.isEmpty)
            #expect(detail?.description.contains(secret) != true)
            #expect(detail?.description.utf8.allSatisfy { $0 >= 0x20 } != false)
            if text.contains(secret), detail != nil { redactedCount += 1 }
        }
        #expect(redactedCount > 500, "\(redactedCount)")
    }
}
