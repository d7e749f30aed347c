import AuthCore
import AuthCoreTesting
import FoundationEssentials
import Testing

@Suite struct `The verification API` {
    private let clock = TestClock()
    private let provider: TestProvider
    private let api = "https://api.example.com"

    init() throws { provider = try TestProvider(clock: clock) }

    private func verifier(_ kind: TokenVerifier.Kind = .accessToken) throws -> TokenVerifier {
        let clock = self.clock
        return try TokenVerifier(
            issuer: TestProvider.issuer, audience: api, kind: kind, transport: provider, now: { clock.now })
    }

    private struct Claims: Decodable { let tenant: String }

    @Test func `A valid token returns its claims, and the keys are fetched once`() async throws {
        let verifier = try verifier()
        let text = provider.token(["scope": ["orders.read orders.write"], "tenant": ["t1"]], audience: api)
        for _ in 0..<20 {
            let token = try await verifier.verify(text)
            #expect(token.subject == "248289761001")
            #expect(token.scopes == ["orders.read", "orders.write"])
            #expect(try token.claims(as: Claims.self).tenant == "t1")
            #expect(token.expiresAt == clock.now + 3600)
        }
        #expect(provider.count(of: "/jwks") == 1)
    }

    @Test(arguments: [
        (["aud": ["https://other.example.com"]], AuthError.Code.wrongAudience, "aud"),
        (["iss": ["https://evil.example.com"]], .wrongIssuer, "iss"), (["sub": [""]], .invalidClaim, "sub"),
        (["exp": ["soon"]], .invalidClaim, "exp"), (["nonce": ["n"]], .invalidClaim, "nonce"),
    ])
    func `An invalid token is reported with an error code and the claim`(
        claims: [String: [String]], code: AuthError.Code, claim: String
    ) async throws {
        let verifier = try verifier()
        let text = provider.token(claims, audience: api)
        let error = await #expect(throws: AuthError.self) { try await verifier.verify(text) }
        #expect(error?.code == code)
        #expect(error?.claim == claim)
    }

    @Test func `A token with several audiences is accepted if one of them matches`() async throws {
        let text = provider.token(["aud": ["https://other.example.com", api]], audience: "")
        #expect(try await verifier().verify(text).subject == "248289761001")
    }

    @Test func `A test clock advances by fractions of a second`() {
        let start = clock.now
        clock.advance(by: .milliseconds(1500))
        #expect(clock.now == start + 1.5)
    }

    @Test func `An expired token is rejected after one minute of allowed clock skew`() async throws {
        let verifier = try verifier()
        let text = provider.token([:], audience: api)
        clock.advance(by: .seconds(3659))
        _ = try await verifier.verify(text)
        clock.advance(by: .seconds(1))
        let error = await #expect(throws: AuthError.self) { try await verifier.verify(text) }
        #expect(error?.code == .expiredToken)
    }

    @Test func `A modified token, a token signed with another key and invalid text are rejected`() async throws {
        let verifier = try verifier()
        let good = provider.token([:], audience: api)
        let other = try TestProvider(clock: clock).token([:], audience: api)
        let cut = String(good.dropLast(4)) + "AAAA"
        for (text, code) in [
            (cut, AuthError.Code.invalidSignature), (other, .invalidSignature), ("rubbish", .malformedToken),
            ("", .malformedToken), ("a.b.c.d.e", .malformedToken),
        ] {
            let error = await #expect(throws: AuthError.self) { try await verifier.verify(text) }
            #expect(error?.code == code, "\(text)")
        }
    }

    @Test func `An ID token is rejected as an access token, and an access token as an ID token`() async throws {
        let access = provider.token([:], audience: api)
        let id = provider.token(["nonce": ["n"]], audience: api, type: "JWT")
        #expect(try await verifier(.idToken).verify(id).subject == "248289761001")
        var error = await #expect(throws: AuthError.self) { try await verifier(.idToken).verify(access) }
        #expect(error?.code == .malformedToken)
        error = await #expect(throws: AuthError.self) { try await verifier(.accessToken).verify(id) }
        #expect(error?.code == .malformedToken)
    }

    @Test(arguments: ["JWT", "jwt", "application/jwt", "x"])
    func `An access token requires typ at+jwt (RFC 9068) unless untyped tokens are allowed`(type: String) async throws {
        let text = provider.token(["scope": ["read"]], audience: api, type: type)
        let error = await #expect(throws: AuthError.self) { try await verifier().verify(text) }
        #expect(error?.code == .malformedToken)
        if type == "x" {
            let other = await #expect(throws: AuthError.self) { try await verifier(.untypedAccessToken).verify(text) }
            #expect(other?.code == .malformedToken)
        } else {
            #expect(try await verifier(.untypedAccessToken).verify(text).scopes == ["read"])
        }
        let typed = provider.token([:], audience: api, type: "application/at+jwt")
        #expect(try await verifier().verify(typed).subject == "248289761001")
        #expect(try await verifier(.untypedAccessToken).verify(typed).subject == "248289761001")
    }

    @Test(arguments: ["nonce", "at_hash", "c_hash", "auth_time"])
    func `An access token with a claim of ID tokens is rejected`(claim: String) async throws {
        let value = claim == "auth_time" ? "" : "x"
        for (kind, type) in [(TokenVerifier.Kind.accessToken, "at+jwt"), (.untypedAccessToken, "JWT")] {
            let error = await #expect(throws: AuthError.self) {
                try await verifier(kind).verify(provider.token([claim: [value]], audience: api, type: type))
            }
            #expect(error?.claim == claim)
        }
    }

    @Test func `A verifier with fixed keys does not send requests`() async throws {
        let unused = ScriptedTransport()
        let clock = self.clock
        let verifier = try TokenVerifier(
            issuer: TestProvider.issuer, audience: api, keys: .fixed(provider.jwks), transport: unused,
            now: { clock.now })
        #expect(try await verifier.verify(provider.token([:], audience: api)).issuer == TestProvider.issuer)
        #expect(unused.requests.isEmpty)
    }

    @Test func `A verified token can be required to have scopes and a recent authentication`() async throws {
        let token = try await verifier().verify(provider.token(["scope": ["orders.read"]], audience: api))
        try token.require(scopes: "orders.read")
        let error = #expect(throws: AuthError.self) { try token.require(scopes: "orders.read", "orders.write") }
        #expect(error?.code == .insufficientScope)
        let old = #expect(throws: AuthError.self) { try token.require(authenticatedWithin: .seconds(300)) }
        #expect(old?.code == .insufficientAuthentication)
    }

    @Test func `An issuer URL that is not https or contains a user is rejected`() {
        for issuer in ["http://id.example.com", "id.example.com", "https://user@id.example.com", ""] {
            let error = #expect(throws: AuthError.self) { _ = try TokenVerifier(issuer: issuer, audience: "a") }
            #expect(error?.code == .invalidConfiguration)
        }
    }
}
