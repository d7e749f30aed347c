extension CurrentToken {
    /// A token that was handed out.
    package enum Token: Sendable, Equatable {
        case access(AccessToken)
        case id(RawIDToken)

        package var kind: Kind { if case .access = self { .access } else { .id } }

        /// The text itself, for whom it was asked.
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
        package let validity: TokenValidity
        package let scopes: [String]
        /// `host:port` of the emulator that made it; nil for a real one.
        package let emulator: String?
        package internal(set) var notes: [Note]
        /// What it takes to use it; an ID token is used by who has it.
        package let binding: Grant.Binding
        /// What the server called a token that another one was traded for; nil for a session's own.
        package let issued: IssuedType?
        /// As it is now; nil for a token that the caller was given, or that another one was traded for.
        let session: Session?

        /// Seconds since 1970.
        package var expiresAt: Int64? { validity.expiresAt }

        /// RFC 8693 section 2.2.1.
        package struct IssuedType: Sendable, Equatable {
            package let name: String
            /// False for `N_A`: it is not used as an access token.
            package let isAccess: Bool
        }

        init(_ token: Token, of session: Session, _ note: Note?) {
            self.token = token
            validity = session.validity(of: token.kind)
            notes = note.map { [$0] } ?? []
            providerID = session.providerID
            scopes = session.scopes
            emulator = session.directory?.emulator
            binding = if case .access = token { session.binding } else { .bearer }
            issued = nil
            self.session = session
        }

        /// What another token was traded for.
        /// - Parameter notes: what is to be known of that one.
        init(
            _ tokens: TokenResponse, of provider: String, asked: [String], _ binding: Grant.Binding, now: Int64,
            _ notes: [Note]
        ) {
            token = .access(tokens.accessToken)
            providerID = provider
            validity = TokenValidity(expiresAt: tokens.expiresIn.map { now + $0 }, lifetime: tokens.expiresIn)
            scopes = tokens.scopes ?? asked
            emulator = nil
            self.notes = notes
            self.binding = binding
            issued = tokens.issuedTokenType.map { IssuedType(name: $0, isAccess: tokens.isTyped) }
            session = nil
        }

        /// The account whose token it is; nil if it is not a session's own.
        package var accountUID: String? { session?.accountUID }

        /// A client where the token came from, whatever entry was asked; nil at any other issuer.
        /// - Throws: `NotSignedIn.elsewhere` where the entry that was asked now names another issuer.
        func renewing(_ client: ProviderClient) throws -> ProviderClient? {
            guard let session else { return client.provider.id == providerID ? client : nil }
            guard client.provider.id != providerID else { return try client.renewing(session) }
            return session.source == .project ? nil : try? client.renewing(session)
        }

        /// What proves that the key is here which the token is bound to; nil for a bearer token.
        /// - Throws: `NotSignedIn.keyLost`.
        func prover(of client: ProviderClient) throws -> DPoPProver? { try session.flatMap(client.prover) }

        /// An access token that the caller was given: nothing else is known of it.
        package init(token: AccessToken, providerID: String) {
            self.token = .access(token)
            self.providerID = providerID
            validity = TokenValidity(expiresAt: nil, lifetime: nil)
            scopes = []
            emulator = nil
            notes = []
            binding = .bearer
            issued = nil
            session = nil
        }
    }

    /// What a person should know of a token that was handed out.
    package enum Note: Sendable, Equatable {
        /// The provider's token endpoint is at another origin than before.
        case moved(from: String, to: String)
        /// It is an old one: the provider could not be reached.
        case notRefreshed
        /// The current account has no session with the provider: it is this account's, which the user did not name.
        case otherAccount(String, provider: String)
        /// It is an old one: the CI system gives this job no new one.
        case jobOver(platform: String)
    }
}

extension Session {
    /// The token of a kind; nil where there is none.
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
