import AuthCoreTesting
import TestSupport
import Testing

@testable import AuthCore

@Suite struct `Provider rules` {
    private func builtIn(_ id: String, base: String? = nil) throws -> Provider {
        try Provider(builtIn: id, clientID: "client-1", baseURL: base.map { try HTTPURL($0) })
    }

    private func identity(
        _ id: String, base: String? = nil, claims: JSONObject = [:], api: JSONObject? = nil, user: JSONObject? = nil
    ) throws -> Identity {
        let provider = try builtIn(id, base: base)
        return try provider.identity(authority: provider.issuer.text, claims: claims, userInfo: api, user: user)
    }

    // MARK: Base URLs

    @Test func `a base URL replaces the origin of endpoints, issuer and API, and keeps the paths`() throws {
        for (id, _) in Dialect.builtIn {
            let original = try #require(try builtIn(id).fixedMetadata())
            let moved = try #require(try builtIn(id, base: "https://moved.example:8443/").fixedMetadata())
            let pairs =
                [
                    (original.authorizationEndpoint, moved.authorizationEndpoint),
                    (original.tokenEndpoint, moved.tokenEndpoint),
                ]
                + [
                    (original[.userInfo], moved[.userInfo]),
                    (original[.revocation], moved[.revocation]),
                    (original[.endSession], moved[.endSession]),
                    (original[.deviceAuthorization], moved[.deviceAuthorization]),
                ].compactMap { before, after in before.flatMap { b in after.map { (b, $0) } } }
            for (before, after) in pairs {
                #expect(before.isSecure && before.origin != after.origin)
                #expect(after.text == "https://moved.example:8443" + before.path)
            }
            #expect(moved.keySetURLs.allSatisfy { $0.origin == "https://moved.example:8443" })
            #expect(moved.issuer.hasPrefix("https://moved.example:8443"))
            let api = try #require(try builtIn(id, base: "https://moved.example:8443").apiRoot())
            #expect(api.origin == "https://moved.example:8443")
        }
        #expect(try builtIn("github.com", base: "https://ghe.example").apiRoot()?.text == "https://ghe.example/api/v3")
    }

    @Test func `An enterprise on GHE.com has hosts like those of github.com`() throws {
        let provider = try builtIn("github.com", base: "https://corp.ghe.com")
        let metadata = try #require(try provider.fixedMetadata())
        #expect(try provider.apiRoot()?.text == "https://api.corp.ghe.com")
        #expect(metadata.tokenEndpoint.text == "https://corp.ghe.com/login/oauth/access_token")
        func allows(_ url: String, _ use: Provider.TokenUse) throws -> Bool {
            provider.allows(try HTTPURL(url), for: use)
        }
        #expect(try allows("https://api.corp.ghe.com/user", .api) && allows("https://uploads.corp.ghe.com/", .api))
        #expect(
            try allows("https://corp.ghe.com/corp/app", .git) && allows("https://containers.corp.ghe.com/", .registry))
        #expect(try !allows("https://api.github.com/user", .api) && !allows("https://api.other.ghe.com/user", .api))
    }

    @Test func `K10: identities at different base URLs differ, except for a trailing slash`() throws {
        let person: JSONObject = ["id": 583231]
        let keys = try [nil, "https://ghe.example", "https://ghe.example/", "https://other.example"].map {
            try identity("github.com", base: $0, api: person).key
        }
        #expect(Set(keys).count == 3)
        #expect(keys[1] == keys[2])
        #expect(keys.allSatisfy { $0.federatedID == "583231" })
    }

    @Test func `a built-in provider cannot have an issuer, and another provider cannot have a base URL`() throws {
        #expect(throws: ProviderError.invalid(setting: "github.com: issuer", .builtIn)) {
            try Provider(ProviderID("github.com"), issuer: "https://evil.example", baseURL: nil, clientID: "c")
        }
        #expect(throws: ProviderError.invalid(setting: "oidc.a: base_url", .onlyForBuiltIn)) {
            try Provider(
                ProviderID("oidc.a"), issuer: "https://a.example", baseURL: "https://b.example", clientID: "c")
        }
    }

    @Test(arguments: [
        ("github.com", "https://api.github.com/user", true), ("github.com", "https://github.com/user", false),
        ("github.com", "https://api.github.com.evil.example/", false), ("github.com", "http://api.github.com/", false),
        ("github.com", "https://api.github.com:8443/", false), ("github.com", "https://graph.microsoft.com/", false),
        ("google.com", "https://www.googleapis.com/x", true), ("google.com", "https://gmail.googleapis.com/x", true),
        ("google.com", "https://googleapis.com.evil.example/", false),
        ("google.com", "https://evilgoogleapis.com/", false),
        ("google.com", "https://gmail.googleapis.com:444/", false), ("apple.com", "https://appleid.apple.com/", false),
        ("microsoft.com", "https://graph.microsoft.com/v1.0/me", true),
        ("twitter.com", "https://api.x.com/2/users/me", true),
        ("facebook.com", "https://graph.facebook.com/v23.0/me", true),
    ])
    func `a token is sent only to its provider's API hosts`(id: String, url: String, isAllowed: Bool) throws {
        #expect(try builtIn(id).allows(try HTTPURL(url), metadata: nil) == isAllowed)
    }

    @Test func `a provider with a base URL does not send tokens to its default API hosts`() throws {
        let moved = try builtIn("google.com", base: "https://moved.example")
        #expect(moved.allows(try HTTPURL("https://moved.example/x"), metadata: nil))
        #expect(!moved.allows(try HTTPURL("https://www.googleapis.com/x"), metadata: nil))
        var named = moved
        named.apiHosts = ["api.example"]
        #expect(named.allows(try HTTPURL("https://api.example/x"), metadata: nil))
        #expect(!named.allows(try HTTPURL("https://sub.api.example/x"), metadata: nil))
    }

    // MARK: Issuers

    private static let tenant = "72f988bf-86f1-41af-91ab-2d7cd011db47"
    private static let personal = Microsoft.personalTenant

    private func accepted(
        _ tenantOfEntry: String, iss: String, tid: String?,
        key: String? = "https://login.microsoftonline.com/{tenantid}/v2.0"
    ) throws -> Bool {
        var provider = try builtIn("microsoft.com")
        provider.tenant = tenantOfEntry
        let rule = try #require(try provider.fixedMetadata()).issuers
        return rule.issuer(of: iss, tenant: tid, keyIssuer: key) != nil
    }

    private func issuer(_ tenant: String) -> String { "https://login.microsoftonline.com/\(tenant)/v2.0" }

    @Test func `D27: a tenant's issuer is accepted only if the token's tid and the key's issuer match it`() throws {
        let (own, other) = (Self.tenant, "11111111-2222-3333-4444-555555555555")
        #expect(try accepted("common", iss: issuer(own), tid: own))
        #expect(try accepted("common", iss: issuer(own), tid: own, key: issuer(own)))
        #expect(try accepted("common", iss: issuer(own), tid: own, key: nil))
        #expect(try !accepted("common", iss: issuer(own), tid: own, key: issuer(other)), "another tenant's key")
        #expect(try !accepted("common", iss: issuer(own), tid: other), "tid is not the issuer's")
        #expect(try !accepted("common", iss: issuer(own), tid: nil), "no tid")
        #expect(try !accepted("common", iss: issuer("{tenantid}"), tid: "{tenantid}"), "the template itself")
        #expect(try !accepted("common", iss: issuer("contoso.com"), tid: "contoso.com"), "not a GUID")
        #expect(try !accepted("common", iss: issuer(own.uppercased()), tid: own.uppercased()), "upper case")
        #expect(try !accepted("common", iss: issuer(own) + "/", tid: own))
        #expect(try !accepted("common", iss: "https://login.microsoftonline.com.evil.example/\(own)/v2.0", tid: own))
        #expect(try !accepted("common", iss: "https://sts.windows.net/\(own)/", tid: own), "version 1")
    }

    @Test func `each tenant setting accepts only the tenants that it names`() throws {
        let (own, personal) = (Self.tenant, Self.personal)
        for (entry, accepts) in [
            ("common", (true, true)), ("organizations", (true, false)), ("consumers", (false, true)),
            (own, (true, false)), ("11111111-2222-3333-4444-555555555555", (false, false)),
        ] {
            #expect(try accepted(entry, iss: issuer(own), tid: own) == accepts.0, "\(entry)")
            #expect(try accepted(entry, iss: issuer(personal), tid: personal) == accepts.1, "\(entry)")
        }
    }

    @Test func `both spellings of Google's issuer are accepted as one issuer`() throws {
        let rule = try #require(try builtIn("google.com").fixedMetadata()).issuers
        for spelling in ["https://accounts.google.com", "accounts.google.com"] {
            #expect(rule.issuer(of: spelling, tenant: nil, keyIssuer: nil) == "https://accounts.google.com")
        }
        for other in ["http://accounts.google.com", "https://accounts.google.com/", "https://Accounts.google.com"] {
            #expect(rule.issuer(of: other, tenant: nil, keyIssuer: nil) == nil)
        }
    }

    @Test func `GitHub accepts no ID token issuer, and only its own origin as the 'iss' parameter`() throws {
        let rule = try #require(try builtIn("github.com").fixedMetadata()).issuers
        #expect(rule.issuer(of: "https://github.com", tenant: nil, keyIssuer: nil) == nil)
        #expect(rule.matches("https://github.com/login/oauth"))
        #expect(!rule.matches("https://github.com.evil.example/login/oauth"))
    }

    @Test func `Facebook has key sets on two hosts, but on only one host with a base URL`() throws {
        #expect(
            try builtIn("facebook.com").fixedMetadata()?.keySetURLs.map(\.host) == [
                "www.facebook.com", "limited.facebook.com",
            ])
        #expect(try builtIn("facebook.com", base: "https://moved.example").fixedMetadata()?.keySetURLs.count == 1)
    }

    // MARK: Subjects

    @Test func `a GitHub email is verified only if it is the primary verified email on github.com`() throws {
        func person(_ primary: Bool, _ verified: Bool) -> JSONObject {
            [
                "id": 1, "login": "octocat", "email": "public@example.com",
                "emails": [["email": "a@example.com", "primary": .bool(primary), "verified": .bool(verified)]],
            ]
        }
        let good = try identity("github.com", api: person(true, true))
        #expect(good.email == "a@example.com" && good.isEmailVerified && good.displayName == "octocat")
        let unverified = try identity("github.com", api: person(true, false))
        #expect(unverified.email == "a@example.com" && !unverified.isEmailVerified)
        let secondary = try identity("github.com", api: person(false, true))
        #expect(secondary.email == "public@example.com" && !secondary.isEmailVerified)
        #expect(try !identity("github.com", base: "https://ghe.example", api: person(true, true)).isEmailVerified)
    }

    @Test(arguments: [#"{"id":"583231"}"#, #"{"id":0}"#, #"{"id":-1}"#, #"{"id":1.5}"#, #"{"login":"octocat"}"#])
    func `a GitHub identifier that is not a positive integer is refused`(json: String) throws {
        let person = try StrictJSON.object(Array(json.utf8))
        #expect(throws: OAuthError.invalidResponse(.malformed("id", isNot: .number), at: .profile)) {
            try identity("github.com", api: person)
        }
    }

    @Test(arguments: [#"{"id":1495026350000000000}"#, #"{"id":"12a"}"#, #"{"id":""}"#, #"{"name":"x"}"#])
    func `an X identifier is accepted only as a string of digits`(json: String) throws {
        let person = try StrictJSON.object(Array(json.utf8))
        #expect(throws: OAuthError.invalidResponse(.malformed("id", isNot: .digits), at: .profile)) {
            try identity("twitter.com", api: person)
        }
        #expect(
            try identity("twitter.com", api: ["id": "18446744073709551615"]).key.federatedID == "18446744073709551615")
    }

    @Test(arguments: [
        ("true", true), (#""true""#, true), (#""false""#, false), ("false", false), ("1", false), (#""TRUE""#, false),
        ("null", false),
    ])
    func `D34: Apple's Boolean claims are accepted as true or as the string 'true'`(json: String, isTrue: Bool) throws {
        let claims = try StrictJSON.object(
            Array(
                #"{"sub":"000792.a.0638","email":"a@example.com","email_verified":\#(json),"is_private_email":\#(json)}"#
                    .utf8))
        let person = try identity("apple.com", claims: claims)
        #expect(person.isEmailVerified == isTrue && person.isPrivateRelay == isTrue)
    }

    @Test func `Apple's 'user' parameter provides a name but not an email address`() throws {
        let user: JSONObject = ["name": ["firstName": "Ada", "lastName": "Lovelace"], "email": "evil@example.com"]
        let person = try identity("apple.com", claims: ["sub": "s"], user: user)
        #expect(person.displayName == "Ada Lovelace" && person.email == nil)
        #expect(try identity("apple.com", claims: ["sub": "s"], user: ["name": "Ada"]).displayName == nil)
    }

    @Test func `an Apple relay address is recognized by its host`() throws {
        #expect(
            try identity("apple.com", claims: ["sub": "s", "email": "x@privaterelay.appleid.com"]).isPrivateRelay)
    }

    @Test(arguments: [
        ("true", true), ("1", true), (#""1""#, true), (#""true""#, true), ("false", false), (#""0""#, false),
        ("null", false),
    ])
    func `a Microsoft email is verified only if xms_edov is true`(json: String, isVerified: Bool) throws {
        let text =
            #"{"tid":"\#(Self.tenant)","oid":"o","email":"a@example.com","email_verified":true,"xms_edov":\#(json)}"#
        let person = try identity("microsoft.com", claims: try StrictJSON.object(Array(text.utf8)))
        #expect(person.isEmailVerified == isVerified)
    }

    @Test func `an unpadded identifier of a personal Microsoft account is padded`() throws {
        for spelling in ["4b2e0c7d9a1f3e55", "4B2E0C7D9A1F3E55", "00000000-0000-0000-4b2e-0c7d9a1f3e55"] {
            let person = try identity(
                "microsoft.com", claims: ["tid": .string(Self.personal), "oid": .string(spelling)])
            #expect(person.key.federatedID == "00000000-0000-0000-4b2e-0c7d9a1f3e55")
        }
        #expect(throws: IDTokenRejection.claim("oid")) {
            try identity("microsoft.com", claims: ["tid": .string(Self.tenant)])
        }
    }

    @Test func `Google's verified email is trusted, but Facebook's and X's are not`() throws {
        let claims: JSONObject = ["sub": "1", "email": "a@example.com", "email_verified": true]
        #expect(try identity("google.com", claims: claims).isEmailVerified)
        #expect(try !identity("facebook.com", claims: claims).isEmailVerified)
        #expect(
            try !identity("twitter.com", api: ["id": "1", "confirmed_email": "a@example.com", "email_verified": true])
                .isEmailVerified)
    }

    @Test func `Facebook Limited Login and the code flow give the same identity`() throws {
        let token = try identity("facebook.com", claims: ["sub": "10158"])
        let graph = try identity("facebook.com", api: ["id": "10158"])
        #expect(token.key == graph.key)
    }

    // MARK: Scopes

    @Test(arguments: [
        ("github.com", "user", "user:email", true), ("github.com", "repo", "public_repo", true),
        ("github.com", "admin:org", "read:org", true), ("github.com", "read:org", "admin:org", false),
        ("github.com", "write:org", "read:packages", false), ("github.com", "user:email", "user", false),
        ("google.com", "https://www.googleapis.com/auth/userinfo.email", "email", true),
        ("google.com", "openid", "email", false),
        ("microsoft.com", "https://graph.microsoft.com/User.Read", "user.read", true),
        ("microsoft.com", "openid", "offline_access", true), ("microsoft.com", "openid", "Mail.Read", false),
        ("twitter.com", "tweet.read", "users.email", false),
    ])
    func `a requested scope counts as granted by the provider's scope rules`(
        id: String, granted: String, requested: String, isGranted: Bool
    ) throws {
        #expect(try builtIn(id).missing([requested], granted: [granted]).isEmpty == isGranted)
    }

    // MARK: Presets of OpenID Providers

    private func preset(_ preset: Dialect.Preset) throws -> Provider {
        Provider(id: "oidc.a", issuer: try HTTPURL("https://a.example"), clientID: "c", preset: preset)
    }

    @Test func `Okta and Auth0 have a redirect URI with a fixed port and request offline_access`() throws {
        for name in [Dialect.Preset.okta, .auth0] {
            let provider = try preset(name)
            #expect(provider.defaultRedirectURI == "http://127.0.0.1:8400/callback/oidc.a")
            #expect(provider.scopes.contains("offline_access"))
        }
        #expect(try preset(.keycloak).defaultRedirectURI == "http://127.0.0.1:PORT/callback/oidc.a")
    }

    @Test func `Cognito sends Booleans as strings, and its logout URI is a localhost URI named logout_uri`() throws {
        var provider = try preset(.cognito)
        provider.trustsEmail = true
        let userInfo: JSONObject = ["sub": "s", "email": "a@example.com", "email_verified": "true"]
        #expect(try provider.identity(authority: "a", claims: ["sub": "s"], userInfo: userInfo).isEmailVerified)
        provider.trustsEmail = false
        #expect(try !provider.identity(authority: "a", claims: ["sub": "s"], userInfo: userInfo).isEmailVerified)
        #expect(provider.logoutRedirectURI == "http://localhost:8400/callback/oidc.a")
        #expect(provider.dialect.logoutRedirectName == "logout_uri")
        #expect(try preset(.okta).logoutRedirectURI == nil)
    }

    @Test func `a refresh at GitLab sends the redirect URI again`() async throws {
        let double = try TestProvider()
        let provider = Provider(
            id: "oidc.gitlab", issuer: try HTTPURL(TestProvider.issuer), clientID: TestProvider.clientID,
            preset: .gitlab)
        let client = try await ProviderClient.resolve(
            provider, keys: ClientKeys(),
            services: Services(transport: double, clock: Clock(now: { TestProvider.now })))
        _ = try await client.tokenEndpoint().refresh(RefreshToken("refresh-token-1"))
        let body = String(decoding: try #require(double.requests(to: "/token").first?.body), as: UTF8.self)
        #expect(body.contains("redirect_uri=http%3A%2F%2F127.0.0.1%2Fcallback"))
    }

    @Test(
        arguments: [
            (#"{"app":{"client_id":"c"},"user":{"id":7}}"#, nil),
            (#"{"app":{"client_id":"other"},"user":{"id":7}}"#, .otherClient), (#"{"user":{"id":7}}"#, .otherClient),
            (#"{"app":{"client_id":"c"},"user":{"id":8}}"#, .invalid(nil)),
        ] as [(String, CredentialError?)])
    func `GitHub must report that an access token is this client's and this user's`(
        response: String, error: CredentialError?
    ) async throws {
        let double = try TestProvider()
        double.on("/api/v3/applications/c/token") { _ throws(HTTPError) in .text(response) }
        double.on("/api/v3/user") { _ throws(HTTPError) in .text(#"{"id":7}"#) }
        let client = try await ProviderClient.resolve(
            try Provider(builtIn: "github.com", clientID: "c", baseURL: try HTTPURL(TestProvider.issuer)),
            keys: ClientKeys(secret: ClientSecret("the-client-secret")),
            services: Services(transport: double, clock: Clock(now: { TestProvider.now })))
        let run = try SignInRun.good(double)
        let signIn = SignInWithAccessToken(client: client, directory: run.directory)
        guard let error else {
            #expect(try await signIn.run(AccessToken("gho_1")).account.providerData.map(\.key.federatedID) == ["7"])
            return
        }
        await #expect(throws: error) { try await signIn.run(AccessToken("gho_1")) }
        #expect(try await run.directory.sessionStore.accounts().isEmpty)
    }

    // MARK: Personal access tokens

    @Test(arguments: [
        ("ghp_abc", true), ("github_pat_abc", true), ("gho_abc", false), ("ghu_abc", false), ("GHP_abc", false),
        ("", false), (String(repeating: "0", count: 40), false),
    ])
    func `GitHub personal access tokens are recognized by their prefixes`(text: String, isPersonal: Bool) throws {
        #expect(try GitHub.isPersonal(AccessToken(text)) == isPersonal)
    }

    @Test func `GitHub installation tokens and refresh tokens are refused`() {
        #expect(throws: CredentialError.installationToken) { try GitHub.isPersonal(AccessToken("ghs_abc")) }
        #expect(throws: CredentialError.refreshToken) { try GitHub.isPersonal(AccessToken("ghr_abc")) }
    }

    @Test(
        arguments: [
            ("2026-12-31 23:59:59 UTC", 1_798_761_599), ("2026-12-31 23:59:59 +0000", 1_798_761_599),
            ("2026-12-31 23:59:59 +0200", 1_798_754_399), ("2026-12-31 23:59:59 -0330", 1_798_774_199),
        ] as [(String, Int64)])
    func `the expiry of a personal access token is parsed with its time zone`(text: String, seconds: Int64) {
        #expect(GitHub.time(text) == seconds)
    }

    @Test(arguments: [
        "", "UTC", "2026-12-31", "2026-12-31 23:59:59", "2026-12-31 23:59:59 GMT", "2026-12-31 23:59:59  UTC",
        "2026-12-31 23:59:59 UTC ", "2026-02-30 23:59:59 UTC", "2026-12-31 24:00:00 UTC", "2026-12-31 23:59:59 0200",
        "2026-12-31 23:59:59 00200", "2026-12-31 23:59:59 +2400", "2026-12-31 23:59:59 +0160",
        "2026-12-31 23:59:59 +02:00", "2026-12-31 23:59:59 +02", "2026-12-31T23:59:59Z", "12026-12-31 23:59:59 UTC",
        "2026-12-31 23:59:59 +99999999999999999999",
    ])
    func `a malformed expiry of a personal access token is ignored`(text: String) {
        #expect(GitHub.time(text) == nil)
    }

    @Test func `scopes and expiry of a personal access token come from one request, without malformed values`()
        async throws
    {
        let double = try TestProvider()
        func checked(_ headers: [(name: String, value: String)]) async throws -> CheckedPersonalToken {
            double.on("/user") { _ throws(HTTPError) in
                HTTPResponse(
                    status: 200, headers: [(name: "content-type", value: "application/json")] + headers,
                    body: Array(#"{"id":7}"#.utf8))
            }
            return try await GitHub.checkPersonalToken(
                ProviderAPI(
                    root: try HTTPURL(TestProvider.issuer), clientID: "", secret: nil,
                    accessToken: AccessToken("ghp_1"), transport: double, clock: Clock(now: { TestProvider.now })))
        }
        let good = try await checked([
            (name: "X-OAuth-Scopes", value: "repo, user:email"),
            (name: "GitHub-Authentication-Token-Expiration", value: "2026-12-31 23:59:59 UTC"),
        ])
        #expect(good.scopes == ["repo", "user:email"] && good.expiresAt == 1_798_761_599 && good.person["id"] == 7)
        #expect(double.requests(to: "/user").count == 1)
        let bare = try await checked([])
        #expect(bare.scopes.isEmpty && bare.expiresAt == nil)
        let malformed = try await checked([
            (name: "X-OAuth-Scopes", value: "re\"po, user\u{1B}[31m, \u{FC}ser, gist"),
            (name: "GitHub-Authentication-Token-Expiration", value: "tomorrow"),
        ])
        #expect(malformed.scopes == ["gist"] && malformed.expiresAt == nil)
    }

    @Test func `a client without a client ID has an API but no token endpoint`() async throws {
        let services = Services(transport: try TestProvider(), clock: Clock(now: { TestProvider.now }))
        let client = try await ProviderClient.resolve(
            try Provider(builtIn: "github.com", clientID: ""), keys: .init(), services: services)
        #expect(try client.api(AccessToken("ghp_1"), scopes: [])?.root.text == "https://api.github.com")
        #expect(throws: ProviderError.notConfigured("github.com")) { try client.tokenEndpoint() }
    }

    @Test(arguments: ["?page=2", "/user?page=2", "user?page=2", "https://id.example.com/user?page=2"])
    func `the URL of the next page may be relative (RFC 8288 section 3.1)`(target: String) async throws {
        let double = try TestProvider()
        double.on("/user") { _ throws(HTTPError) in
            HTTPResponse(
                status: 200, headers: [(name: "link", value: "<\(target)>; rel=\"next\"")], body: Array("{}".utf8))
        }
        let api = ProviderAPI(
            root: try HTTPURL(TestProvider.issuer), clientID: "c", secret: nil, accessToken: AccessToken("token-1"),
            transport: double, clock: Clock(now: { TestProvider.now }))
        #expect(try await api.send(to: "/user").next?.text == "https://id.example.com/user?page=2")
    }

    // MARK: Mutated input

    @Test func `mutated Link headers do not crash the parser or lead to a page at another origin`() async throws {
        var random = SeededGenerator(seed: 31)
        let double = try TestProvider()
        let good =
            #"<https://id.example.com/user/emails?page=2>; rel="next", <https://id.example.com/e?page=9>; rel="last""#
        var nextCount = 0
        for _ in 0..<Fuzz.iterations(300) {
            var text = Array(good.unicodeScalars)
            for _ in 0..<Int.random(in: 0...3, using: &random) {
                text[Int.random(in: 0..<text.count, using: &random)] =
                    Unicode.Scalar(UInt8.random(in: 0x20...0x7E, using: &random))
            }
            let link = String(String.UnicodeScalarView(text))
            double.on("/user") { _ throws(HTTPError) in
                HTTPResponse(
                    status: 200,
                    headers: [(name: "content-type", value: "application/json"), (name: "link", value: link)],
                    body: Array("{}".utf8))
            }
            let api = ProviderAPI(
                root: try HTTPURL(TestProvider.issuer), clientID: "c", secret: nil,
                accessToken: AccessToken("token-1"),
                transport: double, clock: Clock(now: { TestProvider.now }))
            let page = try await api.send(to: "/user")
            guard let next = page.next else { continue }
            #expect(next.origin == "https://id.example.com:443")
            nextCount += 1
        }
        #expect(nextCount > 80, "\(nextCount)")
    }

    @Test func `a Microsoft issuer with any byte changed is refused`() throws {
        let rule = TenantIssuers(template: "https://login.microsoftonline.com/{tenantid}/v2.0", allowed: .every)
        let good = rule.issuer(of: Self.tenant)
        #expect(rule.tenant(of: good) == Self.tenant)
        for index in good.utf8.indices.enumerated() {
            var bytes = Array(good.utf8)
            bytes[index.offset] = UInt8(ascii: "/") == bytes[index.offset] ? UInt8(ascii: "x") : UInt8(ascii: "/")
            let changed = String(decoding: bytes, as: UTF8.self)
            #expect(!rule.accepts(changed, tenant: Self.tenant, keyIssuer: nil))
            #expect(rule.tenant(of: changed) == nil)
        }
    }

    // MARK: Sessions

    @Test func `a session is refreshed only with its own issuer`() async throws {
        let services = Services(transport: try TestProvider(), clock: Clock(now: { TestProvider.now }))
        func session(_ issuer: String) -> Session {
            Session(
                Grant(
                    providerID: "github.com", issuer: issuer, clientID: "c", tokens: Tokens(tokenOrigin: issuer),
                    subject: "1", lastProvenAt: 0, source: .browser), of: "u")
        }
        let client = try await ProviderClient.resolve(
            try builtIn("github.com", base: "https://ghe.example"), keys: .init(), services: services)
        _ = try client.renewing(session("https://ghe.example"))
        #expect(throws: NotSignedIn.otherIssuer(provider: "github.com", issuer: "https://github.com")) {
            try client.renewing(session("https://github.com"))
        }
        var microsoft = try builtIn("microsoft.com")
        microsoft.tenant = "common"
        let common = try await ProviderClient.resolve(microsoft, keys: .init(), services: services)
        #expect(
            try common.renewing(session(issuer(Self.tenant))).metadata.tokenEndpoint.text
                == "https://login.microsoftonline.com/\(Self.tenant)/oauth2/v2.0/token")
        #expect(
            throws: NotSignedIn.otherIssuer(
                provider: "microsoft.com", issuer: "https://login.microsoftonline.us/x/v2.0")
        ) { try common.renewing(session("https://login.microsoftonline.us/x/v2.0")) }
    }
}
