extension CertificateChain {
    /// What servers know it by: `x5t#S256` (RFC 8705 section 3.1).
    package var thumbprint: String { Base64URL.encode(digest) }
}

/// What an access token says of the certificate that it is bound to. Nobody checked the token: it is the resource that does.
enum CertificateBinding: Equatable {
    /// By its thumbprint.
    case to(String)
    /// A JWT that names none.
    case none
    /// The token is no JWT, or an encrypted one.
    case unreadable

    init(_ token: AccessToken) {
        guard let payload = try? UnverifiedJWS(token.revealed()).payload, let claims = try? StrictJSON.object(payload)
        else {
            self = .unreadable
            return
        }
        guard let named = claims["cnf"]?.object?["x5t#S256"] else {
            self = .none
            return
        }
        // What is no text is no thumbprint of ours either.
        self = .to(named.string ?? "")
    }
}
