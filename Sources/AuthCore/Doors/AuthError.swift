/// Why one of the doors (tokens, verification, sign-in) gave nothing.
///
/// A structure with codes, so that a new code breaks nobody: compare `code`, and treat one that you do not know as a failure.
public struct AuthError: Error, Sendable, CustomStringConvertible {
    /// What kind of failure it is; the texts are those that `authctl --json` has, where it has the same failure.
    public struct Code: Sendable, Hashable, RawRepresentable, CustomStringConvertible {
        /// The stable text.
        public let rawValue: String
        /// A code by its text.
        public init(rawValue: String) { self.rawValue = rawValue }
        /// The stable text.
        public var description: String { rawValue }
    }

    /// What kind of failure it is.
    public let code: Code
    /// The provider it is about, where it is about one.
    public let provider: String?
    /// The claim that a token was refused for, by its name in the token; nil where it was refused for something else.
    public let claim: String?
    /// What lies behind it, for logs. Nothing in it is secret; its type may change with any version.
    public let underlying: (any Error)?

    package init(_ code: Code, provider: String? = nil, claim: String? = nil, underlying: (any Error)? = nil) {
        self.code = code
        self.provider = provider
        self.claim = claim
        self.underlying = underlying
    }

    /// The code, what it is about, and what lies behind it; nothing secret.
    public var description: String {
        let parts = [provider, claim, underlying.map { ServerText("\($0)").description }].compactMap { $0 }
        return parts.isEmpty ? code.rawValue : "\(code.rawValue) (\(parts.joined(separator: "; ")))"
    }
}

extension AuthError.Code {
    // MARK: Tokens

    /// Nobody is signed in, or the session is over: a person must sign in (`authctl signin`).
    public static let signInRequired = Self(rawValue: "not-signed-in")
    /// Several accounts or providers could be meant; name one.
    public static let ambiguous = Self(rawValue: "ambiguous")
    /// No account here is called what was asked for.
    public static let accountNotFound = Self(rawValue: "account-not-found")
    /// The provider's token may not be sent to that host.
    public static let operationNotAllowed = Self(rawValue: "operation-not-allowed")
    /// The session has no token of the kind that was asked for.
    public static let noSuchToken = Self(rawValue: "no-such-token")
    /// The vault of the key that seals the sessions opens by a person's hand.
    public static let vaultLocked = Self(rawValue: "vault-locked")
    /// The vault cannot be reached, or its key is gone.
    public static let vaultUnavailable = Self(rawValue: "vault-unavailable")
    /// The store cannot be read or written.
    public static let storeUnavailable = Self(rawValue: "store-unavailable")
    /// The settings (`config.yaml`, variables, the provider's entry) are wrong or incomplete.
    public static let invalidConfiguration = Self(rawValue: "invalid-configuration")
    /// A last sign-in is too long ago for what is to be done.
    public static let requiresRecentLogin = Self(rawValue: "requires-recent-login")
    /// The token is bound to a key of this machine, and what asked knows only bearer tokens.
    public static let unsupported = Self(rawValue: "unsupported")

    // MARK: The network

    /// Nobody answered, or not in time; a later try may succeed.
    public static let networkFailed = Self(rawValue: "network-request-failed")
    /// The provider asks to be asked less often.
    public static let tooManyRequests = Self(rawValue: "too-many-requests")
    /// The provider refused; `underlying` has its own word.
    public static let refused = Self(rawValue: "provider-refused")
    /// The provider answered what its standards do not allow.
    public static let invalidResponse = Self(rawValue: "invalid-response")

    // MARK: Verification

    /// No token that this library reads: not three parts, too long, encrypted, or of another type.
    public static let malformedToken = Self(rawValue: "malformed-token")
    /// The signature does not stand, or none of the issuer's keys made it.
    public static let invalidSignature = Self(rawValue: "invalid-signature")
    /// Another issuer's.
    public static let wrongIssuer = Self(rawValue: "wrong-issuer")
    /// For somebody else.
    public static let wrongAudience = Self(rawValue: "wrong-audience")
    /// Its time is over.
    public static let expiredToken = Self(rawValue: "expired-token")
    /// Its time has not begun.
    public static let tokenNotYetValid = Self(rawValue: "token-not-yet-valid")
    /// A claim is missing, malformed, or not what was asked for.
    public static let invalidClaim = Self(rawValue: "invalid-claim")
    /// A scope that was asked for is not granted (RFC 6750 section 3.1).
    public static let insufficientScope = Self(rawValue: "insufficient-scope")
    /// The person authenticated too long ago, or not strongly enough (RFC 9470 section 3).
    public static let insufficientAuthentication = Self(rawValue: "insufficient-user-authentication")

    // MARK: Sign-in

    /// Nobody answered in time.
    public static let timedOut = Self(rawValue: "timeout")
    /// The person said no, or the task was cancelled.
    public static let cancelled = Self(rawValue: "user-cancelled")
    /// What was asked for meets another account or identity; `underlying` says which.
    public static let conflict = Self(rawValue: "account-conflict")

    /// A fault of this library.
    public static let internalError = Self(rawValue: "internal-error")
}

extension AuthError: Equatable {
    /// Equal codes, about the same: what lies behind does not count.
    public static func == (left: AuthError, right: AuthError) -> Bool {
        left.code == right.code && left.provider == right.provider && left.claim == right.claim
    }
}
