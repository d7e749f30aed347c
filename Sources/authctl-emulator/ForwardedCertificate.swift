import AuthCore

/// A client's certificate (RFC 8705) as a proxy that ended TLS tells of it: the certificate in percent-encoded PEM in one
/// header, in two more with its name and `-Subject` and `-Verify` whose it is (RFC 4514) and what the proxy thinks of it.
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
