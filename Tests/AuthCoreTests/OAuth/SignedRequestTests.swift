import AuthCoreTesting
import Synchronization
import Testing

@testable import AuthCore

/// Signed requests, and a server that rejects them because of their time.
@Suite struct `Signed requests and server time` {
    let double: TestProvider
    private let notes = Notes()

    private final class Notes: Sendable {
        private let all = Mutex<[RequestNote]>([])
        func add(_ note: RequestNote) { all.withLock { $0.append(note) } }
        var reported: [RequestNote] { all.withLock { $0 } }
    }

    init() throws { double = try TestProvider() }

    private static let skew: Int64 = 300

    private func endpoint(isKey: Bool = true, isBound: Bool = false) async throws -> TokenEndpoint {
        let entry = Provider(
            id: "oidc.test", issuer: try HTTPURL(TestProvider.issuer), clientID: TestProvider.clientID)
        let services = Services(
            transport: double, clock: Clock(now: { TestProvider.now }), note: { [notes] in notes.add($0) })
        let client = try await ProviderClient.resolve(
            entry, keys: .init(privateKey: isKey ? try .generate(.ellipticCurve(.p256)) : nil), services: services)
        return try client.tokenEndpoint(try client.newProver(isRequested: isBound))
    }

    private func forms() -> [[String: String]] {
        double.requests(to: "/token").map { request in
            Dictionary(request.form.map { ($0.name, $0.value) }, uniquingKeysWith: { first, _ in first })
        }
    }

    private func claims(_ token: String?) throws -> JSONObject {
        let parts = try #require(token).split(separator: ".")
        let bytes = try #require(Base64URL.decode(String(parts[1])))
        return try StrictJSON.object(bytes)
    }

    private func refuse(
        _ code: String, status: Int = 401, date: String? = SignedRequestDates.ahead, times: Int = 1
    ) {
        let left = Mutex(times)
        double.on("/token") { [double] request throws(HTTPError) in
            let isRefused = left.withLock { left in
                left -= 1
                return left >= 0
            }
            guard isRefused else {
                var response = double.tokenResponse()
                if request.headers.contains(where: { $0.name == "DPoP" }) { response["token_type"] = "DPoP" }
                return .json(response)
            }
            return .json(
                ["error": .string(code)], status: status, headers: date.map { [(name: "Date", value: $0)] } ?? [])
        }
    }

    @Test func `each request has a new client assertion as RFC 7523 and FAPI 2.0 require (J1)`() async throws {
        let endpoint = try await endpoint()
        for _ in 0..<3 { _ = try await endpoint.refresh(RefreshToken("refresh-0001")) }
        var ids: Set<String> = []
        for (form, request) in zip(forms(), double.requests(to: "/token")) {
            #expect(form["client_assertion_type"] == "urn:ietf:params:oauth:client-assertion-type:jwt-bearer")
            #expect(form["client_secret"] == nil)
            #expect(!request.headers.contains { $0.name.lowercased() == "authorization" })
            let claims = try claims(form["client_assertion"])
            #expect(claims["iss"] == "client-1" && claims["sub"] == "client-1")
            #expect(claims["aud"] == .string(TestProvider.issuer))
            let (issued, end) = (claims["iat"]?.number?.integer ?? 0, claims["exp"]?.number?.integer ?? 0)
            #expect(issued == TestProvider.now && end > issued && end - issued <= 300)
            ids.insert(claims["jti"]?.string ?? "")
        }
        #expect(ids.count == 3 && !ids.contains(""))
    }

    @Test func `an assertion refused because of its time is sent again with the server's time (J2)`() async throws {
        refuse("invalid_client")
        _ = try await endpoint().refresh(RefreshToken("refresh-0001"))
        let sent = try forms().map { try claims($0["client_assertion"]) }
        #expect(sent.map { $0["iat"]?.number?.integer } == [TestProvider.now, TestProvider.now + Self.skew])
        #expect(sent[1]["exp"] == JSONValue(TestProvider.now + Self.skew + 60))
        #expect(sent[0]["jti"] != sent[1]["jti"])
        #expect(notes.reported == [.serverTimeUsed(ahead: -Self.skew, origin: "https://id.example.com:443")])
    }

    @Test func `a signed request is never sent a third time (J2)`() async throws {
        refuse("invalid_client", times: 9)
        let endpoint = try await endpoint()
        await #expect(throws: OAuthError.refused(code: "invalid_client", description: nil, at: .refresh)) {
            try await endpoint.refresh(RefreshToken("refresh-0001"))
        }
        #expect(forms().count == 2)
    }

    @Test(arguments: [
        ("invalid_grant", SignedRequestDates.ahead), ("invalid_client", nil),
        ("invalid_client", "Sat, 21 Nov 2026 08:00:02 GMT"),
    ])
    func `a request is repeated only if both the error and the Date header suggest clock skew (J2)`(
        code: String, date: String?
    ) async throws {
        refuse(code, date: date)
        let endpoint = try await endpoint()
        await #expect(throws: OAuthError.refused(code: code, description: nil, at: .refresh)) {
            try await endpoint.refresh(RefreshToken("refresh-0001"))
        }
        #expect(forms().count == 1 && notes.reported.isEmpty)
    }

    @Test func `a request without a client assertion is not repeated after invalid_client`() async throws {
        refuse("invalid_client")
        let endpoint = try await endpoint(isKey: false)
        await #expect(throws: OAuthError.refused(code: "invalid_client", description: nil, at: .refresh)) {
            try await endpoint.refresh(RefreshToken("refresh-0001"))
        }
        #expect(forms().count == 1)
    }

    @Test func `a DPoP proof refused because of its time is sent again with the server's time (J2)`() async throws {
        refuse("invalid_dpop_proof", status: 400)
        _ = try await endpoint(isKey: false, isBound: true).refresh(RefreshToken("refresh-0001"))
        let proofs = try double.requests(to: "/token").map { request in
            try claims(request.headers.first { $0.name == "DPoP" }?.value)
        }
        #expect(proofs.map { $0["iat"]?.number?.integer } == [TestProvider.now, TestProvider.now + Self.skew])
        #expect(proofs[0]["jti"] != proofs[1]["jti"] && notes.reported.count == 1)
    }

    @Test func `later DPoP proofs use the known server time, which is reported only once (J2)`() async throws {
        refuse("invalid_dpop_proof", status: 400)
        let endpoint = try await endpoint(isKey: false, isBound: true)
        for _ in 0..<3 { _ = try await endpoint.poll(DeviceCode("device-0001")) }
        let times = try double.requests(to: "/token").map { request in
            try claims(request.headers.first { $0.name == "DPoP" }?.value)["iat"]?.number?.integer
        }
        let serverTime = TestProvider.now + Self.skew
        #expect(times == [TestProvider.now, serverTime, serverTime, serverTime])
        #expect(notes.reported == [.serverTimeUsed(ahead: -Self.skew, origin: TestProvider.issuer + ":443")])
    }

    @Test(arguments: [#"DPoP error="invalid_dpop_proof""#, "DPoP error=invalid_dpop_proof"])
    func `a resource request with a refused DPoP proof is sent again once (J2)`(challenge: String) async throws {
        let services = Services(
            transport: double, clock: Clock(now: { TestProvider.now }), note: { [notes] in notes.add($0) })
        double.on("/api") { _ throws(HTTPError) in
            HTTPResponse(
                status: 401,
                headers: [
                    (name: "www-authenticate", value: challenge),
                    (name: "date", value: SignedRequestDates.ahead),
                ])
        }
        let prover = DPoPProver(try DPoPKey(.es256), services)
        let request = HTTPRequest(.get, try HTTPURL("https://id.example.com/api"))
        let response = try await prover.response(to: request, with: AccessToken("token-0001"), double)
        #expect(response.status == 401 && double.requests(to: "/api").count == 2)
    }
}

enum SignedRequestDates {
    /// `TestProvider.now`, five minutes later.
    static let ahead = "Sat, 21 Nov 2026 08:05:00 GMT"
}
