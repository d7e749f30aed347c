import Testing

@testable import AuthCore

@Suite struct `DPoP-bound tokens of the public API` {
    private struct NoTransport: HTTPTransport {
        func send(_ request: HTTPRequest) async throws(HTTPError) -> HTTPResponse { throw .cancelled }
    }

    private let token: IssuedToken

    init() throws {
        let services = Services(transport: NoTransport(), clock: Clock(now: { 1_795_248_000 }))
        token = IssuedToken(
            "bound", kind: .access, provider: "oidc.test", expiresAt: nil,
            prover: DPoPProver(try DPoPKey(.es256), services))
    }

    private func claims(_ url: String) async throws -> JSONObject {
        let headers = try await token.headers("POST", url)
        #expect(headers.map(\.name) == ["Authorization", "DPoP"])
        #expect(headers[0].value == "DPoP bound")
        return try StrictJSON.object(try UnverifiedJWS(headers[1].value).payload)
    }

    @Test func `Each request gets a new DPoP proof with its method, its URL and the token's hash`() async throws {
        #expect(token.binding == .dpop)
        let first = try await claims("https://api.example.com/orders?page=2")
        #expect(first["htm"] == "POST")
        #expect(first["htu"] == "https://api.example.com/orders")
        // The SHA-256 of the token, computed with another program.
        #expect(first["ath"] == "Xhz0KHjfWP6nv6RbcVt4MtiJCSrSPoAuY5ErG_0gVjA")
        let second = try await claims("https://api.example.com/orders")
        #expect(first["jti"] != second["jti"])
    }

    @Test func `A DPoP nonce is used only for its server, and only use_dpop_nonce triggers a retry`() async throws {
        let refusal = [
            (name: "DPoP-Nonce", value: "n-1"), (name: "WWW-Authenticate", value: #"DPoP error="use_dpop_nonce""#),
        ]
        #expect(await token.received(status: 401, headers: refusal, from: "https://api.example.com/"))
        #expect(try await claims("https://api.example.com/")["nonce"] == "n-1")
        #expect(try await claims("https://other.example.com/")["nonce"] == nil)
        let good = [(name: "dpop-nonce", value: "n-2")]
        #expect(await !token.received(status: 200, headers: good, from: "https://api.example.com/"))
        #expect(try await claims("https://api.example.com/")["nonce"] == "n-2")
    }
}
