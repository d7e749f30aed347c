/// The signature algorithms of JWA that a provider may use (RFC 7518 section 3.1, RFC 8037, RFC 9864). HMAC and `none`
/// are not listed, so the verifier does not support them.
package enum SignatureAlgorithm: String, Sendable, CaseIterable, Hashable {
    case rs256 = "RS256"
    case rs384 = "RS384"
    case rs512 = "RS512"
    case ps256 = "PS256"
    case ps384 = "PS384"
    case ps512 = "PS512"
    case es256 = "ES256"
    case es384 = "ES384"
    case es512 = "ES512"
    case edDSA = "EdDSA"
    /// EdDSA with an Ed25519 key, by its name in RFC 9864.
    case ed25519 = "Ed25519"

    package enum Family: Sendable, Hashable {
        case rsa
        case ellipticCurve(EllipticCurve)
        case ed25519
    }

    package var family: Family {
        switch self {
        case .rs256, .rs384, .rs512, .ps256, .ps384, .ps512: .rsa
        case .es256: .ellipticCurve(.p256)
        case .es384: .ellipticCurve(.p384)
        case .es512: .ellipticCurve(.p521)
        case .edDSA, .ed25519: .ed25519
        }
    }

    package var hash: HashFunction {
        switch self {
        case .rs256, .ps256, .es256: .sha256
        case .rs384, .ps384, .es384: .sha384
        case .rs512, .ps512, .es512, .edDSA, .ed25519: .sha512
        }
    }

    var usesPSS: Bool { self == .ps256 || self == .ps384 || self == .ps512 }

    var synonyms: Set<SignatureAlgorithm> { family == .ed25519 ? [.edDSA, .ed25519] : [self] }
}

extension SignatureAlgorithm.Family {
    package var algorithms: [SignatureAlgorithm] { SignatureAlgorithm.allCases.filter { $0.family == self } }

    package var name: String {
        switch self {
        case .rsa: "RSA"
        case .ellipticCurve(let curve): curve.rawValue
        case .ed25519: "Ed25519"
        }
    }
}

/// The NIST curves of JWA (RFC 7518 section 6.2.1.1).
package enum EllipticCurve: String, Sendable, Hashable, CaseIterable {
    case p256 = "P-256"
    case p384 = "P-384"
    case p521 = "P-521"

    /// Length of one coordinate in bytes: a raw signature is two of them.
    package var coordinateLength: Int {
        switch self {
        case .p256: 32
        case .p384: 48
        case .p521: 66
        }
    }

    var groupName: String {
        switch self {
        case .p256: "prime256v1"
        case .p384: "secp384r1"
        case .p521: "secp521r1"
        }
    }
}
