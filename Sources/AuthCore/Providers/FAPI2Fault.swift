/// The requirements of the FAPI 2.0 Security Profile that not every client of this library meets.
package enum FAPI2Requirement: Sendable, CaseIterable {
    /// Section 5.2.1: TLS everywhere, except at the loopback redirect URI.
    case encryption
    /// Section 5.3.3.1: endpoints come only from metadata.
    case metadata
    /// Section 5.3.3.1: a certificate or `private_key_jwt`, and no secret.
    case clientAuthentication
    /// Section 5.3.3.1: the audience of client assertions is the issuer.
    case assertionAudience
    /// Section 5.3.3.1: tokens bound to a key (RFC 9449) or a certificate (RFC 8705).
    case boundTokens
    /// Section 5.3.3.2 (RFC 9126).
    case pushedRequests
    /// Section 5.3.3.2: `iss` in every authorization response (RFC 9207).
    case responseIssuer
    /// Section 5.4.1: the algorithm of client assertions.
    case clientSignatures
    /// Section 5.4.1: the algorithms of ID tokens.
    case idTokenSignatures
    /// Section 5.3.3.1: users must know in which context a flow was started.
    case flows

    package var section: String {
        switch self {
        case .encryption: "5.2.1"
        case .metadata, .clientAuthentication, .assertionAudience, .boundTokens, .flows: "5.3.3.1"
        case .pushedRequests, .responseIssuer: "5.3.3.2"
        case .clientSignatures, .idTokenSignatures: "5.4.1"
        }
    }
}

/// How a provider or its configuration violates a requirement.
package enum FAPI2Fault: Sendable, Equatable {
    case plainHTTP(String)
    case builtIn
    case setting(String)
    case secret
    case authentication(ClientAuthentication.Method)
    case audience, unboundTokens, noPushedRequests, noResponseIssuer
    case clientAlgorithm(SignatureAlgorithm)
    case idTokenAlgorithms([SignatureAlgorithm])
    case flow(Flow)

    /// A flow that the profile does not allow.
    package enum Flow: Sendable, Equatable {
        /// RFC 8628: users who enter the code do not see where the flow began.
        case device
        case workload
        /// RFC 8693.
        case exchange
    }

    package var requirement: FAPI2Requirement {
        switch self {
        case .plainHTTP: .encryption
        case .builtIn, .setting: .metadata
        case .secret, .authentication: .clientAuthentication
        case .audience: .assertionAudience
        case .unboundTokens: .boundTokens
        case .noPushedRequests: .pushedRequests
        case .noResponseIssuer: .responseIssuer
        case .clientAlgorithm: .clientSignatures
        case .idTokenAlgorithms: .idTokenSignatures
        case .flow: .flows
        }
    }

    package var isOfProvider: Bool {
        switch self {
        case .unboundTokens, .noPushedRequests, .noResponseIssuer, .idTokenAlgorithms: true
        case .plainHTTP, .builtIn, .setting, .secret, .authentication, .audience, .clientAlgorithm, .flow: false
        }
    }
}
