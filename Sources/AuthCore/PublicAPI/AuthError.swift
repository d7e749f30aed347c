/// Why one of the doors (tokens, verification, sign-in) gave nothing.
///
/// A structure with codes, so that a new code breaks nobody: compare `code`, and treat one that you do not know as a failure.
public struct AuthError: Error, CodedError, Sendable, CustomStringConvertible {
    /// What kind of failure it is; the texts are those that `authctl --json` has, where it has the same failure.
    public typealias Code = ErrorCode

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

    init(_ error: any Error, provider: String? = nil) {
        if let known = error as? AuthError {
            self = known
            return
        }
        let coded = error as? any CodedError
        self.init(coded?.libraryCode ?? .internalError, provider: provider, claim: coded?.claim, underlying: error)
    }

    static func saying<R>(
        provider: String? = nil, isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> R
    ) async throws(AuthError) -> R {
        do { return try await body() } catch { throw AuthError(error, provider: provider) }
    }

    /// The code, what it is about, and what lies behind it; nothing secret.
    public var description: String {
        let parts = [provider, claim, underlying.map { ServerText("\($0)").description }].compactMap { $0 }
        return parts.isEmpty ? code.rawValue : "\(code.rawValue) (\(parts.joined(separator: "; ")))"
    }
}

extension AuthError: Equatable {
    /// Equal codes, about the same: what lies behind does not count.
    public static func == (left: AuthError, right: AuthError) -> Bool {
        left.code == right.code && left.provider == right.provider && left.claim == right.claim
    }
}
