/// The TLS alert with which a server rejects a client certificate (RFC 8446 section 6.2).
public enum CertificateAlert: String, Sendable, CaseIterable {
    /// The server requires a certificate, and none was presented.
    case required = "certificate required"
    /// The certificate is malformed, or its signature is invalid.
    case bad = "bad certificate"
    /// The type of the certificate is not supported.
    case unsupported = "unsupported certificate"
    /// The CA has revoked the certificate.
    case revoked = "certificate revoked"
    /// The certificate has expired.
    case expired = "certificate expired"
    /// Another problem with the certificate.
    case unknown = "certificate unknown"
    /// The server does not trust the CA.
    case unknownAuthority = "unknown ca"
    /// The certificate is valid, but the client is not allowed to access the server.
    case accessDenied = "access denied"

    init?(in message: String) {
        guard let found = Self.allCases.first(where: { message.contains("alert \($0.rawValue)") }) else { return nil }
        self = found
    }
}
