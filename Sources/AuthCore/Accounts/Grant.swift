/// The result of one sign-in with a provider, before an account makes it a `Session`: tokens, their subject, and the
/// time of authentication.
@dynamicMemberLookup
package struct Grant: Sendable, Equatable {
    package var providerID: String
    package var issuer: String
    package var clientID: String
    package var tokens: Tokens
    /// The subject and nonce of the sign-in, which a refreshed ID token must repeat.
    package var subject: String
    package var nonce: Nonce?
    /// When the provider authenticated the user (`auth_time`), in seconds since 1970.
    package var authenticatedAt: Int64?
    /// When the user last authenticated, in seconds since 1970; 0 if unknown.
    package var lastProvenAt: Int64
    package var source: Source
    package var renewal: SessionRenewal?
    package var binding = Binding.bearer
    package var bindingKey: BindingKey?

    /// How an access token is sender-constrained.
    package enum Binding: String, Sendable, StoredJSON {
        /// The token is enough (RFC 6750).
        case bearer
        /// A key of this machine is also required (RFC 9449).
        case dpop
        /// The client certificate is also required (RFC 8705 section 3).
        case certificate
    }
    /// The only protected resource that the access token is for (RFC 8707); nil for other tokens.
    package var resource: HTTPURL?
    /// Whether the last response to a refresh had no ID token (OpenID Connect Core section 12.2).
    var omitsIDToken = false

    package subscript<Value>(dynamicMember member: WritableKeyPath<Tokens, Value>) -> Value {
        get { tokens[keyPath: member] }
        set { tokens[keyPath: member] = newValue }
    }

    /// Whether new tokens can be requested without user interaction.
    package var isRenewable: Bool { tokens.refreshToken != nil || renewal != nil }

    package var signInProvider: String { source.provider ?? providerID }
    /// Whether the session has only the token of a job's CI system.
    var hasOnlyJobToken: Bool { renewal != nil && renewal?.grant == nil }

    mutating func bind(to prover: DPoPProver?, or certificate: ClientCertificate?) throws {
        guard let prover else { return bind(to: certificate) }
        binding = .dpop
        bindingKey = try prover.key.bindingKey()
    }

    mutating func bind(to certificate: ClientCertificate?) {
        guard binding != .dpop else { return }
        binding = certificate == nil ? .bearer : .certificate
        bindingKey = certificate.map { BindingKey($0.chain.thumbprint) }
    }

    var certificateThumbprint: String? { binding == .certificate ? bindingKey?.revealed() : nil }

    func neededKey() throws(NotSignedIn) -> BindingKey? {
        guard binding == .dpop else { return nil }
        guard let bindingKey else { throw .keyLost(provider: providerID) }
        return bindingKey
    }
}

extension Grant {
    /// How the tokens were obtained.
    package enum Source: Sendable, Hashable, RawRepresentable, StoredJSON {
        case browser, paste, device
        case idToken, accessToken
        case personalToken
        /// A copy of gh's token, which revoking would sign gh out.
        case gh
        case password
        /// The client credentials grant (RFC 6749 section 4.4).
        case clientCredentials
        /// An identity assertion of this provider (ID-JAG).
        case assertion(of: String)
        case job(String)
        case project
        case directory(by: String)

        /// A token that no client was issued to.
        package var isPersonal: Bool { self == .personalToken || self == .gh }

        package var text: String {
            switch self {
            case .browser: "browser"
            case .paste: "paste"
            case .device: "device"
            case .idToken: "id-token"
            case .accessToken: "access-token"
            case .personalToken: "personal-access-token"
            case .gh: "gh"
            case .password: "password"
            case .clientCredentials: "client-credentials"
            case .assertion(let provider): provider
            case .job(let system): system
            case .project: "project"
            case .directory(let provider): provider
            }
        }

        private static let plain: [Source] = [
            .browser, .paste, .device, .idToken, .accessToken, .personalToken, .gh, .password, .clientCredentials,
            .project,
        ]

        private static let directory = "directory:"
        private static let assertion = "assertion:"

        package init?(rawValue text: String) {
            if let plain = Source.plain.first(where: { $0.text == text }) {
                self = plain
            } else if text.hasPrefix(Source.directory) {
                self = .directory(by: String(text.dropFirst(Source.directory.count)))
            } else if text.hasPrefix(Source.assertion) {
                self = .assertion(of: String(text.dropFirst(Source.assertion.count)))
            } else if text.hasPrefix(WorkloadPlatform.prefix) {
                self = .job(text)
            } else {
                return nil
            }
        }

        package var rawValue: String {
            switch self {
            case .directory: Source.directory + text
            case .assertion: Source.assertion + text
            default: text
            }
        }

        /// Whether no user signed in.
        package var isMachine: Bool {
            switch self {
            case .clientCredentials, .job: true
            default: false
            }
        }

        var provider: String? { if case .directory(let provider) = self { provider } else { nil } }
    }
}
