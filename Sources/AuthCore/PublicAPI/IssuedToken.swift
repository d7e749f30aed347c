public import FoundationEssentials

/// A token. It prints as `<redacted>`.
public struct IssuedToken: Sendable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The type of a token.
    public enum Kind: String, Sendable {
        /// An access token, for an API (RFC 6749 section 1.4).
        case access
        /// An ID token (OpenID Connect Core section 2).
        case id
    }

    /// How a token is sender-constrained.
    public struct Binding: Sendable, Hashable {
        private let name: String
        /// Not sender-constrained: a bearer token (RFC 6750).
        public static let bearer = Binding(name: "bearer")
        /// Bound to a key of this machine, which signs a DPoP proof for each request (RFC 9449).
        public static let dpop = Binding(name: "dpop")
        /// Bound to a certificate of this machine, which the client presents in TLS (RFC 8705 section 3).
        public static let certificate = Binding(name: "certificate")

        init(_ binding: Grant.Binding) { name = binding.rawValue }
        private init(name: String) { self.name = name }
    }

    /// The type of the token.
    public let kind: Kind
    /// The ID of the provider that issued it; nil if unknown.
    public let provider: String?
    /// When it expires; nil if unknown.
    public let expiresAt: Date?
    /// The granted scopes, if the provider returned them (RFC 6749 section 3.3).
    public let scopes: Set<String>
    private let value: Secret<SecretKind.AccessToken>
    private let prover: DPoPProver?
    /// How it is sender-constrained.
    public let binding: Binding
    let account: String?
    private let destinations: TokenDestinations

    init(
        _ value: String, kind: Kind, provider: String?, expiresAt: Int64?, scopes: [String] = [],
        prover: DPoPProver? = nil, binding: Grant.Binding = .bearer, account: String? = nil,
        destinations: TokenDestinations = .anySecureHost
    ) {
        self.binding = Binding(prover == nil ? binding : .dpop)
        self.kind = kind
        self.provider = provider
        self.expiresAt = expiresAt.map { Date(timeIntervalSince1970: TimeInterval($0)) }
        self.scopes = Set(scopes)
        self.value = Secret(value)
        self.prover = prover
        self.account = account
        self.destinations = destinations
    }

    /// Passes the token's text to `body`. Do not log it, and do not put it where other programs see it (`argv`, URLs).
    public func withUnsafeValue<R, E: Error>(_ body: (String) throws(E) -> R) throws(E) -> R {
        try body(value.revealed())
    }

    /// The header fields of one request with this token (RFC 6750 section 2.1; RFC 9449 section 7.1). A DPoP proof is
    /// valid once: call this for each request, and for each repetition. If the binding is `certificate`, the caller
    /// must also present that certificate.
    ///
    /// - Parameters:
    ///   - method: the request's method, for example `GET`.
    ///   - url: the request's URL.
    /// - Throws: `AuthError`: `operationNotAllowed` if the URL is neither on a host of the provider nor on one that its
    ///   configuration allows (`api_hosts`), or is not below the resource that the token is for; `invalidConfiguration`
    ///   if it is not a valid URL, or is plain http outside loopback.
    public func headers(_ method: String, _ url: String) async throws(AuthError) -> [(name: String, value: String)] {
        try await AuthError.wrapping(provider: provider) {
            let url = try HTTPURL(url)
            try await destinations.check(url)
            guard let prover else { return [(name: "Authorization", value: "Bearer \(value.revealed())")] }
            let proof = try await prover.proof(method, for: url, of: .resource, accessToken: accessToken)
            return [(name: "Authorization", value: "DPoP \(value.revealed())"), (name: "DPoP", value: proof)]
        }
    }

    /// Records the response to a request with this token. The latest nonce of a server is used from the next request on
    /// (RFC 9449 section 9).
    ///
    /// - Parameters:
    ///   - status: the response's status code.
    ///   - headers: the response's header fields.
    ///   - url: the request's URL.
    /// - Returns: whether the server required a nonce and sent it now. Repeat the request with new headers in this
    ///   case.
    public func received(status: Int, headers: [(name: String, value: String)], from url: String) async -> Bool {
        guard let prover, let url = try? HTTPURL(url) else { return false }
        return await prover.learn(HTTPResponse(status: status, headers: headers), from: url)
    }

    var accessToken: AccessToken { value }

    /// `<redacted>`.
    public var description: String { "<redacted>" }
    /// `<redacted>`.
    public var debugDescription: String { "<redacted>" }
    /// Empty, so that a dump shows no token.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

extension IssuedToken: Equatable {
    /// Compares types and texts in constant time.
    public static func == (left: IssuedToken, right: IssuedToken) -> Bool {
        left.kind == right.kind && left.value == right.value
    }
}
