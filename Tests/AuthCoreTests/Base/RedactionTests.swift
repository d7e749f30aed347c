import Testing

@testable import AuthCore

@Suite struct `Redaction of request secrets` {
    static let secret = "s3cr?t/+&%41 ü=x"

    private static let spellings: [String] = {
        let bytes = Array(secret.utf8)
        let digits = bytes.map { "%" + [$0].hexadecimal }.joined()
        return [
            secret, FormURLEncoded.encode(secret), FormURLEncoded.encode(secret).replacing("%20", with: "+"), digits,
            digits.uppercased(), FormURLEncoded.encode(FormURLEncoded.encode(secret)), Base64.encode(bytes),
            Base64URL.encode(bytes), Base64.encode(Array("client:".utf8) + bytes),
            Base64URL.encode(Array("a:".utf8) + bytes + Array("z".utf8)),
            Base64.encode(Array("ab:".utf8) + bytes + Array("}".utf8)),
        ]
    }()

    @Test(arguments: spellings) func `A request secret is redacted in every encoding`(spelling: String) {
        let shown = ServerText("before \(spelling) after", secrets: [Self.secret]).description
        #expect(shown.contains("<redacted>"), "\(shown)")
        #expect(shown.hasPrefix("before ") && shown.hasSuffix(" after"))
        // Base64 characters that also encode neighbouring bytes may remain.
        #expect(shown.replacing("<redacted>", with: "").utf8.count <= "before  after".utf8.count + 12, "\(shown)")
    }

    @Test(arguments: [
        "ghs_16C7e42F292c6912E7710c838347Ae178B4a",
        "ghs_12345_eyJ" + String(repeating: "Ab-_9", count: 30) + ".eyJ" + String(repeating: "x_Y-0", count: 30) + "."
            + String(repeating: "Zz09-", count: 40),
        "gho_16C7e42F292c6912E7710c838347Ae178B4a", "github_pat_11ABCDEFG0_abcdefghijklmnopqrstuvwxyz",
        "ghr_16C7e42F292c6912E7710c838347Ae178B4a", "ghu_16C7e42F292c6912E7710c838347Ae178B4a",
        "ya29.a0AfB_byC-abcdefghij", "1//0gAbcdefghij-klmnop", "glpat-abcdefghijklmnopqrst",
    ])
    func `Tokens of GitHub, Google and GitLab are redacted in text from a server`(
        token: String
    ) {
        #expect(ServerText("bad token '\(token)'.").description == "bad token '<redacted>'.")
        #expect(ServerText("?access_token=\(token)&x=1").description == "?access_token=<redacted>&x=1")
        #expect(ServerText("https://x-access-token:\(token)@github.com").description.contains(":<redacted>@"))
    }

    @Test func `Redacted names of an object are unique, and are found in linear time`() throws {
        let members = (0..<50_000).map { #""p\#($0)":1"# } + [#""a-secret-1":1"#, #""%61-secret-1":2"#]
        let value = try StrictJSON.parse(Array("{\(members.joined(separator: ","))}".utf8))
        let object = try #require(Redaction(["a-secret-1"]).applied(to: value).object)
        #expect(object.members.count == 50_001 && object["<redacted>"] == 2)
    }

    @Test func `All request values are secrets unless they are known to be harmless`() throws {
        let request = HTTPRequest(
            .post, try HTTPURL("https://id.example/token?input_token=in-the-query&fields=id"),
            headers: [
                (name: "Content-Type", value: "application/x-www-form-urlencoded"),
                (name: "Authorization", value: "Basic \(Base64.encode(Array("client-1:s%2Fecret-1".utf8)))"),
                (name: "X-Firebase-AppCheck", value: "app-check-token"), (name: "User-Agent", value: "authctl/1"),
            ],
            body: Array(
                "grant_type=refresh_token&refresh_token=the-refresh&client_id=client-1&new_one=unknown-name".utf8),
            secrets: ["in-the-body"])
        let carried = request.carriedSecrets
        for secret in [
            "in-the-query", "s/ecret-1", "s%2Fecret-1", "app-check-token", "the-refresh", "unknown-name", "in-the-body",
        ] {
            #expect(carried.contains(secret), "\(secret)")
        }
        for harmless in ["refresh_token", "client-1", "id", "authctl/1"] {
            #expect(!carried.contains(harmless), "\(harmless)")
        }
    }

    @Test func `Claims that repeat a request secret are redacted, and other claims are kept`() {
        var response = HTTPResponse(status: 200)
        response.secrets = ["the-access-token"]
        let claims: JSONValue = [
            "sub": "1", "echo": ["a the-access-token b"], "the-access-token": true, "n": 5,
            "deep": ["x": "the-access-token"],
        ]
        let redacted: JSONValue = [
            "sub": "1", "echo": ["a <redacted> b"], "<redacted>": true, "n": 5, "deep": ["x": "<redacted>"],
        ]
        #expect(response.withoutSecrets(claims) == redacted)
    }

    @Test(.timeLimit(.minutes(5))) func `A response of one megabyte is redacted quickly`() throws {
        var response = HTTPResponse(status: 200)
        response.secrets = (0..<5).map { "secret-number-\($0)-" + String(repeating: "%41", count: 400) }
        let text = String(repeating: "%41", count: 1 << 18)
        let members = (0..<50_000).map { #""n\#($0)":"v""# }.joined(separator: ",")
        let object = try StrictJSON.parse(Array("{\(members)}".utf8))
        #expect(!response.shown(text).description.isEmpty)
        #expect(response.withoutSecrets(object).object?.members.count == 50_000)
    }

    private struct Echo: HTTPTransport {
        func send(_ request: HTTPRequest) async throws(HTTPError) -> HTTPResponse {
            let text = String(decoding: request.body ?? [], as: UTF8.self) + " \(request.headers)"
            let object: JSONObject = ["error": "invalid_client", "error_description": .string(text)]
            return HTTPResponse(
                status: 401, headers: [(name: "Content-Type", value: "application/json")],
                body: Array(JSONValue.object(object).text.utf8))
        }
    }

    @Test func `Secrets are redacted from a token endpoint error that repeats the whole request`() async throws {
        let secret = ClientSecret("client-secret-7531")
        let key = try PrivateKey.generate(SignatureAlgorithm.es256.family)
        let methods: [ClientAuthentication] = [
            .secret(secret, by: .clientSecretBasic), .secret(secret, by: .clientSecretPost),
            .secret(secret, by: .clientSecretJWT), .privateKeyJWT(key, .es256, keyID: nil),
            .assertion(ClientAssertion("not.a-jwt.but-secret")),
        ]
        for method in methods {
            let endpoint = TokenEndpoint(
                url: try HTTPURL("https://id.example/token"), revocationURL: try HTTPURL("https://id.example/revoke"),
                clientID: "client-1", audience: "https://id.example", authentication: method,
                revocationAuthentication: method, services: Services(transport: Echo(), clock: Clock(now: { 0 })),
                narrowestZone: .loopback, allowsPlainHTTP: false)
            let calls: [@Sendable () async throws -> Void] = [
                {
                    _ = try await endpoint.redeem(
                        AuthorizationCode("code-864200"), verifier: CodeVerifier("verifier-97531"),
                        redirectURI: "http://127.0.0.1/")
                },
                { _ = try await endpoint.refresh(RefreshToken("refresh-112233")) },
                { try await endpoint.revoke("token-445566", hint: .refreshToken) },
                { _ = try await endpoint.poll(DeviceCode("device-778899")) },
            ]
            for call in calls {
                do {
                    try await call()
                    Issue.record("no error")
                } catch {
                    let text = "\(error)"
                    #expect(text.contains("<redacted>"))
                    for secret in [
                        "client-secret-7531", "code-864200", "verifier-97531", "refresh-112233", "token-445566",
                        "device-778899", "not.a-jwt", "eyJ",
                    ] {
                        #expect(!text.contains(secret), "\(text)")
                    }
                }
            }
        }
    }
}
