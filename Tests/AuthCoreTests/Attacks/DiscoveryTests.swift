import AuthCoreTesting
import Synchronization
import Testing

@testable import AuthCore

/// Provider metadata (OpenID Connect Discovery, RFC 8414).
@Suite struct `Discovery documents` {
    private func failure(_ change: (inout JSONObject) -> Void) async throws -> (any Error, TestProvider) {
        let provider = try TestProvider()
        var metadata = provider.metadata
        change(&metadata)
        let changed = metadata
        provider.on("/.well-known/openid-configuration") { _ throws(HTTPError) in .json(changed) }
        return (try await SignInRun.good(provider).failure(), provider)
    }

    private func failure(body: HTTPResponse) async throws -> any Error {
        let provider = try TestProvider()
        provider.on("/.well-known/openid-configuration") { _ throws(HTTPError) in body }
        return try await SignInRun.good(provider).failure()
    }

    @Test(
        arguments: [
            nil, .null, "https://other.example.com", "https://ID.example.com", "https://id.example.com//",
            "https://id.example.com/a", "http://id.example.com",
        ] as [JSONValue?])
    func `F1, A13: metadata with a missing or different issuer is refused before any other request`(issuer: JSONValue?)
        async throws
    {
        let (failure, provider) = try await failure { $0["issuer"] = issuer }
        let found = issuer.map { ServerText($0.string ?? "null") }
        #expect(failure == DiscoveryError.issuerMismatch(expected: TestProvider.issuer, found: found))
        #expect(failure.code == .issuerMismatch)
        #expect(provider.requests(to: "/token").isEmpty && provider.requests(to: "/jwks").isEmpty)
    }

    @Test(arguments: [
        ("https://id.example.com", "https://id.example.com/", true),
        ("https://id.example.com/", "https://id.example.com", true),
        ("https://id.example.com/a", "https://id.example.com/a/", false),
        ("https://id.example.com/a/", "https://id.example.com/a", false),
        ("https://id.example.com?a", "https://id.example.com?a/", false),
        ("https://id.example.com", "https://id.example.com//", false),
    ])
    func `F1: the metadata's issuer may differ from the configured one by a trailing slash if it has no path`(
        configured: String, found: String, isSame: Bool
    ) throws {
        var document = try TestProvider().metadata
        document["issuer"] = .string(found)
        let bytes = Array(JSONValue.object(document).text.utf8)
        let issuer = try HTTPURL(configured)
        guard isSame else {
            #expect(throws: DiscoveryError.issuerMismatch(expected: configured, found: ServerText(found))) {
                try ProviderMetadata(bytes, issuer: issuer, zone: nil)
            }
            return
        }
        let metadata = try ProviderMetadata(bytes, issuer: issuer, zone: nil)
        #expect(metadata.issuer == found && metadata.issuers == .exact(found))
    }

    @Test(arguments: [[], ["HS256"]] as [JSONValue])
    func `metadata without a usable ID token algorithm is refused only if ID tokens are required`(
        algorithms: JSONValue
    ) throws {
        var document = try TestProvider().metadata
        document["id_token_signing_alg_values_supported"] = algorithms
        let bytes = Array(JSONValue.object(document).text.utf8)
        let issuer = try HTTPURL(TestProvider.issuer)
        #expect(throws: DiscoveryError.unsupported(.signedIDTokens)) {
            try ProviderMetadata(bytes, issuer: issuer, zone: nil)
        }
        #expect(try !ProviderMetadata(bytes, issuer: issuer, zone: nil, needsKeys: false).issuesIDTokens)
    }

    @Test(
        arguments: [
            (.null, .missingEndpoint("jwks_uri")), ("", .missingEndpoint("jwks_uri")),
            ("none", .invalidEndpoint("jwks_uri", .notAURL)),
            ("http://id.example.com/jwks", .invalidEndpoint("jwks_uri", .plainHTTP)),
            ("https://10.0.0.1/jwks", .invalidEndpoint("jwks_uri", .privateNetwork)),
            (5, .invalidEndpoint("jwks_uri", .notAString)),
        ] as [(JSONValue, DiscoveryError)])
    func `metadata with an unusable jwks_uri is refused only if ID tokens are required`(
        url: JSONValue, error: DiscoveryError
    ) throws {
        var document = try TestProvider().metadata
        document["jwks_uri"] = url
        let bytes = Array(JSONValue.object(document).text.utf8)
        let issuer = try HTTPURL(TestProvider.issuer)
        #expect(throws: error) { try ProviderMetadata(bytes, issuer: issuer, zone: nil) }
        #expect(try ProviderMetadata(bytes, issuer: issuer, zone: nil, needsKeys: false).keySetURLs.isEmpty)
    }

    @Test(arguments: [("/", "/"), ("", "/"), ("/", "")])
    func `F1: the issuer in the ID token and in the callback must be spelled as in the metadata`(
        token: String, response: String
    ) async throws {
        let provider = try TestProvider()
        var metadata = provider.metadata
        metadata["issuer"] = "https://id.example.com/"
        let changed = metadata
        provider.on("/.well-known/openid-configuration") { _ throws(HTTPError) in .json(changed) }
        provider.claims { $0["iss"] = .string(TestProvider.issuer + token) }
        let run = try SignInRun(provider) { state in
            [
                .query(
                    FormURLEncoded.encode([
                        ("code", TestProvider.code), ("state", state), ("iss", TestProvider.issuer + response),
                    ]))
            ]
        }
        guard token == "/", response == "/" else {
            let failure = try await run.failure()
            let issuer = TestProvider.issuer
            let rejection = IDTokenRejection.issuer(ServerText(issuer), expected: issuer + "/")
            #expect(token == "/" ? failure == OAuthError.issuerMixUp : failure.rejection == rejection)
            return
        }
        let result = try await run.run()
        let session = try await run.directory.sessionStore.session(account: result.account.uid, provider: "oidc.test")
        #expect(session?.issuer == "https://id.example.com/")
    }

    @Test(arguments: [
        ("https://id.example.com/", "/.well-known/openid-configuration"),
        ("https://id.example.com/a", "/a/.well-known/openid-configuration"),
        ("https://id.example.com/a/", "/a/.well-known/openid-configuration"),
    ])
    func `F1: one trailing slash of the issuer is removed before the well-known path is appended`(
        issuer: String, path: String
    ) async throws {
        let provider = try TestProvider()
        let fetcher = DocumentFetcher(
            transport: provider, cache: nil, clock: Clock(now: { 0 }, sleep: { _ in }))
        _ = try? await Discovery(fetcher: fetcher).metadata(issuer: try HTTPURL(issuer))
        #expect(provider.requests(to: path).count == 1)
    }

    @Test(
        arguments: ["authorization_endpoint", "token_endpoint", "jwks_uri"],
        [
            "http://id.example.com/x", "javascript:alert(1)", "file:///etc/passwd", "/relative",
            "https://a@id.example.com/x", "https://id.example.com/x#y",
        ])
    func `F2: metadata with a required endpoint that is not a valid https URL is refused`(name: String, url: String)
        async throws
    {
        let (failure, _) = try await failure { $0[name] = .string(url) }
        #expect(failure == DiscoveryError.invalidEndpoint(name, url.hasPrefix("http://") ? .plainHTTP : .notAURL))
    }

    @Test(arguments: [nil, .null, "", []] as [JSONValue?])
    func `F2: an optional member of the metadata that is null or empty is the same as a missing one`(
        value: JSONValue?
    ) async throws {
        let provider = try TestProvider()
        let missing = try ProviderMetadata(
            Array(JSONValue.object(provider.metadata.filter { Self.required.contains($0) }).text.utf8),
            issuer: HTTPURL(TestProvider.issuer), zone: .global)
        var document = provider.metadata.filter { Self.required.contains($0) }
        for name in Self.optional { document[name] = value }
        let metadata = try ProviderMetadata(
            Array(JSONValue.object(document).text.utf8), issuer: HTTPURL(TestProvider.issuer), zone: .global)
        #expect("\(try metadata.aliased())" == "\(missing)")
        let changed = document
        provider.on("/.well-known/openid-configuration") { _ throws(HTTPError) in .json(changed) }
        _ = try await SignInRun.good(provider).run { $0.scopes = ["openid"] }
    }

    private static let required: Set = [
        "issuer", "authorization_endpoint", "token_endpoint", "jwks_uri", "id_token_signing_alg_values_supported",
    ]
    private static let optional =
        unneeded + [
            "mtls_endpoint_aliases", "scopes_supported", "response_types_supported", "grant_types_supported",
            "token_endpoint_auth_methods_supported", "token_endpoint_auth_signing_alg_values_supported",
            "code_challenge_methods_supported", "dpop_signing_alg_values_supported", "protected_resources",
            "revocation_endpoint_auth_methods_supported", "introspection_endpoint_auth_methods_supported",
            "require_pushed_authorization_requests", "tls_client_certificate_bound_access_tokens",
            "client_id_metadata_document_supported",
        ]
    private static let unneeded = [
        "userinfo_endpoint", "revocation_endpoint", "end_session_endpoint", "registration_endpoint",
        "device_authorization_endpoint", "pushed_authorization_request_endpoint", "introspection_endpoint",
    ]

    @Test(
        arguments: unneeded,
        [
            (5, .notAString), ("none", .notAURL), ("http://id.example.com/x", .plainHTTP),
            ("https://10.0.0.1/x", .privateNetwork),
        ] as [(JSONValue, DiscoveryError.EndpointFault)])
    func `F2: an optional endpoint that cannot be used is refused only when it is needed`(
        name: String, value: (JSONValue, DiscoveryError.EndpointFault)
    ) async throws {
        let (value, fault) = value
        let provider = try TestProvider()
        var document = provider.metadata
        document[name] = value
        let changed = document
        provider.on("/.well-known/openid-configuration") { _ throws(HTTPError) in .json(changed) }
        let run = try SignInRun.good(provider)
        _ = try await run.run()
        let client = try await ProviderClient.resolve(try run.entry, keys: ClientKeys(), services: run.services())
        let endpoints = client.metadata.endpoints
        let endpoint = try #require(ProviderEndpoint(rawValue: name))
        let unusable = DiscoveryError.invalidEndpoint(name, fault)
        #expect(endpoints[endpoint] == .failure(unusable))
        #expect(endpoints.filter { (try? $0.value.get()) == nil }.map(\.key) == [endpoint])
        await #expect(throws: unusable) {
            switch name {
            case "userinfo_endpoint":
                _ = try await UserInfoRequest(
                    keys: client.keys, metadata: client.metadata, transport: provider, clientID: "c"
                ).claims(of: "s", accessToken: AccessToken("a"))
            case "registration_endpoint":
                _ = try await RegisterClient(services: run.services(), clientName: "authctl").run(run.entry, key: nil)
            case "device_authorization_endpoint": _ = try await run.run { $0.flow = .device }
            case "pushed_authorization_request_endpoint": _ = try await run.run { $0.pushesRequest = true }
            case "introspection_endpoint": _ = try await IntrospectToken(client: client).run("token-0001")
            case "revocation_endpoint":
                var request = SignOut.Request()
                request.revokes = true
                let entry = try #require(await SignOut(run.sessionServices()).run(request).ended.first)
                #expect(entry.revoked == .failed && entry.endSessionURL == nil)
                throw try #require(entry.fault)
            default:
                var request = SignOut.Request()
                request.endsSession = true
                #expect(try await SignOut(run.sessionServices()).run(request).ended.first?.endSessionURL == nil)
                // The logout page is only reported as missing.
                throw unusable
            }
        }
        #expect(provider.requests(to: "/x").isEmpty)
    }

    @Test func `F2: the access_token_issuer of ADFS does not replace the issuer of ID tokens`() async throws {
        let other = "http://id.example.com/adfs/services/trust"
        let provider = try TestProvider()
        var metadata = provider.metadata
        metadata["access_token_issuer"] = .string(other)
        let changed = metadata
        provider.on("/.well-known/openid-configuration") { _ throws(HTTPError) in .json(changed) }
        _ = try await SignInRun.good(provider).run()
        provider.claims { $0["iss"] = .string(other) }
        let failure = try await SignInRun.good(provider).failure()
        #expect(failure.rejection == .issuer(ServerText(other), expected: TestProvider.issuer))
    }

    @Test(arguments: [
        "169.254.169.254", "127.0.0.1", "10.0.0.1", "192.168.1.1", "localhost", "[::1]", "[fd00::1]",
        "[::ffff:10.0.0.1]", "0x7f.1", "2130706433", "017700000001", "127.1",
    ])
    func `F3: a public issuer's endpoint in a private network is refused in every spelling of the address`(host: String)
        async throws
    {
        let failure = try await failure { $0["token_endpoint"] = .string("https://\(host)/token") }.0
        let isAddress = (try? HTTPURL("https://\(host)/token")) != nil
        #expect(
            failure == DiscoveryError.invalidEndpoint("token_endpoint", isAddress ? .privateNetwork : .notAURL))
    }

    @Test(
        arguments: ["introspection_endpoint", "pushed_authorization_request_endpoint"],
        [
            ("http://keycloak.internal/x", .plainHTTP), ("https://10.0.0.1/x", .privateNetwork),
            ("https://127.0.0.1/x", .privateNetwork), ("https://localhost/x", .privateNetwork),
            ("https://169.254.169.254/x", .privateNetwork), ("https://[fd00::1]/x", .privateNetwork),
        ] as [(String, DiscoveryError.EndpointFault)])
    func `F3: a private or plain http introspection or PAR endpoint is refused only if it is used`(
        name: String, endpoint: (url: String, fault: DiscoveryError.EndpointFault)
    ) async throws {
        let provider = try TestProvider()
        var metadata = provider.metadata
        metadata[name] = .string(endpoint.url)
        let changed = metadata
        provider.on("/.well-known/openid-configuration") { _ throws(HTTPError) in .json(changed) }
        let run = try SignInRun.good(provider)
        #expect(try await ProviderCheck(services: run.services()).run(run.entry, ClientKeys()).allSatisfy(\.isFine))
        let client = try await ProviderClient.resolve(try run.entry, keys: ClientKeys(), services: run.services())
        let unusable = DiscoveryError.invalidEndpoint(name, endpoint.fault)
        if name == "introspection_endpoint" {
            await #expect(throws: unusable) { try await IntrospectToken(client: client).run("token-0001") }
        } else {
            await #expect(throws: unusable) { try await run.run { $0.pushesRequest = true } }
            #expect(run.opened.withLock { $0.isEmpty })
        }
        #expect(provider.requests(to: "/x").isEmpty)
        _ = try await run.run()
    }

    @Test func `F3: requests to a public issuer's endpoints may connect only to public addresses`() async throws {
        let provider = try TestProvider()
        var metadata = provider.metadata
        metadata["pushed_authorization_request_endpoint"] = "https://id.example.com/par"
        metadata["introspection_endpoint"] = "https://id.example.com/introspect"
        let changed = metadata
        provider.on("/.well-known/openid-configuration") { _ throws(HTTPError) in .json(changed) }
        provider.on("/introspect") { _ throws(HTTPError) in .json(["active": true]) }
        provider.on("/userinfo") { _ throws(HTTPError) in .json(["sub": "248289761001"]) }
        provider.claims { $0["email"] = nil }
        let run = try SignInRun.good(provider)
        _ = try await run.run { $0.pushesRequest = true }
        let client = try await ProviderClient.resolve(try run.entry, keys: ClientKeys(), services: run.services())
        _ = try await IntrospectToken(client: client).run("token-0001")
        try await client.tokenEndpoint().revoke("token-0001", hint: .accessToken)
        for path in ["/token", "/jwks", "/userinfo", "/par", "/introspect", "/revoke"] {
            let requests = provider.requests(to: path)
            #expect(!requests.isEmpty && requests.allSatisfy { $0.narrowestZone == .global }, "\(path)")
        }
    }

    @Test(arguments: [
        "real?v=2#top", "../.well-known/real?v=2", "./x/../real?v=2", "//id.example.com/.well-known/real?v=2",
    ])
    func `F4: discovery follows a relative redirect (RFC 3986 section 5)`(location: String) async throws {
        let provider = try TestProvider()
        let metadata = provider.metadata
        provider.on("/.well-known/openid-configuration") { _ throws(HTTPError) in
            HTTPResponse(status: 302, headers: [(name: "location", value: location)])
        }
        provider.on("/.well-known/real") { _ throws(HTTPError) in .json(metadata) }
        _ = try await SignInRun.good(provider).run()
        #expect(provider.requests(to: "/.well-known/real").allSatisfy { $0.url.query == "v=2" })
    }

    @Test(arguments: [(1, true), (3, true), (4, false), (20, false)])
    func `F4: discovery follows up to three redirects within the issuer's origin`(hops: Int, isFine: Bool) async throws
    {
        let provider = try TestProvider()
        let metadata = provider.metadata
        for hop in 0..<hops {
            let from = hop == 0 ? "/.well-known/openid-configuration" : "/hop\(hop)"
            provider.on(from) { _ throws(HTTPError) in
                HTTPResponse(status: 302, headers: [(name: "location", value: "/hop\(hop + 1)")])
            }
        }
        provider.on("/hop\(hops)") { _ throws(HTTPError) in .json(metadata) }
        if isFine {
            _ = try await SignInRun.good(provider).run()
        } else {
            let last = "https://id.example.com/hop3"
            #expect(
                try await SignInRun.good(provider).failure()
                    == DocumentError.redirect(url: last, to: ServerText("https://id.example.com/hop4")))
        }
    }

    @Test(arguments: [
        "https://evil.example/d", "http://id.example.com/d", "https://id.example.com:444/d",
        "https://evil.example/a/.well-known/openid-configuration",
    ])
    func `F4: discovery refuses a redirect to another origin or to http`(target: String) async throws {
        let failure = try await failure(body: HTTPResponse(status: 301, headers: [(name: "location", value: target)]))
        let url = "https://id.example.com/.well-known/openid-configuration"
        #expect(failure == DocumentError.redirect(url: url, to: ServerText(target)))
    }

    @Test(arguments: ["authorization_endpoint", "token_endpoint", "jwks_uri"])
    func `F5: the error for metadata without a required endpoint contains the endpoint's name`(name: String)
        async throws
    {
        let (failure, _) = try await failure { $0[name] = nil }
        #expect(failure == DiscoveryError.missingEndpoint(name))
    }

    @Test(
        arguments: [
            ("", .malformed(offset: 0)), ("<html>", .malformed(offset: 0)), ("[]", .notAnObject),
            ("null", .notAnObject), ("\u{FEFF}[]", .notAnObject),
            (#"{"issuer":"x","issuer":"x"}"#, .duplicateName("issuer")),
            (
                "{\"a\":" + String(repeating: "[", count: 40) + String(repeating: "]", count: 40) + "}",
                .tooDeep(limit: 32)
            ),
        ] as [(String, JSONError)])
    func `F6: a discovery document that is not a valid JSON object is refused`(body: String, error: JSONError)
        async throws
    {
        #expect(try await failure(body: .text(body)) == DiscoveryError.document(error))
    }

    @Test func `F6: a discovery document in UTF-16 or larger than one megabyte is refused`() async throws {
        let wide = "{\"issuer\":\"https://id.example.com\"}".utf16.flatMap { [UInt8($0 & 255), UInt8($0 >> 8)] }
        #expect(
            try await failure(body: HTTPResponse(status: 200, body: wide))
                == DiscoveryError.document(.malformed(offset: 1)))
        #expect(
            try await failure(body: .text("{\"a\":\"" + String(repeating: "a", count: 1 << 20) + "\"}"))
                == DiscoveryError.document(.tooLong(limit: 1 << 20)))
    }

    @Test(
        arguments: [
            ("code_challenge_methods_supported", ["plain"], .proofKey),
            ("response_types_supported", ["id_token", "token"], .codeFlow),
            ("id_token_signing_alg_values_supported", ["none", "HS256"], .signedIDTokens),
        ] as [(String, [String], DiscoveryError.Feature)])
    func `F7: a provider that offers only insecure methods or algorithms is unsupported`(
        name: String, values: [String], feature: DiscoveryError.Feature
    ) async throws {
        let (failure, _) = try await failure { $0[name] = JSONValue(values) }
        #expect(failure == DiscoveryError.unsupported(feature))
        #expect(failure.code == .unsupported)
    }

    @Test func `F8: a refresh uses a token endpoint that moved to another host, and returns a note`() async throws {
        let provider = try TestProvider()
        let run = try SignInRun.good(provider)
        _ = try await run.run()
        var metadata = provider.metadata
        metadata["token_endpoint"] = "https://elsewhere.example.com/token"
        let moved = metadata
        provider.on("/.well-known/openid-configuration") { _ throws(HTTPError) in .json(moved) }
        let use = CurrentToken(try run.sessionServices())
        var request = CurrentToken.Request()
        request.forcesRefresh = true
        let result = try await use.run(request)
        #expect(
            result.notes == [.moved(from: "https://id.example.com:443", to: "https://elsewhere.example.com:443")])
    }

    @Test(
        arguments: [
            ("https://accounts.google.com@evil.example", SettingFault.userName),
            ("https://id.example.com.", SettingFault.malformedHost),
            ("https://\u{0456}d.example.com", SettingFault.malformedHost), ("https://", SettingFault.malformedHost),
            ("id.example.com", SettingFault.notHTTPSURL), ("https://id.example.com?x=y", SettingFault.query),
            ("ftp://id.example.com", SettingFault.notHTTPSURL),
        ])
    func `F9: an invalid or look-alike issuer URL is an invalid configuration`(
        issuer: String, fault: @Sendable (ServerText) -> SettingFault
    ) {
        let error = ProviderError.invalid(setting: "--issuer", fault(ServerText(issuer)))
        #expect(throws: error) { try Provider.url(issuer, setting: "--issuer") }
        #expect(error.code == .invalidConfiguration)
    }

    @Test(arguments: [
        ("https://id.example.com", "/.well-known/oauth-authorization-server"),
        ("https://id.example.com/a/b/", "/.well-known/oauth-authorization-server/a/b"),
    ])
    func `F10: RFC 8414 inserts the well-known path before the issuer's path, and OpenID Connect appends it`(
        issuer: String, path: String
    ) throws {
        let url = try HTTPURL(issuer)
        #expect(try Discovery.Document.oauth.url(of: url).path == path)
        #expect(try Discovery.Document.openID.url(of: url).path.hasSuffix("/.well-known/openid-configuration"))
    }

    @Test(arguments: [
        "https://id.example.com", "https://id.example.com:8443/a", "https://id.example.com/a/b", "http://[::1]:9/a",
        "https://id.example.com/.well-known/other",
    ])
    func `F10: the issuer is recognized from the URL of each of its discovery documents`(issuer: String) throws {
        for document in Discovery.Document.allCases {
            #expect(try document.url(of: HTTPURL(issuer)).text.withoutDiscoveryPath == issuer, "\(document)")
        }
        #expect(issuer.withoutDiscoveryPath == issuer)
        let other = issuer + "/.well-known/openid-configurations"
        #expect(other.withoutDiscoveryPath == other)
    }

    @Test(arguments: [
        HTTPResponse(status: 404), HTTPResponse(status: 403), .text("<!doctype html>", type: "text/html"),
        HTTPResponse(status: 302, headers: [(name: "location", value: "https://login.example/")]),
    ])
    func `F10: an issuer that has only the document of RFC 8414 is an error that says how to use it`(
        response: HTTPResponse
    ) async throws {
        let provider = try TestProvider()
        let metadata = provider.metadata
        provider.on("/.well-known/openid-configuration") { _ throws(HTTPError) in response }
        let before = try await SignInRun.good(provider).failure()
        let url = "https://id.example.com/.well-known/openid-configuration"
        switch response.status {
        case 404: #expect(before == DiscoveryError.notFound(url: url))
        case 403: #expect(before == DocumentError.status(403, url: url))
        case 302: #expect(before == DocumentError.redirect(url: url, to: ServerText("https://login.example/")))
        default: #expect(before == DiscoveryError.document(.malformed(offset: 0)))
        }
        let refusal = DiscoveryError.onlyOAuthDocument(url: url, issuer: "https://id.example.com")
        provider.on("/.well-known/oauth-authorization-server") { _ throws(HTTPError) in .json(metadata) }
        let failure = try await SignInRun.good(provider).failure()
        #expect(failure == refusal && failure.code == .invalidConfiguration)
        var run = try SignInRun.good(provider).entry
        run.discovery = .oauth
        _ = try await SignInRun.good(provider).run(entry: run)
    }

    @Test(
        arguments: [
            (.openID, "https://id.example.com/a/.well-known/openid-configuration"),
            (.oauth, "https://id.example.com/.well-known/oauth-authorization-server/a"),
            (.openIDInserted, "https://id.example.com/.well-known/openid-configuration/a"),
        ] as [(Discovery.Document, String)])
    func `F10: only the configured well-known URL is used if it does not exist`(
        document: Discovery.Document, url: String
    ) async throws {
        let transport = ScriptedTransport()
        var entry = Provider(id: "oidc.test", issuer: try HTTPURL("https://id.example.com/a"), clientID: "client-1")
        #expect(entry.discovery == .openID, "the default")
        entry.discovery = document
        let services = Services(transport: transport, clock: Clock(now: { TestProvider.now }, sleep: { _ in }))
        await #expect(throws: DiscoveryError.notFound(url: url)) {
            try await ProviderClient.resolve(entry, keys: ClientKeys(), services: services)
        }
        // The OAuth document is requested to name it in the error.
        let other = "https://id.example.com/.well-known/oauth-authorization-server/a"
        #expect(transport.requests.map(\.url.text) == [url] + (document == .openID ? [other] : []))
    }

    @Test func `F10: an issuer without a discovery document is a configuration error that contains the URL`()
        async throws
    {
        let failure = try await failure(body: HTTPResponse(status: 404))
        #expect(failure == DiscoveryError.notFound(url: "https://id.example.com/.well-known/openid-configuration"))
    }
}
