import AuthCoreTesting
import TestSupport
import Testing

@testable import AuthCore

/// Tokens for one protected resource.
@Suite struct `Tokens for a resource` {
    private static let origin = "https://api.example.com"

    private func sessionStore() async throws -> (LocalDirectory, TemporaryFolder) {
        let folder = try TemporaryFolder()
        let config = ConfigDirectory(path: folder.path + "/config")
        let store = try #require(try Store.open(in: config, host: NonInteractiveVaultHost(), creating: true))
        let directory = LocalDirectory(sessionStore: SessionStore(store: store, profile: "default"))
        for path in [nil, "/", "/a", "/a/b"] {
            let grant = Grant(
                providerID: "oidc.work", issuer: "https://id.example.com", clientID: "c",
                tokens: Tokens(
                    accessToken: AccessToken("token of \(path ?? "nothing")"), refreshToken: RefreshToken("r"),
                    tokenOrigin: "https://id.example.com"),
                subject: "ada", lastProvenAt: 1, source: .browser,
                resource: try path.map { try HTTPURL(Self.origin + $0) })
            let identity = Identity(
                key: IdentityKey(providerID: "oidc.work", authority: "https://id.example.com", federatedID: "ada"),
                email: nil, isEmailVerified: false, displayName: nil, photoURL: nil)
            _ = try await directory.signIn(
                AccountCredential(identity: identity, grant: grant, profile: JSONObject()), now: 1)
        }
        return (directory, folder)
    }

    @Test(arguments: [
        ("/", "/"), ("", "/"), ("/x", "/"), ("/a", "/a"), ("/a/", "/a"), ("/a/x", "/a"), ("/ab", "/"),
        ("/a/b/c?d", "/a/b"),
    ])
    func `a URL gets the token of the longest resource that covers it`(path: String, resource: String) async throws {
        let (directory, folder) = try await sessionStore()
        defer { withExtendedLifetime(folder) {} }
        let choice = try await SessionChoice(directory: directory).choose(
            .init(resource: try HTTPURL(Self.origin + path)))
        #expect(choice.session.accessToken == AccessToken("token of \(resource)"))
    }

    @Test(arguments: [
        ("/mcp/x", true), ("/mcp/a%20b", true), ("/mcp/100%25", true), ("/mcp/v1..2", true), ("/mcp/a;b=c", true),
        ("/mcp/.well-known", true), ("/mcp/%C3%A9", true), ("/mcp//x", true),
        ("/mcp/../x", false), ("/mcp/./x", false), ("/mcp/%2e%2E/x", false), ("/mcp/.%2e", false),
        ("/mcp/..;/x", false), ("/mcp/..;a=b/x", false), ("/mcp/.;/x", false), ("/mcp/..%3b/x", false),
        ("/mcp/%252e%252e/x", false), ("/mcp/%25252e%25252e/x", false), ("/mcp/.%252e;/x", false),
        ("/mcp/%c0%ae%c0%ae/x", false), ("/mcp/%e0%80%ae%e0%80%ae/x", false), ("/mcp/%ff/x", false),
        ("/mcp/..%2fx", false), ("/mcp/a%2fb", false), ("/mcp/a%252fb", false), ("/mcp/..%c0%afx", false),
        ("/mcp/..%5cx", false), ("/mcp/..%255cx", false), ("/mcp/..%00/x", false), ("/mcp/%2e%2e%20/x", false),
        ("/mcp/a%0d%0ab", false), ("/mcp/100%", false), ("/mcp/%u002e%u002e/x", false),
    ])
    func `a resource does not cover a path that a server may interpret as a different path`(path: String, isBelow: Bool)
        throws
    {
        let resource = try HTTPURL(Self.origin + "/mcp")
        let url = try HTTPURL(Self.origin + path)
        #expect(resource.covers(url) == isBelow)
        // A resource with an ambiguous path does not cover itself either.
        #expect(url.covers(url) == isBelow)
    }

    @Test func `a resource's token is not returned without a resource or for another origin`() async throws {
        let (directory, folder) = try await sessionStore()
        defer { withExtendedLifetime(folder) {} }
        let choice = try await SessionChoice(directory: directory).choose(.init(providers: ["oidc.work"]))
        #expect(choice.session.accessToken == AccessToken("token of nothing"))
        for url in ["https://other.example.com/a", "http://api.example.com/a", "https://api.example.com:8443/a"] {
            #expect(
                try await SessionChoice(directory: directory).found(.init(resource: try HTTPURL(url))) == nil)
        }
    }

    @Test func `a sign-in for a resource replaces its session with another provider`() async throws {
        let (directory, folder) = try await sessionStore()
        defer { withExtendedLifetime(folder) {} }
        let choice = SessionChoice(directory: directory)
        let url = try HTTPURL(Self.origin + "/a")
        var grant = try await choice.choose(.init(resource: url)).session.grant
        (grant.providerID, grant.accessToken) = ("oidc.new", AccessToken("new"))
        let identity = try #require(try await directory.sessionStore.accounts().first?.providerData.first)
        _ = try await directory.signIn(
            AccountCredential(identity: identity, grant: grant, profile: JSONObject()), now: 1)
        #expect(try await choice.choose(.init(resource: url)).session.accessToken == AccessToken("new"))
        #expect(try await directory.sessionStore.sessions().map(\.providerID).filter { $0 == "oidc.work" }.count == 3)
    }

    @Test func `a sign-in for the resource is required if status 401 names its metadata and the token was not for it`()
        async throws
    {
        let (directory, folder) = try await sessionStore()
        defer { withExtendedLifetime(folder) {} }
        let choice = SessionChoice(directory: directory)
        let plain = try await choice.choose(.init(providers: ["oidc.work"])).session
        let own = try await choice.choose(.init(resource: try HTTPURL(Self.origin + "/a"))).session
        let request = APIRequest(url: try HTTPURL(Self.origin + "/a?b"))
        func required(_ status: Int, _ challenge: String, _ session: Session) -> NotSignedIn? {
            let response = HTTPResponse(status: status, headers: [(name: "WWW-Authenticate", value: challenge)])
            return request.challenge(in: APIRequest.Response(response: response, session: session))
        }
        let metadata = "resource_metadata=\"https://api.example.com/m\""
        #expect(required(401, "Bearer \(metadata)", plain) == .challenged(url: Self.origin + "/a"))
        #expect(required(403, "Bearer \(metadata)", plain) == nil)
        #expect(required(401, "Basic \(metadata)", plain) == nil)
        #expect(required(401, "Bearer error=\"invalid_token\"", plain) == nil)
        #expect(required(401, "Bearer \(metadata)", own) == nil)
    }

    @Test(arguments: [
        (403, "insufficient_scope", "a", true), (401, "insufficient_scope", "a", true),
        (403, "insufficient_scope", "a c", false), (403, "insufficient_scope", "", false),
        (401, "insufficient_user_authentication", "a", false), (401, "insufficient_user_authentication", "", false),
        (400, "insufficient_scope", "a", nil), (200, "insufficient_user_authentication", "", nil),
    ])
    func `status 401 or 403 requires a step-up, and the token has its scopes if it names scopes that are granted`(
        status: Int, error: String, scopes: String, isGranted: Bool?
    ) {
        let challenge = "Bearer error=\"\(error)\", scope=\"\(scopes)\""
        let stepUp = StepUp(HTTPResponse(status: status, headers: [(name: "WWW-Authenticate", value: challenge)]))
        let needed = stepUp.map {
            StepUpRequired(
                requirement: $0, status: status, providerID: "oidc.work", resource: nil, granted: ["a", "b"],
                accountUID: "ada")
        }
        #expect(needed?.isGranted == isGranted)
    }

    @Test func `an encrypted token cannot be moved to another resource in the database`() async throws {
        let (directory, folder) = try await sessionStore()
        _ = try await SQLiteScript.run(
            [
                "DELETE FROM session WHERE resource = '\(Self.origin)/a/b'",
                "UPDATE session SET resource = '\(Self.origin)/a/b' WHERE resource = '\(Self.origin)/a'",
            ], on: folder.path + "/config/authctl.db")
        await #expect(throws: StoreError.damagedEntry("access token of 'oidc.work https://api.example.com/a/b'")) {
            try await SessionChoice(directory: directory).choose(.init(resource: try HTTPURL(Self.origin + "/a/b")))
        }
    }

    @Test func `R5: the scopes for a resource at Microsoft begin with the resource`() throws {
        let provider = try Provider(builtIn: "microsoft.com", clientID: "c")
        let resource = try HTTPURL("https://api.example.com/")
        #expect(
            provider.scopes(
                of: resource, adding: ["notes.read", "offline_access", "https://graph.microsoft.com/Mail.Read"])
                == [
                    "openid", "profile", "email", "offline_access", "https://api.example.com/notes.read",
                    "https://graph.microsoft.com/Mail.Read",
                ])
        #expect(provider.scopes(of: resource, adding: []).last == "https://api.example.com/.default")
        #expect(provider.dialect.namesResourceInScopes)
    }

    @Test(arguments: [
        ("https://graph.microsoft.com/Mail.Read", [], false), ("api://other/read", [], false),
        ("https://graph.microsoft.com/Mail.Read", ["https://graph.microsoft.com/Mail.Read"], false),
        ("HTTPS://graph.microsoft.com/x", ["HTTPS://graph.microsoft.com/x"], false),
        ("https://evil.example.graph.microsoft.com/x", [], false),
        ("https://evil.example@graph.microsoft.com/x", [], false),
        ("api://own/read", ["api://own/read"], true), ("https://evil.example/read", [], true), ("read", [], true),
    ])
    func `a scope of another API is refused for a resource; the user may agree to one without a host`(
        scope: String, agreed: [String], isFine: Bool
    ) throws {
        let provider = try Provider(builtIn: "microsoft.com", clientID: "c")
        let resource = try HTTPURL("https://evil.example/mcp")
        func check() throws {
            try provider.checkScopes(["openid", scope], for: resource, agreed: agreed)
        }
        if isFine { return try check() }
        let error = ProtectedResourceError.otherScope(
            ServerText(scope), provider: "microsoft.com", resource: resource.text)
        #expect(throws: error) { try check() }
    }

    @Test(arguments: ["google.com", "github.com", "facebook.com", "twitter.com", "oidc.work"])
    func `a resource requires the user's consent to the provider and to the scopes that it chooses`(id: String) throws {
        var provider =
            id == "oidc.work"
            ? Provider(id: id, issuer: try HTTPURL("https://id.example.com"), clientID: "c")
            : try Provider(builtIn: id, clientID: "c")
        let resource = try HTTPURL("https://evil.example/mcp")
        let metadata = try #require(try Provider(builtIn: "google.com", clientID: "c").fixedMetadata())
        func consent(_ scopes: [String], agreed: [String] = [], isNamed: Bool) -> ResourceConsent? {
            provider.consent(to: resource, scopes: scopes, agreed: agreed, isNamed: isNamed, metadata: metadata)
        }
        let identity = ["openid", "profile", "email", "offline_access"]
        func expected(_ scopes: [String], _ unnamed: [String], isNamed: Bool) -> ResourceConsent {
            .token(provider: id, isNamed: isNamed, resource: resource, all: scopes, unnamed: unnamed)
        }
        #expect(consent(identity, isNamed: false) == expected(identity, [], isNamed: false))
        #expect(consent(["admin"], isNamed: false) == expected(["admin"], ["admin"], isNamed: false))
        #expect(consent(identity, isNamed: true) == nil)
        #expect(
            consent(identity + ["admin"], isNamed: true) == expected(identity + ["admin"], ["admin"], isNamed: true))
        #expect(consent(["admin"], agreed: ["admin"], isNamed: true) == nil)
        provider.apiHosts = ["evil.example"]
        #expect(consent(identity, isNamed: false) == nil)
        #expect(consent(["admin"], isNamed: false) == expected(["admin"], ["admin"], isNamed: true))
        provider.apiHosts = []
        let listing = try ProviderMetadata(
            Array(
                #"""
                {"issuer":"https://id.example.com","authorization_endpoint":"https://id.example.com/a",
                "token_endpoint":"https://id.example.com/t","protected_resources":["https://evil.example/mcp"]}
                """#.utf8), issuer: try HTTPURL("https://id.example.com"), zone: nil, needsKeys: false)
        #expect(provider.consent(to: resource, scopes: identity, agreed: [], isNamed: false, metadata: listing) == nil)
        provider.addedForResource = "https://other.example"
        #expect(consent(identity, isNamed: false) == expected(identity, [], isNamed: false))
        provider.addedForResource = "https://evil.example"
        #expect(consent(["admin"], isNamed: false) == nil)
    }

    @Test func `another account's token is used only if the account is named; the error lists the accounts`()
        async throws
    {
        let (directory, folder) = try await sessionStore()
        defer { withExtendedLifetime(folder) {} }
        func identity(_ name: String) -> Identity {
            Identity(
                key: IdentityKey(providerID: "oidc.work", authority: "https://id.example.com", federatedID: name),
                email: nil, isEmailVerified: false, displayName: nil, photoURL: nil)
        }
        func signIn(_ name: String, _ resource: String?) async throws -> String {
            let grant = Grant(
                providerID: "oidc.work", issuer: "https://id.example.com", clientID: "c",
                tokens: Tokens(
                    accessToken: AccessToken("of \(name)"), refreshToken: RefreshToken("r"),
                    tokenOrigin: "https://id.example.com"),
                subject: name, lastProvenAt: 1, source: .browser, resource: try resource.map { try HTTPURL($0) })
            return try await directory.signIn(
                AccountCredential(identity: identity(name), grant: grant, profile: JSONObject()), now: 1
            ).account.uid
        }
        let eve = try await signIn("eve", nil)
        let url = try HTTPURL(Self.origin + "/a")
        let choice = SessionChoice(directory: directory)
        #expect(try await choice.found(.init(resource: url)) == nil)
        let ada = try #require(try await directory.sessionStore.sessions().map(\.accountUID).first { $0 != eve })
        await #expect(throws: NotSignedIn.noSessionForResource(url.text, others: [ada])) {
            try await choice.choose(.init(resource: url))
        }
        let bob = try await signIn("bob", url.text)
        _ = try await signIn("eve", nil)
        await #expect(throws: NotSignedIn.noSessionForResource(url.text, others: [ada, bob].sorted())) {
            try await choice.choose(.init(resource: url))
        }
        #expect(try await choice.choose(.init(account: bob, resource: url)).session.accountUID == bob)
    }

    private static let audiences: [(claims: String?, refused: [String]?)] = [
        (#"{"aud":"https://other.example.com"}"#, ["https://other.example.com"]),
        (#"{"aud":["a","b"]}"#, ["a", "b"]), (#"{"aud":"https://api.example.com/m"}"#, ["https://api.example.com/m"]),
        (#"{"aud":["a","https://api.example.com/mcp"]}"#, nil), (#"{"aud":"https://api.example.com/mcp/"}"#, nil),
        (#"{"aud":"https://api.example.com"}"#, nil), (#"{"sub":"ada"}"#, nil), (nil, nil),
    ]

    @Test(arguments: audiences)
    func `a token whose audience is not the resource is refused and revoked`(claims: String?, refused: [String]?)
        async throws
    {
        let provider = try TestProvider()
        provider.on("/token") { _ throws(HTTPError) in
            var response = provider.tokenResponse()
            if let claims { response["access_token"] = .string(provider.sign(claims)) }
            return .json(response)
        }
        let resource = "https://api.example.com/mcp"
        let run = try SignInRun.good(provider)
        guard let refused else {
            #expect(try await run.run { $0.resource = try? HTTPURL(resource) }.notes == [])
            return
        }
        await #expect(
            throws: OAuthError.invalidResponse(.otherAudience(refused, resource: resource), at: .token)
        ) { try await run.run { $0.resource = try? HTTPURL(resource) } }
        #expect(provider.count(of: "/revoke") == 2)
    }

    @Test func `a refreshed token whose audience is not the resource is refused; the new refresh token is sent next`()
        async throws
    {
        let provider = try TestProvider()
        let resource = try HTTPURL("https://api.example.com/mcp")
        func tokenResponse(for audience: String, refreshToken: String = "r") {
            provider.on("/token") { _ throws(HTTPError) in
                var response = provider.tokenResponse()
                response["access_token"] = .string(provider.sign(#"{"aud":"\#(audience)"}"#))
                response["refresh_token"] = .string(refreshToken)
                return .json(response)
            }
        }
        let run = try SignInRun.good(provider)
        tokenResponse(for: resource.text)
        let uid = try await run.run { $0.resource = resource }.account.uid
        let sessionStore = run.directory.sessionStore
        let before = try await sessionStore.session(account: uid, provider: "oidc.test", resource: resource)?
            .accessToken
        tokenResponse(for: "https://other.example.com", refreshToken: "rotated")
        var request = CurrentToken.Request()
        (request.resource, request.forcesRefresh) = (resource, true)
        let fault = ResponseFault.otherAudience(["https://other.example.com"], resource: resource.text)
        await #expect(throws: OAuthError.invalidResponse(fault, at: .refresh)) {
            _ = try await CurrentToken(try run.sessionServices()).run(request)
        }
        let after = try await sessionStore.session(account: uid, provider: "oidc.test", resource: resource)
        #expect(before != nil && after?.accessToken == before)
        #expect(after?.refreshToken == RefreshToken("r"), "the new one is unproven")
        #expect(provider.count(of: "/revoke") == 1)
        _ = try? await CurrentToken(try run.sessionServices()).run(request)
        let body = try #require(provider.requests(to: "/token").last?.body)
        #expect(FormURLEncoded.decode(body)?.contains { $0.value == "rotated" } == true, "the old one may be invalid")
    }

    @Test(
        arguments: [
            ("https://id.example.com", [], "oidc.id.example.com"),
            ("https://id.example.com:8443/t", [], "oidc.id.example.com-8443"),
            ("https://id.example.com/b", ["oidc.id.example.com"], "oidc.id.example.com-2"),
            ("https://id.example.com/c", ["oidc.id.example.com", "oidc.id.example.com-2"], "oidc.id.example.com-3"),
            // There is room for "-" and five digits.
            ("https://\(String(repeating: "a", count: 63)).com", [], "oidc." + String(repeating: "a", count: 58)),
        ] as [(String, [String], String)])
    func `a new provider configuration gets its ID from the issuer's host`(
        issuer: String, taken: [String], name: String
    ) throws {
        #expect(SignInToResource.name(of: try HTTPURL(issuer), excluding: taken) == name)
        _ = try ProviderID(name)
    }
}
