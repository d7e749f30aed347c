/// The error of the public API (tokens, verification, sign-in).
///
/// It is a structure with codes, so that a new code does not break callers. Compare `code`, and treat an unknown code
/// as a failure.
public struct AuthError: Error, CodedError, Sendable, CustomStringConvertible {
    /// The kind of failure. `authctl --json` prints the same texts for the same failures.
    public typealias Code = ErrorCode

    /// The kind of failure.
    public let code: Code
    /// The provider, if the failure concerns one.
    public let provider: String?
    /// The name of the claim that made a token invalid; nil for other reasons.
    public let claim: String?
    /// The underlying error, for logs. It contains no secrets. Its type may change in any version.
    public let underlying: (any Error)?

    package init(_ code: Code, provider: String? = nil, claim: String? = nil, underlying: (any Error)? = nil) {
        self.code = code
        self.provider = provider
        self.claim = claim
        self.underlying = underlying
    }

    init(_ error: any Error, provider: String? = nil) {
        if let known = error as? AuthError {
            self = known
            return
        }
        let coded = error as? any CodedError
        self.init(coded?.libraryCode ?? .internalError, provider: provider, claim: coded?.claim, underlying: error)
    }

    static func wrapping<R>(
        provider: String? = nil, isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> R
    ) async throws(AuthError) -> R {
        do { return try await body() } catch { throw AuthError(error, provider: provider) }
    }

    /// The code, the provider or claim, and the underlying error. It contains no secrets.
    public var description: String {
        let parts = [provider, claim, underlying.map { ServerText("\($0)").description }].compactMap { $0 }
        return parts.isEmpty ? code.rawValue : "\(code.rawValue) (\(parts.joined(separator: "; ")))"
    }
}

extension AuthError: Equatable {
    /// Compares codes, providers and claims, but not the underlying errors.
    public static func == (left: AuthError, right: AuthError) -> Bool {
        left.code == right.code && left.provider == right.provider && left.claim == right.claim
    }
}
