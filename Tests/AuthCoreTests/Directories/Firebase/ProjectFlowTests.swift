import AuthCoreTesting
import TestSupport
import Testing

@testable import AuthCore

@Suite struct `Provider sign-in through a Firebase project` {
    private let bench: FirebaseBench
    private var project: ProjectDouble { bench.project }
    private let now = ProjectDouble.now
    private static let callback = "http://localhost:8400/callback"

    init() throws { bench = try FirebaseBench() }

    private func begin(
        _ provider: String = "google.com",
        page: String = "https://accounts.google.com/o/oauth2/auth?state=state-of-the-project",
        mode: ResponseMode = .query, scopes: [String] = ["scope-1", "scope-2"]
    ) async throws -> ProjectFlow {
        project.on("/v1/accounts:createAuthUri", .json(["authUri": .string(page), "sessionId": "not-ours"]))
        return try await bench.directory().begin(
            provider, continueURI: Self.callback, responseMode: mode, scopes: scopes,
            parameters: [("hd", "example.com")], random: .openSSL)
    }

    private func complete(_ flow: ProjectFlow, _ encoded: String) async throws -> FirebaseDirectory.Entry {
        project.signsIn(try project.idToken())
        let directory = bench.directory()
        let response = try ProjectResponse(CallbackParameters(encoded: encoded.utf8), to: flow)
        return try await directory.signIn(directory.presented(response, now: now), now: now)
    }

    private func sent(_ path: String) throws -> JSONObject {
        try StrictJSON.object(try #require(project.requests.last { $0.url.path == path }?.body))
    }

    @Test func `createAuthUri gets the redirect URI, scopes, parameters and a new random session ID`() async throws {
        let flow = try await begin()
        let body = try sent("/v1/accounts:createAuthUri")
        #expect(body["providerId"] == "google.com" && body["continueUri"] == .string(Self.callback))
        #expect(body["oauthScope"] == "scope-1 scope-2" && body["customParameter"] == ["hd": "example.com"])
        #expect(body["authFlowType"] == "CODE_FLOW")
        #expect(body["sessionId"]?.string == flow.sessionID.revealed() && flow.sessionID.revealed().utf8.count >= 43)
        #expect("\(flow.sessionID)" == "<redacted>")
        let other = try await begin()
        #expect(other.sessionID != flow.sessionID)
    }

    @Test func `the user:email scope is requested from GitHub, and the user's scopes if there are any`() async throws {
        _ = try await begin("github.com", scopes: [])
        #expect(try sent("/v1/accounts:createAuthUri")["oauthScope"] == "user:email")
        _ = try await begin("github.com")
        #expect(try sent("/v1/accounts:createAuthUri")["oauthScope"] == "user:email scope-1 scope-2")
    }

    @Test func `the callback query is sent to the project unchanged, with the session ID`() async throws {
        let flow = try await begin()
        let query = "state=state-of-the-project&code=a%2Bb%20c&scope=email+profile"
        let entry = try await complete(flow, query)
        let body = try sent("/v1/accounts:signInWithIdp")
        #expect(body["requestUri"]?.string == "\(Self.callback)?\(query)" && body["postBody"] == nil)
        #expect(body["sessionId"]?.string == flow.sessionID.revealed() && body["autoCreate"] == true)
        #expect(entry.account.uid == "uid-1" && entry.isNew)
    }

    @Test func `a form_post callback is sent to the project as the posted body`() async throws {
        let flow = try await begin("apple.com", mode: .formPost)
        #expect(try sent("/v1/accounts:createAuthUri")["oauthScope"] == "email name scope-1 scope-2")
        let form = "state=state-of-the-project&code=c0de&user=%7B%22name%22%3A%7B%7D%7D"
        _ = try await complete(flow, form)
        let body = try sent("/v1/accounts:signInWithIdp")
        #expect(body["requestUri"]?.string == Self.callback && body["postBody"]?.string == form)
    }

    @Test(
        arguments: [
            ("http://accounts.google.com/?state=s", .insecurePage), ("javascript:alert(1)//?state=s", .insecurePage),
            ("https://accounts.google.com/", .pageWithoutMark),
            ("https://accounts.google.com/?state=", .pageWithoutMark),
            ("https://accounts.google.com/?state=a&state=b", .pageWithoutMark), ("", .insecurePage),
            ("http://localhost:9099/?state=s", .insecurePage),
        ] as [(String, FirebaseError.Fault)])
    func `an authorization URL that is not https, or without exactly one state, is refused`(
        page: String, fault: FirebaseError.Fault
    ) async {
        await #expect(throws: FirebaseError.invalidResponse(fault)) { try await begin(page: page) }
    }

    @Test func `a callback with a different or missing state is refused`() async throws {
        let flow = try await begin()
        for query in [
            "code=c&state=guessed", "code=c", "state=STATE-OF-THE-PROJECT&code=c", "denied=state-of-the-project",
        ] {
            #expect(throws: OAuthError.stateMismatch) {
                try ProjectResponse(CallbackParameters(encoded: query.utf8), to: flow)
            }
        }
    }

    @Test(arguments: [
        ("google.com", "https://accounts.google.com/?state=abc", "state=abc&error=access_denied"),
        ("twitter.com", "https://api.twitter.com/oauth/authenticate?oauth_token=abc", "denied=abc"),
    ])
    func `a callback in which the user denied access is an access_denied error, and is not sent to the project`(
        provider: String, page: String, query: String
    ) async throws {
        let flow = try await begin(provider, page: page)
        await #expect(throws: OAuthError.refused(code: "access_denied", description: nil, at: .authorization)) {
            _ = try await complete(flow, query)
        }
        #expect(project.requests.map(\.url.path) == ["/v1/accounts:createAuthUri"])
    }

    @Test func `the error message omits the code and session ID that the project's error quotes`() async throws {
        let flow = try await begin()
        let code = "4/0AX4XfWh-a-code-that-is-secret"
        project.on(
            "/v1/accounts:signInWithIdp",
            .json(
                [
                    "error": [
                        "code": 400, "message": .string("INVALID_IDP_RESPONSE : \(code) \(flow.sessionID.revealed())"),
                    ]
                ],
                status: 400))
        let directory = bench.directory()
        let response = try ProjectResponse(
            CallbackParameters(encoded: "state=state-of-the-project&code=\(code)".utf8), to: flow)
        do {
            _ = try await directory.signIn(directory.presented(response, now: now), now: now)
            Issue.record("the sign-in was accepted")
        } catch {
            #expect(error.code == .invalidCredential)
            guard case .refused("INVALID_IDP_RESPONSE", let detail?)? = error as? FirebaseError else {
                Issue.record("another error: \(error)")
                return
            }
            #expect(!detail.description.contains(code) && !detail.description.contains(flow.sessionID.revealed()))
        }
    }

    @Test func `re-authentication creates no account, and another user's response changes nothing`() async throws {
        let flow = try await begin()
        _ = try await complete(flow, "state=state-of-the-project&code=c1")
        let directory = bench.directory()
        let response = try ProjectResponse(
            CallbackParameters(encoded: "state=state-of-the-project&code=c2".utf8), to: flow)
        project.on(
            "/v1/accounts:signInWithIdp",
            .json([
                "localId": "uid-2", "idToken": .string(try project.idToken { $0["sub"] = "uid-2" }),
                "refreshToken": "r2",
            ]))
        await #expect(throws: AccountConflict.userMismatch) {
            try await directory.reauthenticate(directory.presented(response, now: now), as: "uid-1")
        }
        #expect(try sent("/v1/accounts:signInWithIdp")["autoCreate"] == false)
        #expect(
            try await directory.sessionStore.session(account: "uid-1", provider: "firebase")?.refreshToken?.revealed()
                == "refresh-token-0001")
    }

    @Test func `the profile, tenant and provider token in the project's response are used`() async throws {
        let flow = try await begin(
            "microsoft.com", page: "https://login.microsoftonline.com/common/oauth2/v2.0/authorize?state=s")
        project.signsIn(try project.idToken())
        let tenant = Base64URL.encode(Array(#"{"tid":"72f988bf-86f1-41af-91ab-2d7cd011db47"}"#.utf8))
        project.on(
            "/v1/accounts:signInWithIdp",
            .json([
                "localId": "uid-1", "idToken": .string(try project.idToken()), "refreshToken": "r",
                "federatedId": "oid-1",
                "rawUserInfo": #"{"mail":"ada@example.com","n":1}"#, "oauthAccessToken": "EwB-graph-token",
                "oauthExpireIn": 3599, "oauthIdToken": .string("e30.\(tenant)."), "email": "ada@example.com",
            ]))
        let directory = bench.directory()
        let response = try ProjectResponse(CallbackParameters(encoded: "state=s&code=c".utf8), to: flow)
        let entry = try await directory.signIn(directory.presented(response, now: now), now: now)
        #expect(entry.credential.profile == ["mail": "ada@example.com", "n": 1])
        #expect(entry.credential.identity.tenantID == "72f988bf-86f1-41af-91ab-2d7cd011db47")
        let session = try #require(
            try await directory.sessionStore.session(account: "uid-1", provider: "microsoft.com"))
        #expect(session.accessToken?.revealed() == "EwB-graph-token" && session.expiresAt == now + 3599)
        #expect(!session.isRenewable && session.source == .project)
    }

    @Test func `the provider's ID token from the project is stored with its expiry`() async throws {
        let flow = try await begin(
            "microsoft.com", page: "https://login.microsoftonline.com/common/oauth2/v2.0/authorize?state=s")
        let token = ProjectDouble.unsignedToken { $0["exp"] = JSONValue(ProjectDouble.now + 1800) }
        project.on(
            "/v1/accounts:signInWithIdp",
            .json([
                "localId": "uid-1", "idToken": .string(try project.idToken()), "refreshToken": "r",
                "federatedId": "oid-1", "oauthAccessToken": "EwB-graph-token", "oauthIdToken": .string(token),
            ]))
        let directory = bench.directory()
        let response = try ProjectResponse(CallbackParameters(encoded: "state=s&code=c".utf8), to: flow)
        _ = try await directory.signIn(directory.presented(response, now: now), now: now)
        let session = try #require(
            try await directory.sessionStore.session(account: "uid-1", provider: "microsoft.com"))
        #expect(session.idToken?.revealed() == token && session.idTokenExpiresAt == now + 1800)
    }

    @Test func `the project revokes Apple's refresh token before the account is deleted`() async throws {
        project.signsIn(try project.idToken())
        project.on(
            "/v1/accounts:lookup",
            .json([
                "users": [
                    ["localId": "uid-1", "providerUserInfo": [["providerId": "apple.com", "rawId": "000792.a"]]]
                ]
            ]))
        project.on("/v2/accounts:revokeToken", .json([:]))
        project.on("/v1/accounts:delete", .json([:]))
        let directory = bench.directory()
        _ = try await directory.signIn(bench.credential("apple.com"), now: now)
        try await directory.delete("uid-1", now: now)
        let body = try sent("/v2/accounts:revokeToken")
        #expect(
            body["providerId"] == "apple.com" && body["tokenType"] == "REFRESH_TOKEN" && body["token"] == "refresh-1")
        #expect(project.requests.suffix(2).map(\.url.path) == ["/v2/accounts:revokeToken", "/v1/accounts:delete"])
        #expect(bench.notes.all.isEmpty)
        #expect(try await directory.sessionStore.account(uid: "uid-1") == nil)
    }

    @Test(
        arguments: [
            (nil, ["localhost", "demo-project.firebaseapp.com"], true), (nil, ["demo-project.firebaseapp.com"], false),
            ("https://signin.example.com/cb", ["localhost", "signin.example.com"], true),
            ("https://signin.example.com/cb", ["example.com"], false),
        ] as [(String?, [String], Bool)])
    func `the doctor reports whether the redirect URI's domain is authorized at the project`(
        redirectURI: String?, domains: [String], isAuthorized: Bool
    ) async throws {
        project.on("/v1/projects", .json(["projectId": "1234567890", "authorizedDomains": JSONValue(domains)]))
        let settings = FirebaseSettings(apiKey: "the-api-key", projectID: "demo-project", redirectURI: redirectURI)
        let services = Services(transport: project, clock: Clock(now: { ProjectDouble.now }))
        let result = try await ProjectCheck(services: services).run(FirebaseProject(settings: settings))
        #expect(result.isAuthorized == isAuthorized)
        let request = try #require(project.requests.last)
        #expect(
            request.method == .get
                && request.headers.contains { $0.name == "X-Goog-Api-Key" && $0.value == "the-api-key" })
    }

    @Test func `calls that the emulator does not implement are reported and do not prevent a deletion`() async throws {
        let body: JSONObject = ["error": ["code": 501, "message": "not implemented", "status": "NOT_IMPLEMENTED"]]
        project.on("/v1/accounts:createAuthUri", .json(body, status: 501))
        let directory = bench.directory()
        do {
            _ = try await directory.begin(
                "google.com", continueURI: Self.callback, responseMode: .query, scopes: [], parameters: [],
                random: .openSSL)
            Issue.record("the emulator returned an authorization URL")
        } catch {
            #expect(error == FirebaseError.noSuchCall(call: "/v1/accounts:createAuthUri"))
            #expect(error.code == .unsupported)
        }
        project.signsIn(try project.idToken())
        project.on(
            "/v1/accounts:lookup",
            .json([
                "users": [
                    ["localId": "uid-1", "providerUserInfo": [["providerId": "apple.com", "rawId": "000792.a"]]]
                ]
            ]))
        project.on("/v2/accounts:revokeToken", .json(body, status: 501))
        project.on("/v1/accounts:delete", .json([:]))
        _ = try await directory.signIn(bench.credential("apple.com"), now: now)
        try await directory.delete("uid-1", now: now)
        #expect(bench.notes.all == [.notRevoked(provider: "apple.com", because: .notEmulated)])
    }

    @Test func `random callbacks do not crash the parser, and accepted callbacks contain the state`() throws {
        var generator = SeededGenerator(seed: 61)
        let flow = try ProjectFlow(
            "google.com", page: "https://accounts.google.com/?state=abc", isEmulated: false,
            continueURI: Self.callback, responseMode: .query, sessionID: ProjectSessionID("s"), scopes: [])
        let parts = [
            "state", "=", "&", "abc", "code", "error", "denied", "%", "%61bc", "\u{0}", "#", "?", "+", "x",
            "state=abc&", "code=x&",
        ]
        var acceptedCount = 0
        for _ in 0..<Fuzz.iterations(5_000) {
            let text = (0..<Int.random(in: 0...12, using: &generator)).map { _ in
                parts.randomElement(using: &generator) ?? ""
            }.joined()
            let parameters = CallbackParameters(encoded: text.utf8)
            let response = try? ProjectResponse(parameters, to: flow)
            guard let response else { continue }
            #expect(parameters.pairs.contains { $0.name == "state" && $0.value == "abc" })
            #expect(response.requestURI == "\(Self.callback)?\(text)")
            acceptedCount += 1
        }
        #expect(acceptedCount > 100, "\(acceptedCount)")
    }
}
