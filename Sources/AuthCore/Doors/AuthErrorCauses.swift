extension AuthError {
    /// What a use case throws, as a door says it.
    init(_ error: any Error, provider: String? = nil) {
        if let known = error as? AuthError {
            self = known
            return
        }
        let (code, claim) = AuthError.reading(error)
        self.init(code, provider: provider, claim: claim, underlying: error)
    }

    /// Runs `body`; whatever it throws becomes this type.
    static func saying<R>(
        provider: String? = nil, isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> R
    ) async throws(AuthError) -> R {
        do { return try await body() } catch { throw AuthError(error, provider: provider) }
    }

    private static func reading(_ error: any Error) -> (Code, claim: String?) {
        switch error {
        case let error as NotSignedIn: (reading(error), nil)
        case let error as VaultError: (reading(error), nil)
        case let error as IDTokenRejection: reading(error)
        case let error as IDTokenRefused: reading(error.rejection)
        case let error as OAuthError: (reading(error), nil)
        case let error as SignInError: (reading(error), nil)
        case HTTPError.cancelled, is CancellationError: (.cancelled, nil)
        case HTTPError.forbiddenAddress, HTTPError.plainHTTP, HTTPError.clientUnavailable,
            HTTPError.certificateWanted, HTTPError.certificateRefused, HTTPError.certificateUnusable:
            (.invalidConfiguration, nil)
        case is HTTPError, is DocumentError, is ListenerError: (.networkFailed, nil)
        case let error as JOSEError: reading(IDTokenRejection.jose(error))
        case is BoundToken: (.unsupported, nil)
        case is KeySetError, is JSONError: (.invalidResponse, nil)
        case is ProviderError, is ProfileError, is ConfigFileError, is DiscoveryError, is HTTPURLError,
            is WorkloadError,
            is PrivateKeyProblem, is CertificateProblem, is InsecureFile, is EntryFileProblem, is DirectoryElsewhere,
            is NoProject:
            (.invalidConfiguration, nil)
        case is StoreError: (.storeUnavailable, nil)
        case is AccountConflict: (.conflict, nil)
        case RequestRefused.host, RequestRefused.otherResource: (.operationNotAllowed, nil)
        case AccountRefusal.requiresRecentLogin, AccountRefusal.staleProof: (.requiresRecentLogin, nil)
        case is AccountRefusal, is MadeElsewhere, is NotRenewed, is CredentialError, is FirebaseError,
            is RequestRefused:
            (.refused, nil)
        default: (.internalError, nil)
        }
    }

    private static func reading(_ error: NotSignedIn) -> Code {
        switch error {
        case .ambiguous, .ambiguousAccount, .ambiguousPrefix, .onlyForResources,
            .severalAccounts, .noCurrent:
            .ambiguous
        case .noToken, .passwordAlone: .noSuchToken
        case .unknownAccount: .accountNotFound
        case .elsewhere: .invalidConfiguration
        default: .signInRequired
        }
    }

    private static func reading(_ error: VaultError) -> Code {
        switch error {
        case .locked, .noPassphrase, .wrongPassphrase, .unanswered: .vaultLocked
        case .dismissed: .cancelled
        default: .vaultUnavailable
        }
    }

    private static func reading(_ error: OAuthError) -> Code {
        switch error {
        case .refused("access_denied", _, _): .cancelled
        case .refused: .refused
        case .unavailable: .networkFailed
        case .tooManyRequests: .tooManyRequests
        case .reservedParameter: .invalidConfiguration
        case .missingScopes: .insufficientScope
        default: .invalidResponse
        }
    }

    private static func reading(_ error: SignInError) -> Code {
        switch error {
        case .timedOut, .unanswered, .nothingPasted: .timedOut
        case .noBrowser, .interactionRequired: .signInRequired
        default: .invalidConfiguration
        }
    }

    private static func reading(_ rejection: IDTokenRejection) -> (Code, claim: String?) {
        switch rejection {
        case .jose(.signature), .jose(.noKey), .jose(.ambiguousKey), .jose(.algorithm), .jose(.keyIdentifier):
            (.invalidSignature, nil)
        case .jose: (.malformedToken, nil)
        case .claim(let name): (.invalidClaim, name)
        case .issuer: (.wrongIssuer, "iss")
        case .audience: (.wrongAudience, "aud")
        case .authorizedParty: (.wrongAudience, "azp")
        case .expired: (.expiredToken, "exp")
        case .notYetValid: (.tokenNotYetValid, "nbf")
        case .issuedInFuture: (.tokenNotYetValid, "iat")
        case .issuedTooLongAgo, .lifetime: (.invalidClaim, "iat")
        case .nonce: (.invalidClaim, "nonce")
        case .accessTokenHash: (.invalidClaim, "at_hash")
        case .codeHash: (.invalidClaim, "c_hash")
        case .authenticationTooOld: (.insufficientAuthentication, "auth_time")
        case .authenticationContext: (.insufficientAuthentication, "acr")
        }
    }
}
