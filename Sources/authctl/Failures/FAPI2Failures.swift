import AuthCore

extension FAPI2Fault {
    /// What is not as the profile wants it.
    var message: String {
        switch self {
        case .plainHTTP(let name): "its '\(name)' is plain http"
        case .builtIn: "its endpoints are built in instead of coming from its metadata"
        case .setting(let name): "its '\(name)' stands in the entry instead of coming from its metadata"
        case .secret: "the client has a secret"
        case .authentication(let method):
            "the client's authentication is '\(method.rawValue)', and no private key or certificate"
        case .audience: "its 'assertion_audience' is not the issuer"
        case .unboundTokens:
            "the provider binds tokens neither to a key by PS256, ES256 or EdDSA nor to a certificate of the client"
        case .noPushedRequests: "the provider names no endpoint for pushed requests (RFC 9126)"
        case .noResponseIssuer: "the provider does not promise 'iss' in its responses (RFC 9207)"
        case .clientAlgorithm(let algorithm):
            "the client would sign with \(algorithm.rawValue), and not with PS256, ES256 or EdDSA"
        case .idTokenAlgorithms(let algorithms):
            "the provider signs ID tokens with \(algorithms.map(\.rawValue).joined(separator: ", ")), and not with PS256, ES256 or EdDSA"
        case .flow(.device): "a code for another device says nobody where the sign-in began"
        case .flow(.workload): "the exchange of a job's token is none of its grants"
        case .flow(.exchange): "the exchange of a token is none of its grants"
        }
    }
}

extension FAPI2Demand {
    /// What is demanded.
    var name: String {
        switch self {
        case .encryption: "https everywhere"
        case .metadata: "endpoints by metadata alone"
        case .clientAuthentication: "a key or certificate for the client, and no secret"
        case .assertionAudience: "assertions for the issuer"
        case .boundTokens: "bound tokens"
        case .pushedRequests: "pushed requests"
        case .responseIssuer: "'iss' in responses"
        case .clientSignatures: "the client's signatures"
        case .idTokenSignatures: "signatures of ID tokens"
        case .flows: "flows"
        }
    }
}
