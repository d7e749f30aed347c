/// A fault or variation of the emulator, so that tests can check a client's reaction.
enum Fault: String, CaseIterable, Sendable {
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
    // Authorization response
    case accessDenied = "access-denied"
    case wrongState = "wrong-state"
    case wrongResponseIssuer = "wrong-response-iss"
    case missingResponseIssuer = "missing-response-iss"
    case unadvertisedIssuer = "unpromised-iss"
    case mixUp = "mix-up"
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
    // Proofs of possession (RFC 9449)
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
    // Text with terminal escapes or shell commands
    case escapesInClientID = "escapes-in-client-id"
    case escapesInName = "escapes-in-name"
    case escapesInEmail = "escapes-in-email"
    case escapesInDevice = "escapes-in-device"
    case escapesInError = "escapes-in-error"
    case hostileEmail = "hostile-email"
    case ciCommands = "ci-commands"
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
    // Other endpoints
    case userInfoWrongSubject = "userinfo-wrong-sub"
    case userInfoError500 = "userinfo-500"
    case revocationError503 = "revoke-503"
    case revocationUnsupported = "revoke-unsupported"
    case introspectionError503 = "introspect-503"
    case introspectionRedirect = "introspect-redirect"
    case introspectionInactive = "introspect-inactive"
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
    case keySetError500 = "jwks-500"
    case deviceRefused = "device-refused"
    case deviceDenied = "device-denied"
    case deviceSlowDown = "device-slow-down"
    case deviceExpired = "device-expired"
    case fewerScopes = "fewer-scopes"
    case offlineRequiresConsent = "offline-wants-consent"
    case rawBasic = "raw-basic"
    case secretInBody = "secret-in-body"
    case secretInBasic = "secret-in-basic"
    case noClientManagement = "no-client-management"
    case registersSecret = "registers-secret"
    case registersUnnamed = "registers-unnamed"
    case registersEmptyMethod = "registers-empty-method"
    case registersExpiredSecret = "registers-expired-secret"
    // A protected resource
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
    // GitHub Actions
    case nameSubject = "name-subject"
    case foreignSubject = "foreign-subject"
    case jobTokenError503 = "job-token-503"
    case jobTokenLost = "job-token-lost"
    // Kubernetes
    case numericJWTID = "numeric-jti"
    // X
    case numericID = "numeric-id"
}

extension Fault {
    static let authorization: Set<Fault> = [.accessDenied, .wrongState, .mixUp]
    static let responseIssuer: Set<Fault> = [.wrongResponseIssuer, .missingResponseIssuer, .unadvertisedIssuer]
    static let tokens: Set<Fault> = [
        .tokenError500, .tokenHTML, .tokenRedirect, .tokenErrorEchoesCode, .tooManyRequests, .echoSecret,
        .escapesInError,
        .refreshInvalidGrant, .refreshError500, .fewerScopes, .textErrors, .byteOrderMark, .emptyMembers, .scopeList,
        .unnamedScopes,
    ]
    static let idTokens: Set<Fault> = [
        .wrongNonce, .missingNonce, .wrongIssuer, .wrongAudience, .expiredIDToken, .futureIDToken, .badSignature,
        .algorithmNone, .unknownKeyID, .wrongAccessTokenHash, .noIDToken, .staleAuthTime, .rs256IDToken,
        .refreshWrongSubject, .furtherAudiences, .otherParty,
    ]
    static let device: Set<Fault> = [
        .escapesInDevice, .deviceRefused, .deviceDenied, .deviceSlowDown, .deviceExpired,
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
    static let exchange: Set<Fault> = [
        .exchangeRefused, .exchangeDenied, .exchangeUnauthorized, .exchangeTarget, .exchangeUntyped,
        .exchangeOtherType, .exchangeUnnamed, .assertionUntyped, .assertionOtherAudience, .assertionOtherClient,
        .assertionOtherResource, .assertionExpired, .assertionRepeated,
    ]
    static let refresh: Set<Fault> = [
        .refreshLost, .refreshHangs, .refreshWindow, .refreshUntyped, .refreshNoIDToken, .refreshExpired,
        .revocationUnsupported,
    ]
    static let userInfo: Set<Fault> = [.userInfoWrongSubject, .userInfoError500]
    static let resource: Set<Fault> = [
        .resourceUnnamed, .resourceAtRoot, .resourceMismatch, .resourceRedirect, .resourceLarge,
        .resourceSeveralServers, .resourceManyServers, .resourceWithoutScopes, .challengeNamesScope, .withoutOpenID,
        .stepUpUnnamed, .stepUpForever, .weakContext, .contextRequiresOpenID,
        .metadataDocuments, .noRegistration, .invalidTarget, .resourceNotTaken,
    ]
    static let profile: Set<Fault> = [.escapesInName, .escapesInEmail, .hostileEmail]

    static func all(_ groups: Set<Fault>...) -> Set<Fault> { groups.reduce([]) { $0.union($1) } }
}
