extension CurrentToken {
    /// A token that was returned.
    package enum Token: Sendable, Equatable {
        case access(AccessToken)
        case id(RawIDToken)

        package var kind: Kind { if case .access = self { .access } else { .id } }

        package func revealed() -> String {
            switch self {
            case .access(let token): token.revealed()
            case .id(let token): token.revealed()
            }
        }
    }

    package struct Result: Sendable {
        package let token: Token
        package let providerID: String
        package private(set) var validity = TokenValidity(expiresAt: nil, lifetime: nil)
        package private(set) var scopes: [String] = []
        package private(set) var emulator: String?
        package internal(set) var notes: [Note] = []
        package private(set) var binding = Grant.Binding.bearer
        package private(set) var issued: IssuedType?
        private(set) var session: Session?

        /// Seconds since 1970.
        package var expiresAt: Int64? { validity.expiresAt }

        /// RFC 8693 section 2.2.1.
        package struct IssuedType: Sendable, Equatable {
            package let name: String
            package let isAccess: Bool
        }

        init(_ token: Token, of session: Session, note: Note?) {
            self.token = token
            validity = session.validity(of: token.kind)
            notes = note.map { [$0] } ?? []
            providerID = session.providerID
            scopes = session.scopes
            emulator = session.directory?.emulator
            if case .access = token { binding = session.binding }
            self.session = session
        }

        init(_ token: VerifiedIDToken, of session: Session) {
            self.token = .id(token.raw)
            validity = TokenValidity(expiresAt: token.expiresAt, lifetime: token.lifetime)
            providerID = session.providerID
            self.session = session
        }

        init(
            _ tokens: TokenResponse, of provider: String, requested: [String], binding: Grant.Binding, now: Int64,
            notes: [Note]
        ) {
            token = .access(tokens.accessToken)
            providerID = provider
            validity = TokenValidity(expiresAt: tokens.expiresIn.map { now + $0 }, lifetime: tokens.expiresIn)
            scopes = tokens.granted(of: requested)
            self.notes = notes
            self.binding = binding
            issued = tokens.issuedTokenType.map { IssuedType(name: $0, isAccess: tokens.isTyped) }
        }

        package var accountUID: String? { session?.accountUID }

        package func isRejected(for path: String) -> Bool { session?.rejectedFor.contains(path) ?? false }

        func renewing(_ client: ProviderClient) throws -> ProviderClient? {
            guard let session else { return nil }
            guard client.provider.id != providerID else { return try client.renewing(session) }
            return session.source == .project ? nil : try? client.renewing(session)
        }

        func prover(of client: ProviderClient) throws -> DPoPProver? { try session.flatMap(client.prover) }

        package init(
            token: AccessToken, providerID: String,
            validity: TokenValidity = TokenValidity(expiresAt: nil, lifetime: nil), scopes: [String] = []
        ) {
            self.token = .access(token)
            self.providerID = providerID
            self.validity = validity
            self.scopes = scopes
        }
    }

    /// A warning about a returned token.
    package enum Note: Sendable, Equatable {
        /// The provider's token endpoint is at another origin than before.
        case moved(from: String, to: String)
        case notRefreshed
        case otherAccount(String, provider: String)
        case jobTokensExpired(platform: String)
        /// The user must sign in again before this time, in seconds since 1970.
        case endsSoon(provider: String, resource: HTTPURL?, at: Int64, _ now: Int64)

        /// Whether the token was not refreshed although it was due.
        package var isFailure: Bool {
            switch self {
            case .notRefreshed, .jobTokensExpired: true
            case .moved, .otherAccount, .endsSoon: false
            }
        }
    }
}

extension Session {
    func token(_ kind: CurrentToken.Kind) -> CurrentToken.Token? {
        switch kind {
        case .access: grant.tokens.accessToken.map { .access($0) }
        case .id: grant.tokens.idTokenExpiresAt == nil ? nil : grant.tokens.idToken.map { .id($0) }
        }
    }

    func validity(of kind: CurrentToken.Kind) -> TokenValidity {
        kind == .access ? grant.tokens.accessTokenValidity : grant.tokens.idTokenValidity
    }
}
