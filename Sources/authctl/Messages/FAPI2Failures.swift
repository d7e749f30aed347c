import AuthCore

extension FAPI2Fault {
    var message: String {
        switch self {
        case .plainHTTP(let name): "its '\(name)' is plain http"
        case .builtIn: "its endpoints are built in instead of from its metadata"
        case .setting("nonce_required"): "its 'nonce_required' is off"
        case .setting(let name): "its '\(name)' comes from the configuration instead of its metadata"
        case .secret: "the client has a secret"
        case .authentication(let method):
            "the client's authentication is '\(method.rawValue)', not a private key or certificate"
        case .audience: "its 'assertion_audience' is not the issuer"
        case .unboundTokens:
            "the provider supports neither DPoP with PS256, ES256 or EdDSA nor certificate-bound tokens"
        case .noPushedRequests: "the provider's metadata lacks a PAR endpoint (RFC 9126)"
        case .noResponseIssuer: "the provider's metadata does not declare 'iss' in responses (RFC 9207)"
        case .clientAlgorithm(let algorithm):
            "the client would sign with \(algorithm.rawValue), not with PS256, ES256 or EdDSA"
        case .idTokenAlgorithms(let algorithms):
            "the provider signs ID tokens with \(algorithms.map(\.rawValue).joined(separator: ", ")), not with PS256, ES256 or EdDSA"
        case .flow(.device): "the device flow does not bind the sign-in to the device where it began"
        case .flow(.workload): "it does not allow the exchange of a CI job's token"
        case .flow(.exchange): "it does not allow token exchange"
        }
    }
}

extension FAPI2Requirement {
    var name: String {
        switch self {
        case .encryption: "https at every endpoint"
        case .metadata: "endpoints only from metadata"
        case .clientAuthentication: "a key or certificate for the client, and no secret"
        case .assertionAudience: "the issuer as audience of client assertions"
        case .boundTokens: "sender-constrained tokens"
        case .pushedRequests: "pushed authorization requests"
        case .responseIssuer: "'iss' in responses"
        case .clientSignatures: "the client's signatures"
        case .idTokenSignatures: "signatures of ID tokens"
        case .flows: "flows"
        }
    }
}
