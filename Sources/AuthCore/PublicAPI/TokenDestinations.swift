/// The URLs to which a token may be sent. Programs that send their own requests get the same rule as `APIRequest`.
struct TokenDestinations: Sendable {
    let check: @Sendable (HTTPURL) async throws -> Void

    static let anySecureHost = TokenDestinations { try requireSecure($0) }

    private init(check: @escaping @Sendable (HTTPURL) async throws -> Void) { self.check = check }

    init(of result: CurrentToken.Result, in profile: Profile) throws {
        guard let session = result.session, session.issuedBy != .job else {
            self = .anySecureHost
            return
        }
        guard session.issuedBy != .project else {
            let project = try profile.projectSettings()
            check = { url in
                try Self.requireSecure(url)
                guard project?.allows(url) == true else {
                    throw RequestRefused.host(origin: url.origin, provider: SessionIssuer.projectID, owner: nil)
                }
            }
            return
        }
        check = { url in
            let provider = try profile.resolve(session.providerID).provider()
            _ = try provider.located(for: session)
            if !provider.allowsPlainHTTP { try Self.requireSecure(url) }
            if let resource = session.resource {
                guard resource.covers(url) else {
                    throw RequestRefused.otherResource(url: url.text, provider: provider.id)
                }
                return
            }
            if provider.allows(url) { return }
            // The userinfo endpoint in the metadata may have another host.
            guard try await profile.client(provider.id).allows(url) else {
                throw RequestRefused.host(origin: url.origin, provider: provider.id, owner: nil)
            }
        }
    }

    private static func requireSecure(_ url: HTTPURL) throws(HTTPError) {
        guard url.protectsSecrets else { throw .plainHTTP(origin: url.origin) }
    }
}
