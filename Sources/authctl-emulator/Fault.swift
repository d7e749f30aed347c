/// A fault or variation of the emulator, so that tests can check a client's reaction.
enum Fault: String, CaseIterable, Sendable {
    // Metadata
    case discoveryWrongIssuer = "discovery-wrong-issuer"
    case discoveryRelative = "discovery-relative"
    case discoveryMoved = "discovery-moved"
    case discoveryHTML = "discovery-html"
    case emptyMetadata = "empty-metadata"
    case wrongMetadata = "wrong-metadata"
    case authorizeQuery = "authorize-query"
    case issuerSlash = "issuer-slash"
    case endpointsInOAuthDocument = "oauth-document"
    case oauthDocumentWrongIssuer = "oauth-document-wrong-issuer"
    case issuerNoURL = "issuer-no-url"
    case issuerPath = "issuer-path"
    case discovery400 = "discovery-400"
    case oauthDocument403 = "oauth-document-403"
    case revocationRenamed = "revocation-renamed"
    case deviceMetadata = "device-metadata"
    case scopesCased = "scopes-cased"
    case withoutLists = "no-lists"
    case webMessage = "web-message"
    // Registration
    case noClientManagement = "no-client-management"
    case registersSecret = "registers-secret"
    case registersUnnamed = "registers-unnamed"
    case registersEmptyMethod = "registers-empty-method"
    case registersExpiredSecret = "registers-expired-secret"
    // Authorization response
    case accessDenied = "access-denied"
    case wrongState = "wrong-state"
    case wrongResponseIssuer = "wrong-response-iss"
    case missingResponseIssuer = "missing-response-iss"
    case unadvertisedIssuer = "unpromised-iss"
    case mixUp = "mix-up"
    case openIDRefused = "openid-refused"
    case callbackExtras = "callback-extras"
    case otherResponseMode = "other-response-mode"
    case scopeInCallback = "scope-in-callback"
    case denialCancelled = "denied-cancelled"
    case denialReason = "denied-reason"
    case denialNumber = "denied-number"
    case denialWithoutState = "denied-no-state"
    case denialPage = "denied-page"
    // Pushed authorization requests
    case requiresPushed = "par-required"
    case pushedWithoutEndpoint = "par-nowhere"
    case pushedRefused = "par-refused"
    case pushedError500 = "par-500"
    case pushedTooMany = "par-429"
    case pushedRedirect = "par-redirect"
    case pushedStatus200 = "par-200"
    case pushedWithoutURI = "par-no-uri"
    case pushedExpired = "par-expired"
    case pushedLong = "par-long"
    case noPushed = "no-par"
    // Token endpoint
    case tokenError500 = "token-500"
    case tokenHTML = "token-html"
    case tokenRedirect = "token-redirect"
    case tokenErrorEchoesCode = "token-error-echoes-code"
    case tooManyRequests = "token-429"
    case echoSecret = "echo-secret"
    case textErrors = "text-errors"
    case byteOrderMark = "byte-order-mark"
    case emptyMembers = "empty-members"
    case scopeList = "scope-list"
    case unnamedScopes = "unnamed-scopes"
    case fewerScopes = "fewer-scopes"
    case rawBasic = "raw-basic"
    case secretInBody = "secret-in-body"
    case secretInBasic = "secret-in-basic"
    case proofKeyRefused = "pkce-refused"
    case secretRefused = "secret-refused"
    case basicAlways = "basic-always"
    case redirectURIRefused = "redirect-uri-refused"
    case jsonAsHTML = "json-as-html"
    case tokenChallenge = "token-challenge"
    case errorsStatus200 = "errors-200"
    case errorsNotOK = "errors-not-ok"
    case errorsByCode = "errors-errcode"
    case errorsAsMessage = "errors-message"
    case errorsAsObject = "errors-object"
    case errorsAsNumber = "errors-number"
    case nestedToken = "nested-token"
    case tokenList = "token-list"
    case scopesMember = "scopes-member"
    case scopeCommas = "scope-commas"
    case noTokenType = "no-token-type"
    case otherTokenType = "other-token-type"
    case noExpiresIn = "no-expires-in"
    case textExpiresIn = "text-expires-in"
    case expiresAt = "expires-at"
    case extraMembers = "extra-members"
    case nullRefreshToken = "null-refresh-token"
    case falseIDToken = "false-id-token"
    // Refresh
    case refreshInvalidGrant = "refresh-invalid-grant"
    case refreshError500 = "refresh-500"
    case refreshWrongSubject = "refresh-wrong-sub"
    case refreshKeepsToken = "refresh-no-rotation"
    case noRefreshToken = "no-refresh-token"
    case refreshLost = "refresh-lost"
    case refreshHangs = "refresh-hangs"
    case refreshWindow = "refresh-window"
    case refreshUntyped = "refresh-untyped"
    case refreshNoIDToken = "refresh-no-id-token"
    case refreshExpired = "refresh-expired"
    case offlineRequiresConsent = "offline-wants-consent"
    // DPoP (RFC 9449)
    case requiresProof = "dpop-required"
    case noProofs = "no-dpop"
    case requiresNonce = "dpop-nonce"
    case requiresNonceForever = "dpop-nonce-loop"
    case refusesProof = "dpop-refused"
    case returnsBearerToken = "dpop-bearer"
    case returnsBoundToken = "dpop-unasked"
    // Certificates (RFC 8705)
    case requiresCertificate = "mtls-required"
    case certificateRefused = "mtls-refused"
    case certificateUnbound = "mtls-no-cnf"
    case certificateOther = "mtls-other-cnf"
    case noTokenAlias = "mtls-no-token-alias"
    // Exchange (RFC 8693)
    case exchangeRefused = "exchange-refused"
    case exchangeDenied = "exchange-denied"
    case exchangeUnauthorized = "exchange-unauthorized"
    case exchangeTarget = "exchange-target"
    case exchangeUntyped = "exchange-n-a"
    case exchangeOtherType = "exchange-other-type"
    case exchangeUnnamed = "exchange-no-type"
    // Identity assertions (ID-JAG)
    case assertionUntyped = "id-jag-typ"
    case assertionOtherAudience = "id-jag-audience"
    case assertionOtherClient = "id-jag-client"
    case assertionOtherResource = "id-jag-resource"
    case assertionExpired = "id-jag-expired"
    case assertionRepeated = "id-jag-repeated"
    // Device endpoint
    case deviceRefused = "device-refused"
    case deviceDenied = "device-denied"
    case deviceSlowDown = "device-slow-down"
    case deviceExpired = "device-expired"
    case verificationURL = "verification-url"
    case deviceGrant = "device-grant"
    case deviceNoBasic = "device-no-basic"
    // ID token
    case wrongNonce = "wrong-nonce"
    case missingNonce = "missing-nonce"
    case wrongIssuer = "wrong-issuer"
    case wrongAudience = "wrong-audience"
    case expiredIDToken = "expired-id-token"
    case futureIDToken = "future-id-token"
    case badSignature = "bad-signature"
    case algorithmNone = "alg-none"
    case unknownKeyID = "unknown-kid"
    case wrongAccessTokenHash = "wrong-at-hash"
    case noIDToken = "no-id-token"
    case staleAuthTime = "stale-auth-time"
    case rs256IDToken = "rs256-id-token"
    case furtherAudiences = "further-audiences"
    case otherParty = "other-azp"
    case issuerWithoutScheme = "iss-without-scheme"
    case hmacIDToken = "hs256-id-token"
    case bareIDToken = "bare-id-token"
    case emailVerifiedText = "email-verified-text"
    case emailVerifiedNumber = "email-verified-number"
    case emailList = "email-list"
    case numericSubject = "numeric-sub"
    case urlSubject = "url-sub"
    case oddClaims = "odd-claims"
    // Userinfo, keys
    case userInfoWrongSubject = "userinfo-wrong-sub"
    case userInfoError500 = "userinfo-500"
    case keySetError500 = "jwks-500"
    case userInfo403 = "userinfo-403"
    // Revocation
    case revocationError503 = "revoke-503"
    case revocationUnsupported = "revoke-unsupported"
    case revocationEmptyJSON = "revoke-empty-json"
    // Introspection
    case introspectionError503 = "introspect-503"
    case introspectionRedirect = "introspect-redirect"
    case introspectionInactive = "introspect-inactive"
    // API
    case numericID = "numeric-id"
    case apiUnauthorized = "api-401"
    case apiNotOK = "api-not-ok"
    case apiErrors = "api-errors"
    case noUserID = "no-user-id"
    // Protected resource
    case resourceUnnamed = "resource-unnamed"
    case resourceAtRoot = "resource-at-root"
    case resourceMismatch = "resource-mismatch"
    case resourceRedirect = "resource-redirect"
    case resourceLarge = "resource-large"
    case resourceSeveralServers = "resource-several-servers"
    case resourceManyServers = "resource-many-servers"
    case resourceWithoutScopes = "resource-no-scopes"
    case challengeNamesScope = "challenge-scope"
    case stepUpUnnamed = "step-up-unnamed"
    case stepUpForever = "step-up-forever"
    case weakContext = "weak-acr"
    case contextRequiresOpenID = "acr-wants-openid"
    case withoutOpenID = "oauth-alone"
    case metadataDocuments = "metadata-documents"
    case noRegistration = "no-registration"
    case invalidTarget = "invalid-target"
    case resourceNotTaken = "resource-not-taken"
    // Hostile text
    case escapesInClientID = "escapes-in-client-id"
    case escapesInName = "escapes-in-name"
    case escapesInEmail = "escapes-in-email"
    case escapesInDevice = "escapes-in-device"
    case escapesInError = "escapes-in-error"
    case hostileEmail = "hostile-email"
    case ciCommands = "ci-commands"
    // GitHub
    case formTokens = "github-form"
    case expiringTokens = "github-app"
    case expiringOAuthApp = "github-expiring"
    case longInstallationTokens = "github-long-tokens"
    case otherRepositories = "github-other-repositories"
    case unverifiedEmail = "unverified-email"
    case noCredentialRevocation = "no-credential-revocation"
    // Apple
    case textBooleans = "apple-text"
    case privateRelay = "private-relay"
    // Microsoft
    case personalAccount = "personal-account"
    case foreignKey = "foreign-key"
    case templateIssuer = "template-issuer"
    case verifiedDomain = "verified-domain"
    // Google
    case oldIssuer = "old-issuer"
    // Facebook
    case noEmail = "no-email"
    case otherApp = "other-app"
    // Firebase
    case emailProtection = "email-protection"
    case escapesInProvider = "escapes-in-provider"
    case escapesInUID = "escapes-in-uid"
    case hostileProvider = "hostile-provider"
    case restrictedKey = "restricted-key"
    case mailLimit = "mail-limit"
    case appCheck = "app-check"
    case serviceDisabled = "service-disabled"
    case anonymousOff = "anonymous-off"
    case refreshQuota = "refresh-quota"
    case refreshHTML = "refresh-html"
    // CI systems
    case nameSubject = "name-subject"
    case foreignSubject = "foreign-subject"
    case jobTokenError503 = "job-token-503"
    case jobTokenLost = "job-token-lost"
    case numericJWTID = "numeric-jti"
}

extension Fault {
    /// Where the faults begin that `--fault list` shows under this title.
    static let places: [Fault: String] = [
        .discoveryWrongIssuer: "Metadata",
        .noClientManagement: "Registration",
        .accessDenied: "Authorization response",
        .requiresPushed: "Pushed authorization requests",
        .tokenError500: "Token endpoint",
        .refreshInvalidGrant: "Refresh",
        .requiresProof: "DPoP (RFC 9449)",
        .requiresCertificate: "Certificates (RFC 8705)",
        .exchangeRefused: "Exchange (RFC 8693)",
        .assertionUntyped: "Identity assertions (ID-JAG)",
        .deviceRefused: "Device endpoint",
        .wrongNonce: "ID token",
        .userInfoWrongSubject: "Userinfo, keys",
        .revocationError503: "Revocation",
        .introspectionError503: "Introspection",
        .numericID: "API",
        .resourceUnnamed: "Protected resource",
        .escapesInClientID: "Hostile text",
        .formTokens: "GitHub",
        .textBooleans: "Apple",
        .personalAccount: "Microsoft",
        .oldIssuer: "Google",
        .noEmail: "Facebook",
        .emailProtection: "Firebase",
        .nameSubject: "CI systems",
    ]

    static let authorization: Set<Fault> = [
        .accessDenied, .wrongState, .mixUp, .openIDRefused, .callbackExtras, .otherResponseMode, .scopeInCallback,
        .denialCancelled, .denialReason, .denialNumber, .denialWithoutState, .denialPage,
    ]
    static let responseIssuer: Set<Fault> = [.wrongResponseIssuer, .missingResponseIssuer, .unadvertisedIssuer]
    static let tokens: Set<Fault> = [
        .tokenError500, .tokenHTML, .tokenRedirect, .tokenErrorEchoesCode, .tooManyRequests, .echoSecret,
        .escapesInError, .refreshInvalidGrant, .refreshError500, .fewerScopes, .textErrors, .byteOrderMark,
        .emptyMembers, .scopeList, .unnamedScopes, .proofKeyRefused, .secretRefused, .basicAlways,
        .redirectURIRefused, .jsonAsHTML, .tokenChallenge, .errorsStatus200, .errorsNotOK, .errorsByCode,
        .errorsAsMessage, .errorsAsObject, .errorsAsNumber, .nestedToken, .tokenList, .scopesMember, .scopeCommas,
        .noTokenType, .otherTokenType, .noExpiresIn, .textExpiresIn, .expiresAt, .extraMembers, .nullRefreshToken,
        .falseIDToken,
    ]
    static let idTokens: Set<Fault> = [
        .wrongNonce, .missingNonce, .wrongIssuer, .wrongAudience, .expiredIDToken, .futureIDToken, .badSignature,
        .algorithmNone, .unknownKeyID, .wrongAccessTokenHash, .noIDToken, .staleAuthTime, .rs256IDToken,
        .refreshWrongSubject, .furtherAudiences, .otherParty, .issuerWithoutScheme, .hmacIDToken, .bareIDToken,
        .emailVerifiedText, .emailVerifiedNumber, .emailList, .numericSubject, .urlSubject, .oddClaims,
    ]
    static let device: Set<Fault> = [
        .escapesInDevice, .deviceRefused, .deviceDenied, .deviceSlowDown, .deviceExpired, .verificationURL,
        .deviceGrant, .deviceNoBasic,
    ]
    static let pushed: Set<Fault> = [
        .requiresPushed, .pushedWithoutEndpoint, .pushedRefused, .pushedError500, .pushedTooMany, .pushedRedirect,
        .pushedStatus200, .pushedWithoutURI, .pushedExpired, .pushedLong, .noPushed,
    ]
    static let proofs: Set<Fault> = [
        .requiresProof, .noProofs, .requiresNonce, .requiresNonceForever, .refusesProof, .returnsBearerToken,
        .returnsBoundToken,
    ]
    static let certificates: Set<Fault> = [
        .requiresCertificate, .certificateRefused, .certificateUnbound, .certificateOther, .noTokenAlias,
    ]
    static let metadata: Set<Fault> = [
        .discoveryWrongIssuer, .endpointsInOAuthDocument, .oauthDocumentWrongIssuer, .issuerSlash, .discoveryRelative,
        .discoveryMoved, .discoveryHTML, .emptyMetadata, .wrongMetadata, .authorizeQuery, .issuerNoURL, .issuerPath,
        .discovery400, .oauthDocument403, .revocationRenamed, .deviceMetadata, .scopesCased, .withoutLists, .webMessage,
    ]
    static let api: Set<Fault> = [.numericID, .apiUnauthorized, .apiNotOK, .apiErrors, .noUserID]
    static let exchange: Set<Fault> = [
        .exchangeRefused, .exchangeDenied, .exchangeUnauthorized, .exchangeTarget, .exchangeUntyped,
        .exchangeOtherType, .exchangeUnnamed, .assertionUntyped, .assertionOtherAudience, .assertionOtherClient,
        .assertionOtherResource, .assertionExpired, .assertionRepeated,
    ]
    static let refresh: Set<Fault> = [
        .refreshLost, .refreshHangs, .refreshWindow, .refreshUntyped, .refreshNoIDToken, .refreshExpired,
        .revocationUnsupported,
    ]
    static let userInfo: Set<Fault> = [
        .userInfoWrongSubject, .userInfoError500, .userInfo403,
    ]
    static let resource: Set<Fault> = [
        .resourceUnnamed, .resourceAtRoot, .resourceMismatch, .resourceRedirect, .resourceLarge,
        .resourceSeveralServers, .resourceManyServers, .resourceWithoutScopes, .challengeNamesScope, .withoutOpenID,
        .stepUpUnnamed, .stepUpForever, .weakContext, .contextRequiresOpenID,
        .metadataDocuments, .noRegistration, .invalidTarget, .resourceNotTaken,
    ]
    static let profile: Set<Fault> = [.escapesInName, .escapesInEmail, .hostileEmail]

    static func all(_ groups: Set<Fault>...) -> Set<Fault> { groups.reduce([]) { $0.union($1) } }
}
