/// The kind of an error: a stable text, printed by `authctl --json` and returned by ``AuthError/code``.
public struct ErrorCode: Sendable, Hashable, RawRepresentable, CustomStringConvertible {
    /// The stable text.
    public let rawValue: String
    /// The exit code of the process. The manual lists each number.
    package let exitCode: Int32
    private let generalText: String

    /// Creates a code with a text.
    public init(rawValue: String) { self.init(rawValue, exit: 1) }

    private init(_ rawValue: String, exit exitCode: Int32, in general: ErrorCode? = nil) {
        self.rawValue = rawValue
        self.exitCode = exitCode
        generalText = general?.rawValue ?? rawValue
    }

    package var general: ErrorCode { ErrorCode(rawValue: generalText) }

    /// The stable text.
    public var description: String { rawValue }
    /// Compares the texts.
    public static func == (left: ErrorCode, right: ErrorCode) -> Bool { left.rawValue == right.rawValue }
    /// Hashes the text.
    public func hash(into hasher: inout Hasher) { hasher.combine(rawValue) }
}

/// An error with a code.
/// The library has no texts, which would be wrong for programs that are not authctl.
package protocol CodedError: Error {
    var code: ErrorCode { get }
    var libraryCode: ErrorCode { get }
    var claim: String? { get }
}

/// An error of a client's configuration, secret, key or certificate. No request was sent, and the user of this machine
/// can fix it.
package protocol UnusableClient: CodedError, Sendable {}

extension CodedError {
    package var libraryCode: ErrorCode { code.general }
    package var claim: String? { nil }
}

extension CancellationError: CodedError {
    package var code: ErrorCode { .cancelled }
}

extension ErrorCode {
    // MARK: 1  another error

    /// A defect of this library.
    public static let internalError = Self("internal-error", exit: 1)
    package static let commandNotRun = Self("command-not-run", exit: 1)
    package static let portInUse = Self("port-in-use", exit: 1, in: .networkFailed)
    package static let requestFailed = Self("request-failed", exit: 1, in: .refused)
    package static let toolNotSetUp = Self("tool-not-set-up", exit: 1)

    // MARK: 2  cancelled by the user

    /// The user cancelled, or the task was cancelled.
    public static let cancelled = Self("user-cancelled", exit: 2)

    // MARK: 3  timed out

    /// The operation timed out.
    public static let timedOut = Self("timeout", exit: 3)

    // MARK: 4  not signed in, or user interaction is required

    /// No user is signed in, or the session has expired: the user must sign in (`authctl signin`).
    public static let signInRequired = Self("not-signed-in", exit: 4)
    /// The vault with the encryption key is locked, and only the user can unlock it.
    public static let vaultLocked = Self("vault-locked", exit: 4)
    package static let interactionRequired = Self("interaction-required", exit: 4, in: .signInRequired)
    package static let invalidUserToken = Self("invalid-user-token", exit: 4, in: .signInRequired)
    package static let userTokenExpired = Self("user-token-expired", exit: 4, in: .signInRequired)

    // MARK: 5  re-authentication is required

    /// The last authentication is too old for this operation.
    public static let requiresRecentLogin = Self("requires-recent-login", exit: 5)

    // MARK: 6  account conflict

    package static let accountExistsWithDifferentCredential = Self(
        "account-exists-with-different-credential", exit: 6, in: .conflict)
    package static let credentialAlreadyInUse = Self("credential-already-in-use", exit: 6, in: .conflict)
    package static let emailAlreadyInUse = Self("email-already-in-use", exit: 6, in: .conflict)
    package static let noSuchProvider = Self("no-such-provider", exit: 6, in: .conflict)
    package static let providerAlreadyLinked = Self("provider-already-linked", exit: 6, in: .conflict)
    package static let userMismatch = Self("user-mismatch", exit: 6, in: .conflict)

    // MARK: 7  denied by the user or the provider

    /// A requested scope was not granted (RFC 6750 section 3.1).
    public static let insufficientScope = Self("insufficient-scope", exit: 7)
    /// The operation is not allowed, for example sending a provider's token to another host.
    public static let operationNotAllowed = Self("operation-not-allowed", exit: 7)
    package static let accessDenied = Self("access-denied", exit: 7, in: .cancelled)
    package static let adminRestrictedOperation = Self("admin-restricted-operation", exit: 7, in: .refused)
    package static let captchaCheckFailed = Self("captcha-check-failed", exit: 7, in: .refused)
    package static let consentRequired = Self("consent-required", exit: 7, in: .refused)
    package static let emailChangeNeedsVerification = Self("email-change-needs-verification", exit: 7, in: .refused)
    package static let multiFactorAuthRequired = Self("multi-factor-auth-required", exit: 7, in: .refused)
    package static let passwordDoesNotMeetRequirements = Self(
        "password-does-not-meet-requirements", exit: 7, in: .refused)
    package static let unverifiedEmail = Self("unverified-email", exit: 7, in: .refused)
    package static let userDisabled = Self("user-disabled", exit: 7, in: .refused)
    package static let weakPassword = Self("weak-password", exit: 7, in: .refused)

    // MARK: 64  invalid usage

    /// No account on this machine has this name.
    public static let accountNotFound = Self("account-not-found", exit: 64)
    package static let invalidEmail = Self("invalid-email", exit: 64, in: .refused)
    package static let missingEmail = Self("missing-email", exit: 64, in: .refused)
    package static let missingPassword = Self("missing-password", exit: 64, in: .refused)
    package static let usage = Self("usage", exit: 64, in: .invalidConfiguration)

    // MARK: 65  an invalid token, response or credential

    /// The provider's response violates its standards.
    public static let invalidResponse = Self("invalid-response", exit: 65)
    package static let customTokenMismatch = Self("custom-token-mismatch", exit: 65, in: .refused)
    package static let expiredActionCode = Self("expired-action-code", exit: 65, in: .refused)
    package static let invalidActionCode = Self("invalid-action-code", exit: 65, in: .refused)
    package static let invalidCredential = Self("invalid-credential", exit: 65, in: .refused)
    package static let invalidCustomToken = Self("invalid-custom-token", exit: 65, in: .refused)
    package static let invalidIDToken = Self("invalid-id-token", exit: 65, in: .refused)
    package static let invalidMultiFactorSession = Self("invalid-multi-factor-session", exit: 65, in: .refused)
    package static let invalidVerificationCode = Self("invalid-verification-code", exit: 65, in: .refused)
    package static let missingOrInvalidNonce = Self("missing-or-invalid-nonce", exit: 65, in: .refused)
    package static let userNotFound = Self("user-not-found", exit: 65, in: .refused)
    package static let wrongPassphrase = Self("wrong-passphrase", exit: 65, in: .vaultLocked)
    package static let wrongPassword = Self("wrong-password", exit: 65, in: .refused)

    // MARK: 69  provider or network unavailable

    /// The network or the server is not available; a retry may succeed.
    public static let networkFailed = Self("network-request-failed", exit: 69)
    /// The provider limits the number of requests.
    public static let tooManyRequests = Self("too-many-requests", exit: 69)
    package static let providerUnavailable = Self("provider-unavailable", exit: 69, in: .networkFailed)

    // MARK: 74  the store cannot be read or written, or standard output cannot be written to

    /// The store cannot be read or written.
    public static let storeUnavailable = Self("store-unavailable", exit: 74)
    /// The vault is unavailable, or lost its key.
    public static let vaultUnavailable = Self("vault-unavailable", exit: 74)
    package static let outputFailed = Self("output-failed", exit: 74, in: .internalError)
    package static let storeBusy = Self("store-busy", exit: 74, in: .storeUnavailable)

    // MARK: 78  invalid configuration

    /// The settings (`config.yaml`, variables, the provider's configuration) are invalid or incomplete.
    public static let invalidConfiguration = Self("invalid-configuration", exit: 78)
    /// The provider or the operation does not support this, for example a sender-constrained token for a tool that only
    /// supports bearer tokens.
    public static let unsupported = Self("unsupported", exit: 78)
    package static let appNotAuthorized = Self("app-not-authorized", exit: 78, in: .invalidConfiguration)
    package static let invalidAPIKey = Self("invalid-api-key", exit: 78, in: .invalidConfiguration)
    package static let invalidContinueURI = Self("invalid-continue-uri", exit: 78, in: .invalidConfiguration)
    package static let invalidProviderID = Self("invalid-provider-id", exit: 78, in: .invalidConfiguration)
    package static let invalidTenantID = Self("invalid-tenant-id", exit: 78, in: .invalidConfiguration)
    package static let issuerMismatch = Self("issuer-mismatch", exit: 78, in: .invalidConfiguration)
    package static let tenantIDMismatch = Self("tenant-id-mismatch", exit: 78, in: .invalidConfiguration)
    package static let unauthorizedContinueURI = Self("unauthorized-continue-uri", exit: 78, in: .invalidConfiguration)
    package static let unsupportedTenantOperation = Self(
        "unsupported-tenant-operation", exit: 78, in: .invalidConfiguration)

    // MARK: Codes of the library only

    /// Several accounts or providers match; name one.
    public static let ambiguous = Self("ambiguous", exit: 64)
    /// The session has no token of the requested type.
    public static let noSuchToken = Self("no-such-token", exit: 4)
    /// The provider rejected the request; `underlying` has its error.
    public static let refused = Self("provider-refused", exit: 7)
    /// The request conflicts with another account or identity; `underlying` says which.
    public static let conflict = Self("account-conflict", exit: 6)
    /// The token is malformed: not three parts, too long, encrypted, or of another type.
    public static let malformedToken = Self("malformed-token", exit: 65)
    /// The signature is invalid, or was not made with a key of the issuer.
    public static let invalidSignature = Self("invalid-signature", exit: 65)
    /// The token has another issuer.
    public static let wrongIssuer = Self("wrong-issuer", exit: 65)
    /// The token has another audience.
    public static let wrongAudience = Self("wrong-audience", exit: 65)
    /// The token has expired.
    public static let expiredToken = Self("expired-token", exit: 65)
    /// The token is not valid yet.
    public static let tokenNotYetValid = Self("token-not-yet-valid", exit: 65)
    /// A claim is missing, malformed, or has another value.
    public static let invalidClaim = Self("invalid-claim", exit: 65)
    /// The authentication is too old or not strong enough (RFC 9470 section 3).
    public static let insufficientAuthentication = Self("insufficient-user-authentication", exit: 65)
}
