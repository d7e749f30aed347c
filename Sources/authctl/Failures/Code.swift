extension Failure {
    /// The stable codes, which scripts read.
    enum Code: String, CaseIterable {
        case commandNotRun = "command-not-run"
        case internalError = "internal-error"
        case portInUse = "port-in-use"
        case requestFailed = "request-failed"
        case toolNotSetUp = "tool-not-set-up"
        case userCancelled = "user-cancelled"
        case timeout
        case interactionRequired = "interaction-required"
        case invalidUserToken = "invalid-user-token"
        case notSignedIn = "not-signed-in"
        case userTokenExpired = "user-token-expired"
        case vaultLocked = "vault-locked"
        case requiresRecentLogin = "requires-recent-login"
        case accountExistsWithDifferentCredential = "account-exists-with-different-credential"
        case credentialAlreadyInUse = "credential-already-in-use"
        case emailAlreadyInUse = "email-already-in-use"
        case noSuchProvider = "no-such-provider"
        case providerAlreadyLinked = "provider-already-linked"
        case userMismatch = "user-mismatch"
        case accessDenied = "access-denied"
        case adminRestrictedOperation = "admin-restricted-operation"
        case captchaCheckFailed = "captcha-check-failed"
        case consentRequired = "consent-required"
        case insufficientScope = "insufficient-scope"
        case emailChangeNeedsVerification = "email-change-needs-verification"
        case multiFactorAuthRequired = "multi-factor-auth-required"
        case operationNotAllowed = "operation-not-allowed"
        case passwordDoesNotMeetRequirements = "password-does-not-meet-requirements"
        case unverifiedEmail = "unverified-email"
        case userDisabled = "user-disabled"
        case weakPassword = "weak-password"
        case accountNotFound = "account-not-found"
        case invalidEmail = "invalid-email"
        case missingEmail = "missing-email"
        case missingPassword = "missing-password"
        case usage
        case customTokenMismatch = "custom-token-mismatch"
        case expiredActionCode = "expired-action-code"
        case invalidActionCode = "invalid-action-code"
        case invalidCredential = "invalid-credential"
        case invalidCustomToken = "invalid-custom-token"
        case invalidIDToken = "invalid-id-token"
        case invalidMultiFactorSession = "invalid-multi-factor-session"
        case invalidResponse = "invalid-response"
        case invalidVerificationCode = "invalid-verification-code"
        case missingOrInvalidNonce = "missing-or-invalid-nonce"
        case userNotFound = "user-not-found"
        case wrongPassphrase = "wrong-passphrase"
        case wrongPassword = "wrong-password"
        case networkRequestFailed = "network-request-failed"
        case providerUnavailable = "provider-unavailable"
        case tooManyRequests = "too-many-requests"
        case storeBusy = "store-busy"
        case storeUnavailable = "store-unavailable"
        case vaultUnavailable = "vault-unavailable"
        case appNotAuthorized = "app-not-authorized"
        case invalidAPIKey = "invalid-api-key"
        case invalidConfiguration = "invalid-configuration"
        case invalidContinueURI = "invalid-continue-uri"
        case invalidProviderID = "invalid-provider-id"
        case invalidTenantID = "invalid-tenant-id"
        case issuerMismatch = "issuer-mismatch"
        case tenantIDMismatch = "tenant-id-mismatch"
        case unauthorizedContinueURI = "unauthorized-continue-uri"
        case unsupported
        case unsupportedTenantOperation = "unsupported-tenant-operation"

        /// What the process ends with. Each number stands in the manual with the same words.
        var exitCode: Int32 {
            switch self {
            case .commandNotRun, .internalError, .portInUse, .requestFailed, .toolNotSetUp:
                1  // anything not below
            case .userCancelled:
                2  // the person cancelled
            case .timeout:
                3  // nobody answered in time
            case .interactionRequired, .invalidUserToken, .notSignedIn, .userTokenExpired, .vaultLocked:
                4  // not signed in, or only a person can renew the session
            case .requiresRecentLogin:
                5  // a recent proof of who the person is is needed
            case .accountExistsWithDifferentCredential, .credentialAlreadyInUse, .emailAlreadyInUse, .noSuchProvider,
                .providerAlreadyLinked, .userMismatch:
                6  // account conflict
            case .accessDenied, .adminRestrictedOperation, .captchaCheckFailed, .consentRequired,
                .emailChangeNeedsVerification, .insufficientScope, .multiFactorAuthRequired, .operationNotAllowed,
                .passwordDoesNotMeetRequirements, .unverifiedEmail, .userDisabled, .weakPassword:
                7  // refused by the person or the provider
            case .accountNotFound, .invalidEmail, .missingEmail, .missingPassword, .usage:
                64  // usage
            case .customTokenMismatch, .expiredActionCode, .invalidActionCode, .invalidCredential,
                .invalidCustomToken, .invalidIDToken, .invalidMultiFactorSession, .invalidResponse,
                .invalidVerificationCode, .missingOrInvalidNonce, .userNotFound,
                .wrongPassphrase, .wrongPassword:
                65  // a token, response or credential did not verify
            case .networkRequestFailed, .providerUnavailable, .tooManyRequests:
                69  // provider or network unavailable
            case .storeBusy, .storeUnavailable, .vaultUnavailable:
                74  // the store cannot be read or written
            case .appNotAuthorized, .invalidAPIKey, .invalidConfiguration, .invalidContinueURI, .invalidProviderID,
                .invalidTenantID, .issuerMismatch, .tenantIDMismatch, .unauthorizedContinueURI, .unsupported,
                .unsupportedTenantOperation:
                78  // configuration
            }
        }
    }
}
