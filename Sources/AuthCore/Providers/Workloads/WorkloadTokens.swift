/// A job's verified token and identity.
struct VerifiedWorkload: Sendable {
    let platform: WorkloadPlatform
    let identity: WorkloadIdentity
    let issuer: HTTPURL
    let token: VerifiedIDToken
    let audience: String
}

/// Gets a job's token from its CI system and verifies it, because it may come from a variable or a file that another
/// program wrote.
package struct WorkloadTokens: Sendable {
    let host: any WorkloadHost
    let services: Services

    func token(_ platformName: String, _ request: WorkloadRequest) async throws -> VerifiedWorkload {
        let platform = try WorkloadPlatform.named(platformName, host)
        let rawToken = try await raw(platform, request)
        guard let audience = request.audience ?? platform.defaultAudience(host) else {
            throw WorkloadError.audienceNeeded(platform: platform.name)
        }
        let unverified: UnverifiedJWS
        do { unverified = try UnverifiedJWS(rawToken.revealed()) } catch { throw IDTokenRejection.jose(error) }
        guard let named = unverified.claimedIssuer else { throw IDTokenRejection.claim("iss") }
        guard let isAccepted = request.issuer.map({ named.hasSameBytes(as: $0) }) ?? platform.accepts?(named, host)
        else { throw WorkloadError.issuerNeeded(platform: platform.name, token: ServerText(named)) }
        guard isAccepted, let issuer = try? HTTPURL(named), issuer.protectsSecrets else {
            throw WorkloadError.issuer(ServerText(named), platform: platform.name)
        }
        let published = try await Discovery(fetcher: services.fetcher).publishedKeys(issuer: issuer)
        var expected = ExpectedIDToken(
            issuers: .exact(named), audience: audience, nonce: .none, now: services.clock.now())
        expected.longestSubject = 1024
        let token: VerifiedIDToken
        do {
            token = try await KeySource(fetcher: services.fetcher, published: published).verify(
                rawToken, expecting: expected)
        } catch let rejection as IDTokenRejection {
            throw IDTokenRefused(rejection: rejection, issuer: issuer)
        }
        for requirement in request.required where !requirement.holds(in: token.claims) {
            let actual = requirement.actual(in: token.claims).map { ServerText($0.string ?? $0.text) }
            throw WorkloadError.requirement(requirement.name, actual: actual)
        }
        return VerifiedWorkload(
            platform: platform, identity: try platform.identity(WorkloadClaims(claims: token.claims)), issuer: issuer,
            token: token, audience: audience)
    }

    private func raw(_ platform: WorkloadPlatform, _ request: WorkloadRequest) async throws -> RawIDToken {
        let text: String
        switch try platform.token(request, host) {
        case .held(let token): return token
        case .file(let path):
            guard let content = host.text(of: path) else { throw WorkloadError.noFile(path, platform: platform.name) }
            text = content
        case .command(let command): text = try await host.output(of: command)
        case .request(let request, let member): text = try await responseText(to: request, member: member, of: platform)
        }
        return RawIDToken(String(text.filter { !$0.isWhitespace }))
    }

    private func responseText(to request: HTTPRequest, member: String?, of platform: WorkloadPlatform) async throws
        -> String
    {
        var request = request
        // Also Azure's POST: each request issues a token, and no earlier one ends.
        request.repeats = services.clock
        let response = try await services.transport.response(to: request)
        if response.status >= 500 { throw OAuthError.unavailable(status: response.status, origin: request.url.origin) }
        guard response.status == 200 else {
            throw WorkloadError.noToken(platform: platform.name, status: response.status)
        }
        let text =
            if let member { (try? StrictJSON.object(response.body))?[member]?.string } else {
                String(validating: response.body, as: UTF8.self)
            }
        guard let text, !text.isEmpty else { throw WorkloadError.noToken(platform: platform.name, status: nil) }
        return text
    }
}
