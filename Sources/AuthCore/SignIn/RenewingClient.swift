extension ProviderClient {
    /// What proves that the key of a session is here; nil where its tokens are anybody's who has them.
    /// - Throws: `NotSignedIn.keyLost`.
    func prover(of session: Session) throws -> DPoPProver? {
        try session.grant.neededKey().map { DPoPProver(try DPoPKey($0), services) }
    }

    /// This client where the tokens of a session came from: at a provider with tenants, the session's own.
    /// - Throws: `NotSignedIn.elsewhere` when the entry now names another issuer, whom its tokens are no business of.
    func renewing(_ session: Session) throws -> ProviderClient {
        // Its tokens are another client's: there is nothing to renew.
        if session.source == .project { return self }
        switch metadata.issuers {
        case .tenants(let rule):
            guard let tenant = rule.tenant(of: session.issuer) else { break }
            var provider = self.provider
            provider.tenant = tenant
            guard let metadata = try provider.builtInMetadata() else { break }
            return try ProviderClient(provider, metadata, held, services)
        case .exact(let issuer) where issuer.hasSameBytes(as: session.issuer): return self
        case .spellings(let issuers) where issuers.first?.hasSameBytes(as: session.issuer) == true: return self
        case .origin where provider.issuer.text.hasSameBytes(as: session.issuer): return self
        default: break
        }
        throw NotSignedIn.elsewhere(provider: provider.id, issuer: session.issuer)
    }
}
