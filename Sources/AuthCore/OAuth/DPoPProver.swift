/// Adds to each request a proof of possession of the key that the session's tokens are bound to (RFC 9449).
struct DPoPProver: Sendable {
    let key: DPoPKey
    let nonces: DPoPNonces
    private let services: Services

    /// The error code for a rejected proof (sections 5 and 7.1).
    static let refusal = "invalid_dpop_proof"

    init(_ key: DPoPKey, _ services: Services) {
        self.key = key
        nonces = DPoPNonces(services)
        self.services = services
    }

    /// Creates a proof for one request, with the latest nonce of its server.
    ///
    /// - Parameter ahead: seconds that the server's clock is ahead of this machine's, if it rejected a proof because of
    ///   its time.
    func proof(
        _ method: String, for url: HTTPURL, of server: DPoPNonces.Server, accessToken: AccessToken? = nil,
        ahead: Int64 = 0
    ) async throws -> String {
        let claims = try DPoPKey.claims(
            method, for: url, nonce: await nonces.nonce(for: url, of: server), accessToken: accessToken,
            now: services.clock.now() + ahead, random: services.random)
        return try key.sign(claims)
    }

    /// Sends a request with the token to a resource. Repeats it once with the resource's nonce (section 9), and once
    /// with the server's time if it rejected the proof's time. In both cases the server has not processed the request.
    func response(
        to request: HTTPRequest, with token: AccessToken, _ transport: any HTTPTransport
    ) async throws -> HTTPResponse {
        var tries = retries(at: request.url)
        while true {
            let response = try await transport.response(to: signed(request, with: token))
            guard await isRepetitionDue(after: response, from: request.url, &tries) else { return response }
        }
    }

    func retries(at url: HTTPURL) -> RequestRetries { RequestRetries(url: url, services: services) }

    /// Whether to repeat the request with the server's nonce or time. Both are stored for later requests.
    func isRepetitionDue(after response: HTTPResponse, from url: HTTPURL, _ tries: inout RequestRetries) async -> Bool {
        let requiresNonce = await learn(response, from: url)
        return tries.isDue(
            after: response, requiresNonce: requiresNonce, refusing: [DPoPProver.refusal],
            now: services.clock.now() + services.serverTimes.ahead(at: url))
    }

    /// The request with the token and a new proof.
    func signed(_ request: HTTPRequest, with token: AccessToken) async throws -> HTTPRequest {
        let ahead = services.serverTimes.ahead(at: request.url)
        var request = request
        let proof = try await proof(
            request.method.rawValue, for: request.url, of: .resource, accessToken: token, ahead: ahead)
        request.headers =
            [(name: "Authorization", value: "DPoP \(token.revealed())"), (name: "DPoP", value: proof)]
            + request.headers.filter { !["authorization", "dpop"].contains($0.name.lowercased()) }
        request.secrets.append(token.revealed())
        return request
    }

    func learn(_ response: HTTPResponse, from url: HTTPURL) async -> Bool {
        await nonces.learn(response, from: url, of: .resource)
        return response.status == 401 && response.header("dpop-nonce") != nil
            && response.challengeErrors.contains("use_dpop_nonce")
    }
}
