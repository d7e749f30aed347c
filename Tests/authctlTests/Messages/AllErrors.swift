import Glibc
import Testing

@testable import AuthCore
@testable import authctl

/// Every case of every error type, with a value for each associated value.
enum AllErrors {
    static func all(with v: String) throws -> [any Error] {
        let text = ServerText(v)
        let here: DirectoryOrigin = .project(id: "a", tenant: nil, emulator: nil)
        let emulated: DirectoryOrigin = .project(id: "a", tenant: nil, emulator: v)
        return try accounts(v) + stores(v) + providers(v, text) + tokens(v, text)
            + stepUps(v)
            + [
                DirectoryMismatch(kind: .session, provider: v, origin: here, current: emulated),
                DirectoryMismatch(kind: .session, provider: v, origin: emulated, current: here),
                DirectoryMismatch(kind: .signIn, provider: v, origin: nil, current: here),
                DirectoryMismatch(
                    kind: .session, provider: v, origin: .project(id: "a", tenant: v, emulator: nil), current: here),
                DirectoryMismatch(kind: .session, provider: v, origin: here, current: .local), ProjectSessionEnded(),
                ProjectSessionEnded(cause: .disabled, provider: v),
                ProjectSessionEnded(cause: .accountDeleted, provider: v),
                IDTokenRefused(
                    rejection: .expired(at: 1, now: 2), issuer: try HTTPURL("https://a.example"), clockOffset: 3),
                IDTokenRefused(rejection: .otherUser, issuer: try HTTPURL("https://a.example"), provider: "oidc.a"),
                CommandError(.usage, v), InvalidInput(v), CommandError(.invalidConfiguration, v, hint: nil),
                InputProblem(what: v, reason: v),
                UsageProblem.missing(["--email"]), UsageProblem.requires(v, ["--issuer"]),
                UsageProblem.requires(v, [v, v]), UsageProblem.excluded("--account", by: v),
                UsageProblem.unconfirmed(v), UsageProblem.anonymousLost(v, uid: v),
                ToolSetup.notCreated(v), CommandError(.toolNotSetUp, v),
                NotRevoked(providers: [v]), NotRevoked(providers: [v, "b"], isStored: true),
                NotRevoked(providers: [v], isStored: true, isRetried: true),
                NotRevoked(providers: [v], isOtherClients: true),
                NotRevoked(providers: [v], error: InsecureFile(path: v, .owner(1))),
                NotRevoked(
                    providers: [v], isStored: true, isRetried: true,
                    error: InsecureFile(path: v, .mode(0o644, isOwn: true))),
                NotRevoked(
                    providers: [v, "b"], isStored: true, error: KeyFileProblem(file: v, error: .malformed)),
                NotRevoked(providers: [v], isStored: true, error: HTTPError.timedOut(origin: v)),
                NotRevoked(providers: [v], isStored: true, isOtherClients: true),
                NotRevoked(providers: [v], isStored: true, isRetried: true, isOtherClients: true),
                IdentityAssertionRefused(
                    provider: v, audience: v, error: .refused(code: "access_denied", description: text, at: .exchange)),
                ServeFileError(file: "the audit file", error: .notAPlainFile(path: v)),
                Child.NotStarted(command: v, number: 2),
                LocalDirectoryRequired(), ProjectRequired(), NoProviderConfigured(),
                ExplainedError(
                    error: AccountConflict.existsWithDifferentCredential(email: v, providers: [v], pendingID: v),
                    reason: .hint(.run("authctl link --pending"))),
                SignInAfterSetup(provider: v, again: .signIn(v), error: NotSignedIn.noAccount),
                ExchangeFailed(
                    provider: v, audiences: [v], resource: nil,
                    error: OAuthError.refused(code: "invalid_target", description: text, at: .exchange)),
                ExchangeFailed(
                    provider: v, audiences: [], resource: nil,
                    error: OAuthError.refused(code: "invalid_request", description: nil, at: .exchange)),
                ExchangeFailed(
                    provider: v, audiences: [], resource: nil,
                    error: OAuthError.refused(code: "access_denied", description: nil, at: .exchange)),
                SignInAfterSetup(provider: v, again: .signIn(v), error: CancellationError()),
                ExplainedError(
                    error: NotSignedIn.noAccount, reason: .emptyProfile(v, known: [v], isFromVariable: true)),
                UnconfirmedRepository(
                    path: "/\(v)", remote: v, account: v, missing: CommandError(.accountNotFound, v)),
                ExplainedError(
                    error: NotSignedIn.noSession(provider: nil),
                    reason: .signedOut(account: v, choice: "the current account")),
                ExplainedError(error: NotSignedIn.noSession(provider: v), reason: .unconfigured(v)),
                ExplainedError(
                    error: NotSignedIn.noSession(provider: "google.com"), reason: .unconfigured("google.com")),
                try #require(AccountChoice(source: .environment, account: v).missing),
                PendingNotLinked(error: AccountConflict.userMismatch),
                ExplainedError(error: SignInError.interactionRequired, reason: .hasPassword),
                ExplainedError(error: ProviderError.notConfigured(v), reason: .misspelled(near: v)),
                ProviderError.onlyAnApp(v), ProviderError.noClient(v), AccountRefusal.onlyPersonalToken(provider: v),
                AccountRefusal.accessTokenWithoutTime(provider: v),
                ExplainedError(
                    error: ProviderError.unknownID(v), reason: .incomplete(v, variable: "AUTHCTL_OIDC_WORK_ISSUER")),
                ExplainedError(error: ProviderError.unknownID(v), reason: .account(v, "authctl signin oidc.work")),
                SignInError.registeredPortInUse(8400),
                FieldMissing(
                    path: FieldPath(text: v, whole: .run("authctl whoami --json")), place: v, part: v, known: [v]),
                ProviderError.invalid(setting: v, .misspelled("issuer", as: v, line: 4)), CancellationError(),
                SystemConfigurationError(path: v, fault: .file(.owner(1))),
                SystemConfigurationError(path: v, fault: .file(.writable(mode: 2))),
                SystemConfigurationError(path: v, line: 3, fault: .profiles),
                SystemConfigurationError(path: v, line: 3, fault: .secret(v)),
                SystemConfigurationError(path: v, line: 3, provider: v, fault: .setting(v, .notText)),
                SystemConfigurationError(path: v, line: 3, provider: v, fault: .unknownProvider(text)),
                SystemConfigurationError(path: v, fault: .content(.notUTF8)),
            ]
    }

    private static func stepUps(_ v: String) throws -> [any Error] {
        [
            StepUpRequired(
                requirement: try Self.challenge("insufficient_scope\", scope=\"a b"), status: 403, providerID: v,
                resource: try HTTPURL("https://api.example.com"), granted: ["a"], accountUID: "u"),
            StepUpRequired(
                requirement: try Self.challenge("insufficient_scope"), status: 403, providerID: v, resource: nil,
                granted: [],
                accountUID: "u"),
            StepUpRequired(
                requirement: try Self.challenge("insufficient_user_authentication\", max_age=5, acr_values=\"x y"),
                status: 401,
                providerID: v, resource: nil, granted: ["a"], accountUID: "u"),
            StepUpRefused(requirement: try Self.challenge("insufficient_scope"), rounds: 3),
        ]
    }

    private static func challenge(_ error: String) throws -> StepUp {
        let value = "Bearer error=\"\(error)\""
        return try #require(StepUp(HTTPResponse(status: 403, headers: [(name: "WWW-Authenticate", value: value)])))
    }

    private static func accounts(_ v: String) -> [any Error] {
        let conflicts: [AccountConflict] = [
            .existsWithDifferentCredential(email: v, providers: ["password"], pendingID: v),
            .existsWithDifferentCredential(email: v, providers: [v], pendingID: v),
            .existsWithDifferentCredential(email: v, providers: ["emailLink"], pendingID: v),
            .existsWithDifferentCredential(email: v, providers: [], pendingID: v),
            .credentialAlreadyInUse(provider: v, email: v, pendingID: v), .providerAlreadyLinked(v),
            .providerAlreadyLinked("password"),
            .noSuchProvider(v), .emailAlreadyInUse(v), .userMismatch,
        ]
        func pending(_ reason: PendingCredential.Reason) -> PendingCredential {
            PendingCredential(id: v, providerID: v, email: v, reason: reason, accountUID: v, expiresAt: 0)
        }
        let refusals: [AccountRefusal] = [
            .lastProvider(v), .consentRequired(provider: v), .requiresRecentLogin, .staleAuthentication,
            .customTokenNeeded,
            .noSuchPending(v),
            .noSuchPending(nil), .otherPending(pending(.accountExists)), .otherPending(pending(.alreadyInUse)),
            .ambiguousPending([v, "b"]), .machine,
            .anonymous(uid: v), .signedOut(uid: v), .isLocalAccount, .noEmail, .sharedToken(provider: "github.com"),
            .sharedToken(provider: v), .otherAddress(v),
            .invalidImport(.notJSON),
        ]
        let passwords: [PasswordError] = [.wrong, .wrongInProject, .weak(.common), .throttled(3), .invalidEmail(v)]
        let absent: [NotSignedIn] = [
            .noAccount, .noCurrent(others: [v]), .noCurrent(others: [v, "b"]), .passwordSessionOnly, .unknownAccount(v),
            .unknownAccount("\(v)@example.com"),
            .ambiguousAccount(v, uids: [v, "b"]), .ambiguousPrefix(v, accounts: [v, "b"]), .noSession(provider: v),
            .noSession(provider: nil), .noSession(provider: v, user: v),
            .signedOut(Account(uid: v, createdAt: 0, lastSignInAt: 0, providerData: [])),
            .ambiguous([v, "b"]), .onlyForResources(["https://a.example", "https://b.example"], provider: v),
            .otherAccounts(provider: v, account: nil, accounts: [v, "b"]),
            .otherAccounts(provider: v, account: v, accounts: ["b"]),
            .noSessionForResource("https://a.example", others: []), .challenged(url: "https://a.example"),
            .noSessionForResource("https://a.example", others: [v]), .noToken(.access, provider: v),
            .noToken(.id, provider: v),
            .expired(provider: v), .ended(provider: v, at: 3), .personalTokenExpired(provider: "github.com", isExpired: true),
            .refused(provider: v), .clientForgotten(provider: v), .responseLost(provider: v),
            .tokenRejected(provider: v, isPersonal: false),
            .tokenRejected(provider: "github.com", isPersonal: true), .tokenRejectedFor(path: v, provider: v),
            .noIDTokenAtRefresh(provider: v), .keyLost(provider: v), .otherCertificate(provider: v),
            .certificateMissing(provider: v),
            .unbound(provider: v), .jobTokensExpired(platform: v),
            .otherIssuer(provider: v, issuer: "https://a.example"),
        ]
        let names: [AccountNameError] = [.noName(v), .taken(v, owner: v), .uid(v), .unnamed(account: v)]
        return conflicts as [any Error] + refusals + passwords + absent + names
    }

    private static func stores(_ v: String) -> [any Error] {
        let stores: [StoreError] = [
            .system(operation: "open", path: v, code: 13), .wrongOwner(path: v, owner: 1),
            .foreignPath(path: v, place: v, owner: 1), .exposedPath(path: v, place: v, mode: 0o777),
            .tooOpen(path: v, mode: 0o666, expected: 0o600), .notAPlainFile(path: v), .notADirectory(path: v),
            .damaged(path: v, reason: "x"),
            .newer(path: v), .lostKey(path: v), .damagedEntry(v), .busy(name: v, holder: v),
            .busy(name: v, holder: nil), .notWritable(path: v, code: 13), .notWritable(path: v, code: 30),
            .notWritable(path: v, code: 28), .notWritable(path: v, code: 27), .tooLong(path: v, limit: 1),
            .database(reason: v), .noLocks(path: v),
        ]
        let reasons: [VaultError.Reason] = [
            .noBus, .noService, .noCollection, .timeout(seconds: 1), .missing, .damaged, .tooExpensive, .noLibrary,
            .refused(ServerText(v)),
        ]
        var vaults = reasons.map { VaultError.unavailable(.keyring, $0) }
        vaults += reasons.map { VaultError.cannotStore(.keyring, $0) }
        vaults += [
            .locked(.keyring), .noPassphrase, .dismissed, .timedOut(seconds: 1), .wrongPassphrase, .weakPassphrase,
            .notConfirmed, .lostKey(.keyring, .missing, database: v), .cannotLock, .noTimeLimit(.file),
            .noTimeLimit(.keyring),
        ]
        let files: [ConfigFileError] = [
            .unreadable(path: v, .notUTF8), .invalid(path: v, setting: "profile 'x': directory", .notText),
            .unchangeable(path: v, .yaml(YAMLProblem(position: nil, reason: .notYAML))),
        ]
        let profiles: [ProfileError] = [
            .appCheckToken, .nameTaken(v), .secretNotSet(provider: v, variable: "V"), .emulator(v, .malformed),
            .emulator(v, .notAllowed(host: v)),
        ]
        let hosts: [EmulatorHost.Refusal] = [.malformed, .notAllowed(host: v)]
        let links: [ActionLink.Fault] = [
            .noCode, .notFor(.resetPassword), .notFor(.verifyEmail), .notFor(.signIn), .otherAddress(v),
        ]
        return stores as [any Error] + vaults + files + profiles + hosts + links
    }

    private static func providers(_ v: String, _ text: ServerText) throws -> [any Error] {
        let providers: [ProviderError] = [
            .sharedVariable("AUTHCTL_OIDC_A_B_TOKEN", ["oidc.a.b", "oidc.a-b"]), .unknownID(v), .unknownID("firebase"),
            .unknownID("okta"),
            .unknownID("ci.github"), .notConfigured("ci.github"),
            .notConfigured(v), .notConfigured("github.com"), .invalid(setting: v, .notText),
            .invalid(setting: v, .notAMapping),
            .invalid(setting: v, .certificateNeeded(.tlsClientAuth)),
            .invalid(setting: v, .notListed(v)),
            .invalid(setting: v, .certificateWithoutKey), .invalid(setting: v, .certificateWithoutSubject),
            .invalid(setting: v, .certificateWithoutTLS(.tlsClientAuth)),
            .invalid(setting: v, .certificateExpired(at: 1)),
            .invalid(setting: v, .certificateNotYetValid(from: 1)), .fapi2(provider: v, .unboundTokens),
            .fapi2(provider: v, .secret), .fapi2(provider: v, .flow(.exchange)),
            .notAURL(setting: v, text), .noProof(provider: v), .noSuchOption(.prompt, provider: v),
        ]
        let credentials: [CredentialError] = [
            .neverAccepted, .noIDTokens, .namesNoUser, .invalid(text), .otherClient, .nonceRequired, .secretNeeded,
            .installationToken, .refreshToken, .personalTokenInProject, .notPersonalToken(page: v),
            .personalTokenRejected(page: v),
        ]
        var installations: [InstallationError] = [
            .unsupported(provider: v), .notAnApp(provider: v, isConfigured: false),
            .notAnApp(provider: v, isConfigured: true), .keyMissing(provider: v), .appRejected(provider: v, text),
            .refused(provider: v, status: 403, text),
        ]
        if let repository = Repository("a/b"), let permission = InstallationPermission("contents=write") {
            installations += [
                .notInstalled(repository, provider: v),
                .permissionsRefused(InstallationRequest(repository, [permission, permission]), provider: v, nil),
                .permissionsRefused(InstallationRequest(repository, [permission]), provider: v, text),
            ]
        }
        let remedies: [WorkloadRemedy] = [
            .permission, .namedToken, .context, .platform("github"), .mappedVariable("V"), .serviceConnection,
            .stepSetting, .projectedVolume, .path,
        ]
        var jobs = remedies.map { WorkloadError.missing(v, platform: v, remedy: $0) }
        jobs += [
            .unknown(v), .notInAJob, .noFile(v, platform: v), .ambiguous([v, "b"], platform: "file"),
            .audienceNeeded(platform: v), .issuerNeeded(platform: v, token: text), .command(v, text),
            .noToken(platform: v, status: 500), .issuer(text, platform: v), .claim(v),
            .requirement(v, actual: text), .requirement(v, actual: nil), .usedBefore,
        ]
        let discoveries: [DiscoveryError] = [
            .issuerMismatch(expected: v, found: text), .issuerMismatch(expected: v, found: nil),
            .document(.notAnObject), .missingEndpoint(v), .invalidEndpoint(v, .notAURL), .unsupported(.codeFlow),
            .notFound(url: v), .onlyOAuthDocument(url: v, issuer: v),
        ]
        let api = try HTTPURL("https://api.example.com/v1")
        let resources: [ProtectedResourceError] = [
            .notFound(url: v), .document(.notAnObject, url: v), .otherResource(requested: v, found: text),
            .otherResource(requested: v, found: nil), .noAuthorizationServer(v),
            .tooManyAuthorizationServers(50, resource: v), .invalidURL(v, text, .plainHTTP),
            .severalAuthorizationServers([v, "b"], resource: v),
            .otherServer(provider: v, issuer: v, resource: "https://api.example.com"),
            .noClient(issuer: v, provider: v, supportsMetadataDocuments: true),
            .noClientWithoutUser(issuer: v, provider: "oidc.a", document: .oauth),
            .noClient(issuer: v, provider: v, supportsMetadataDocuments: false),
            .otherScope(text, provider: v, resource: v),
            .noUserGrant(issuer: v, offered: [v]), .consentRequired(.wider(api, than: api)),
            .consentRequired(.token(provider: v, isNamed: false, resource: api, all: ["a", "b"], unnamed: ["b"])),
            .consentRequired(.token(provider: v, isNamed: true, resource: api, all: ["a", "b"], unnamed: ["b"])),
            .consentRequired(.moved(api, provider: v, account: v, from: api, to: api)),
        ]
        let sessions: [NotSignedIn] = [
            .ofResource(.expired(provider: v), api, provider: v, source: .browser),
            .ofResource(.refused(provider: v), api, provider: v, source: .clientCredentials),
        ]
        let documentsOfClients: [ClientMetadataError] = [
            .url(v), .noDocument(v), .otherClient(v, found: text), .otherClient(v, found: nil), .noRedirectURI(v),
            .method(v, text),
        ]
        let keys: [KeyError] = [
            .weakRSA(bits: 512), .invalidPoint, .malformed, .unsupported(v), .passphraseNeeded, .wrongPassphrase,
            .unsupportedEncryption,
        ]
        let network: [HTTPError] = [
            .cannotConnect(origin: v, reason: v), .timedOut(origin: v), .tooLarge(origin: v),
            .connectionLost(origin: v, reason: v), .noResponse(origin: v, reason: v),
            .malformedResponse(origin: v, reason: v), .plainHTTP(origin: v),
            .plainHTTPThroughProxy(origin: v), .invalidField(.name(v)), .forbiddenAddress(origin: v),
            .clientUnavailable, .cancelled, .certificateRequired(origin: v), .certificateUnusable(origin: v, reason: v),
            .certificateRefused(origin: v, reason: .expired),
        ]
        let distrusts: [Distrust] = [
            .selfSigned, .unknownAuthority, .expired, .notYetValid, .otherName, .noName, .handshakeRefused, .noTLS,
            .other(v),
        ]
        let proxyFaults: [ProxyFault] =
            [.unknownName, .unreachable, .noResponse, .refused, .status(407), .status(502)]
            + distrusts.map(ProxyFault.untrusted)
        let documents: [DocumentError] = [
            .status(500, url: v), .status(404, url: v), .redirect(url: v, to: text),
            .tooManyRequests(origin: v, retryAfter: 3), .tooManyRequests(origin: v, retryAfter: nil),
        ]
        let fields: [HTTPFieldProblem] = [.name(v), .value(name: v)]
        let faults: [PathFault.Reason] = [
            .system(code: 2), .owner(1), .writable(mode: 0o777), .otherKind, .tooLong(limit: 1),
        ]
        let pathFaults = [nil] + faults.map { PathFault(path: v, $0) }
        let certificates =
            [nil, v].flatMap { setting in
                pathFaults.map { CertificateFileError(path: v, fault: $0, setting: setting) }
            } + [CertificateFileError(path: v, fault: nil, setting: v, isDER: true)]
        return providers as [any Error] + credentials + installations + jobs + discoveries + sessions + resources
            + documentsOfClients + keys
            + network
            + distrusts.map { HTTPError.untrusted(origin: v, reason: $0) }
            + proxyFaults.map { HTTPError.proxyFailed(origin: v, proxy: v, fault: $0) } + documents + fields
            + certificates + [
                WorkloadRefused(
                    provider: v, issuer: v, audience: v,
                    error: .refused(code: "invalid_grant", description: text, at: .token)),
                HTTPURLError.host, KeyFileProblem(file: v, error: .malformed),
                KeyFileProblem(file: v, error: .notACertificate),
                ConfiguredFileError(setting: v, cause: InputProblem(what: v, reason: v)),
                ConfiguredFileError(setting: v, cause: StoreError.tooLong(path: v, limit: 1)),
                InsecureFile(path: v, .owner(1)), InsecureFile(path: v, .mode(0o644, isOwn: true)),
                InsecureFile(path: v, .mode(0o644, isOwn: false)),
                KeyFileProblem(file: v, error: .otherKey), KeyError.notACertificate,
                OpenSSLError(operation: v, reasons: []),
            ]
    }

    private static func tokens(_ v: String, _ text: ServerText) -> [any Error] {
        let codes = [
            "access_denied", "login_required", "consent_required", "user_cancelled_authorize", "invalid_client",
            "unverified_user_email", "server_error", "expired_token", "invalid_grant", "invalid_target",
        ]
        var oauthErrors = codes.map { OAuthError.refused(code: $0, description: text, at: .token) }
        oauthErrors += [
            .invalidResponse(.noEndpoint, at: .token), .invalidResponse(.notByMode(.query), at: .authorization), .unavailable(status: 500, origin: v),
            .tooManyRequests(origin: v, retryAfter: nil), .issuerMixUp, .stateMismatch, .reservedParameter(v),
            .missingScopes([v]),
        ]
        let rejections: [IDTokenRejection] = [
            .jose(.encrypted), .jose(.signature), .claim(v), .issuer(text, expected: v),
            .issuer(ServerText("https://securetoken.google.com/demo"), expected: "https://securetoken.google.com/\(v)"),
            .audience(text, expected: v), .otherAudiences([v, "b"]),
            .authorizedParty,
            .expired(at: 1, now: 2), .notYetValid(at: 2, now: 1), .issuedInFuture(at: 2, now: 1),
            .issuedTooLongAgo(at: 1, now: 2), .nonce, .nonceMissing, .accessTokenHash, .codeHash,
            .authenticationTooOld, .authenticationContext,
        ]
        let signIns: [SignInError] = [
            .timedOut(seconds: 1), .recentlyTimedOut(pause: 1), .noBrowser, .interactionRequired,
            .noFixedPort, .confirmationNeedsTerminal, .notConfirmed,
            .unreachableRedirectURI(v), .redirectURINeeded(provider: v), .notThroughProject(.prompt, provider: v),
            .notThroughProject(.prompt, provider: "github.com"), .nonceUsedBefore,
            .browserNeedsSecret(provider: v, flow: .auto),
            .browserNeedsSecret(provider: "github.com", flow: .paste), .noPendingSignIn(v),
            .onlyByOwnClient(.pushedRequest, provider: v), .onlyByOwnClient(.boundTokens, provider: "github.com"),
            .startedAs(.signIn, id: v), .startedAs(.link, id: v), .startedAs(.reauthenticate, id: v), .emptyInput,
            .notTheCallback(.notACallback, redirectURI: v, .signIn, id: v),
            .notTheCallback(.anotherPage, redirectURI: v, .link, id: v),
            .notTheCallback(.anotherSignIn, redirectURI: v, .reauthenticate, id: v),
            .notTheCallback(.cutOff, redirectURI: v, .signIn, id: v),
        ]
        let requests: [RequestRefused] = [
            .host(origin: "https://a.example", provider: v, owner: nil),
            .host(origin: "https://a.example", provider: SessionIssuer.projectID, owner: nil),
            .host(origin: "https://a.example", provider: "a", owner: SessionOwner(provider: v, account: v)),
            .host(origin: "https://a.example", provider: "a", owner: SessionOwner(provider: v, account: nil)),
            .host(origin: "https://a.example", provider: "a", owner: SessionOwner(provider: "a", account: nil)),
            .otherResource(url: "https://a.example/x", provider: v),
            .status(401, variable: nil, session: .expired(provider: v)),
            .status(401, variable: "AUTHCTL_X_TOKEN", session: nil), .status(404, variable: nil, session: nil),
            .host(origin: "http://a.example:80", provider: v, owner: nil),
            .hostWithoutConfiguration(origin: "https://a.example", provider: v),
            .exchange(resource: v, provider: v, at: v), .redirect(302, to: ServerText(v)),
            .tooManyRequests(retryAfter: 1),
        ]
        let project = [
            "USER_NOT_FOUND", "TOKEN_EXPIRED", "INVALID_ID_TOKEN", "INVALID_REFRESH_TOKEN",
            "CREDENTIAL_TOO_OLD_LOGIN_AGAIN", "FEDERATED_USER_ID_ALREADY_LINKED", "PROJECT_DISABLED", "EMAIL_NOT_FOUND",
            "INVALID_PASSWORD", "TENANT_ID_MISMATCH", "NOBODY_KNOWS",
        ]
        var refusals = project.map { FirebaseError.refused(code: $0, detail: text) }
        refusals += [
            .apiKey(text), .apiKey(ServerText("Requests from referer <empty> are blocked.")), .serviceDisabled(text),
            .appCheck(hadToken: true), .appCheck(hadToken: false),
            .secondFactor(.interactionRequired), .secondFactor(.phone), .secondFactor(.unknown),
            .emailNeedsVerification(v), .invalidResponse(.noTokens), .noSuchCall(call: v),
        ]
        return oauthErrors as [any Error] + rejections + signIns + requests + refusals
            + [
                ListenerError.portInUse(1), TokenBindingError.bearerOnly(provider: v, .dpop),
                TokenBindingError.bearerOnly(provider: v, .certificate), TokenBindingError.byCertificate(provider: v),
                TokenBindingError.notBound(provider: v), TokenBindingError.exchangedUnbound(provider: v),
                TokenBindingError.fromEnvironment(variable: v),
                TokenBindingError.otherIssuer(provider: v, .certificate, at: v),
                TokenBindingError.noTokenType(provider: v),
                TokenRejected(members: [:], reason: .inactive), TokenRejected(members: [:], reason: .differs(v)),
                TokenRejected(members: [:], reason: .expired), TokenRejected(members: [:], reason: .notYetValid),
                ListenerError.noLoopback(code: EADDRNOTAVAIL), ListenerError.noLoopback(code: EMFILE),
                ListenerError.otherMachine(address: v),
                KeySetError.noKeys, JSONError.notAnObject,
                JOSEError.signature, AssumeRoleError.refused(code: text, message: text), AssumeRoleError.malformed,
            ]
    }
}
