/// Proves with each request that the key is here which a session's tokens are bound to (RFC 9449).
struct DPoPProver: Sendable {
    let key: DPoPKey
    let nonces: DPoPNonces
    let clock: Clock
    let random: RandomSource

    init(_ key: DPoPKey, _ services: Services) {
        self.key = key
        nonces = DPoPNonces(services)
        clock = services.clock
        random = services.random
    }

    /// A proof for one request, with the newest nonce of its server; never used twice.
    /// - Parameter ahead: seconds that the server's clock is ahead of this one, where it refused a proof for its time.
    /// - Throws: `OpenSSLError`.
    func proof(
        _ method: String, _ url: HTTPURL, of server: DPoPNonces.Server, accessToken: AccessToken? = nil,
        ahead: Int64 = 0
    ) async throws -> String {
        let proof = DPoPProof(
            method: method, url: url, nonce: await nonces.nonce(for: url, of: server), accessToken: accessToken)
        return try key.sign(try proof.claims(now: clock.now() + ahead, random: random))
    }

    /// Sends a request with the token to a resource; once more where the resource wants a nonce of its own (section 9): it
    /// looked at nothing else then.
    /// - Throws: `HTTPError`, `OpenSSLError`.
    func answer(
        to request: HTTPRequest, with token: AccessToken, _ transport: any HTTPTransport
    ) async throws -> HTTPResponse {
        let first = try await answer(once: request, with: token, transport)
        guard DPoPProver.isNonceWanted(by: first), first.header("dpop-nonce") != nil else { return first }
        return try await answer(once: request, with: token, transport)
    }

    private func answer(
        once request: HTTPRequest, with token: AccessToken, _ transport: any HTTPTransport
    ) async throws -> HTTPResponse {
        var request = request
        let proof = try await proof(request.method.rawValue, request.url, of: .resource, accessToken: token)
        request.headers =
            [
                (name: "Authorization", value: "DPoP \(token.revealed())"), (name: "DPoP", value: proof),
            ] + request.headers.filter { !["authorization", "dpop"].contains($0.name.lowercased()) }
        request.secrets.append(token.revealed())
        let response = try await transport.answer(to: request)
        await nonces.learn(response, from: request.url, of: .resource)
        return response
    }

    private static func isNonceWanted(by response: HTTPResponse) -> Bool {
        response.status == 401
            && response.headers.contains {
                $0.name.lowercased() == "www-authenticate" && $0.value.contains("\"use_dpop_nonce\"")
            }
    }
}
