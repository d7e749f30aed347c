extension ProviderClient {
    func prover(of session: Session) throws -> DPoPProver? {
        if provider.isFAPI2, session.binding == .bearer, session.source != .project {
            throw NotSignedIn.unbound(provider: provider.id)
        }
        return try session.grant.neededKey().map { DPoPProver(try DPoPKey($0), services) }
    }

    func certificate(of session: Session) throws -> ClientCertificate? {
        guard session.binding == .certificate else { return nil }
        guard let certificate = try certificate() else { throw NotSignedIn.certificateMissing(provider: provider.id) }
        guard session.grant.certificateThumbprint.hasSameBytes(as: certificate.chain.thumbprint) else {
            throw NotSignedIn.otherCertificate(provider: provider.id)
        }
        return certificate
    }

    func needsNewToken(of session: Session) -> Bool {
        authentication.method != .none && session.isRenewable && hasOtherCertificate(than: session)
    }

    func hasOtherCertificate(than session: Session) -> Bool {
        guard let bound = session.grant.certificateThumbprint, let certificate = clientKeys.certificate else {
            return false
        }
        return !bound.hasSameBytes(as: certificate.chain.thumbprint)
    }

    /// Throws if a refresh with the configured certificate would fail or lose the binding. A public client's refresh token
    /// is bound to the certificate itself (RFC 8705 section 4). Without a certificate, the new token would be unbound.
    func checkRefresh(of session: Session) throws {
        if authentication.method == .none || clientKeys.certificate == nil { _ = try certificate(of: session) }
    }

    /// Whether the provider's own API rejects the token (status 401). Every other result does not say anything about it.
    package func rejects(_ token: AccessToken, of session: Session) async -> Bool {
        do {
            // Only the server that issued the token gets it.
            let client = try renewing(session)
            if let person = client.provider.person {
                if let api = try client.api(token, scopes: session.scopes) { _ = try await person(api) }
            } else {
                let request = try client.userInfo(client.prover(of: session), client.certificate(of: session))
                _ = try await request.claims(of: session.subject, accessToken: token)
            }
            return false
        } catch OAuthError.invalidResponse(.status(401), _) { return true } catch {
            return error as? CredentialError == .invalid(nil)
        }
    }

    func renewing(_ session: Session) throws -> ProviderClient {
        let provider = try self.provider.located(for: session)
        guard provider.tenant != self.provider.tenant, let metadata = try provider.fixedMetadata() else {
            return self
        }
        return try ProviderClient(provider, metadata: metadata, keys: clientKeys, services: services)
    }
}

extension Provider {
    func located(for session: Session) throws(NotSignedIn) -> Provider {
        try located(for: session.issuer, session.source)
    }

    func located(for sessionIssuer: String, _ source: Grant.Source) throws(NotSignedIn) -> Provider {
        // The session's tokens belong to the project's client.
        if source == .project { return self }
        var located = self
        switch dialect.endpoints?.issuer {
        case .spellings(let issuers):
            if issuers.first.map(moved).hasSameBytes(as: sessionIssuer) { return self }
        case .tenants(let template):
            let rule = TenantIssuers(template: moved(template), allowed: .every)
            if let tenant = rule.tenant(of: sessionIssuer) {
                located.tenant = tenant
                return located
            }
        case .some(.none), nil:
            if let own = try? HTTPURL(sessionIssuer), issuer.isSameIssuer(as: own) { return self }
        }
        throw .otherIssuer(provider: id, issuer: sessionIssuer)
    }
}
