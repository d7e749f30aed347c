import AuthCore

/// A client certificate (RFC 8705) from a TLS-terminating proxy. One header has percent-encoded PEM. The same header
/// with `-Subject` has the subject (RFC 4514), with `-Verify` the result of the proxy's check.
struct ForwardedCertificate {
    let thumbprint: String
    let subject: String
    let isVerified: Bool

    init?(_ request: Request, header: String) {
        guard let escaped = request.headers[header], !escaped.isEmpty, let pem = Form.unescape(escaped),
            let thumbprint = ForwardedCertificate.thumbprint(pem: pem)
        else { return nil }
        self.thumbprint = thumbprint
        subject = request.headers[header + "-subject"] ?? ""
        isVerified = request.headers[header + "-verify"] == "SUCCESS"
    }

    /// The SHA-256 of the first certificate of a PEM text (RFC 8705 section 3.1).
    static func thumbprint(pem: String) -> String? {
        let lines = pem.split(whereSeparator: \.isNewline).drop { !$0.hasPrefix("-----BEGIN CERTIFICATE") }.dropFirst()
        let text = lines.prefix { !$0.hasPrefix("-----END") }.joined()
        guard !text.isEmpty, let der = Base64Text.bytes(text), let digest = try? HashFunction.sha256.digest(der) else {
            return nil
        }
        return Base64URL.encode(digest)
    }
}
