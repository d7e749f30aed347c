extension CertificateChain {
    /// The certificate's `x5t#S256` (RFC 8705 section 3.1).
    package var thumbprint: String { Base64URL.encode(digest) }

    /// The client's certificate in DER form, Base64-encoded for `x5c` (RFC 7517 section 4.7): the PEM text without its
    /// first and last line.
    fileprivate var first: String {
        String(decoding: pem, as: UTF8.self).split(separator: "\n").dropFirst().prefix { !$0.hasPrefix("-----") }
            .joined()
    }
}

extension ClientCertificate {
    /// The registered form of a self-signed certificate (RFC 8705 section 2.2).
    var jwk: JSONObject {
        var object = JWK(key: key.publicKey, keyID: nil).publicMembers
        object["x5c"] = [.string(chain.first)]
        return object
    }
}

/// The certificate binding in an access token's claims. The client does not verify the token; the resource does.
enum CertificateBinding: Equatable {
    case to(String)
    case none
    case unreadable
}

extension AccessToken {
    var unverifiedClaims: JSONObject? { try? UnverifiedJWS.claims(of: revealed()) }

    var certificateBinding: CertificateBinding {
        guard let claims = unverifiedClaims else { return .unreadable }
        guard let named = claims["cnf"]?.object?["x5t#S256"] else { return .none }
        // A thumbprint that is not a string matches no certificate.
        return .to(named.string ?? "")
    }
}
