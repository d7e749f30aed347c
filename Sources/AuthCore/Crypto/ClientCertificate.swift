import COpenSSL

/// A certificate with the CA certificates of its chain, as in a PEM file: the client's own comes first.
package struct CertificateChain: Sendable, Equatable {
    let pem: [UInt8]
    package let digest: [UInt8]
    /// The start of the validity period, in seconds since 1970.
    package let notBefore: Int64
    package let notAfter: Int64
    /// The subject (RFC 4514); empty if the certificate has only alternative names.
    package let subject: String
    package let isSelfSigned: Bool

    /// - Parameter key: must be the key of the first certificate.
    package init(pem: [UInt8], key: PrivateKey? = nil) throws(KeyError) {
        do { try self.init(reading: pem, key: key) } catch { throw error as? KeyError ?? .notACertificate }
    }

    private init(reading text: [UInt8], key: PrivateKey?) throws {
        guard let length = Int32(exactly: text.count), length > 0 else { throw KeyError.notACertificate }
        let chain = try Owned.memoryBIO("certificate")
        let first = try Owned(authctl_certificates(text, length, chain.pointer), by: "certificate", freeing: X509_free)
        // OpenSSL leaves an error in its queue at the end of the text.
        ERR_clear_error()
        pem = try chain.contents("certificate")
        var digest = [UInt8](repeating: 0, count: HashFunction.sha256.digestLength)
        try check(X509_digest(first.pointer, EVP_sha256(), &digest, nil), "certificate")
        self.digest = digest
        var (begin, end): (Int64, Int64) = (0, 0)
        try check(authctl_certificate_time(first.pointer, &begin, &end), "certificate")
        (notBefore, notAfter) = (begin, end)
        let name = try Owned.memoryBIO("certificate")
        try check(authctl_write_subject(first.pointer, name.pointer), "certificate")
        subject = String(decoding: try name.contents("certificate"), as: UTF8.self)
        isSelfSigned = X509_self_signed(first.pointer, 0) == 1
        if let key, X509_check_private_key(first.pointer, key.pkey) != 1 {
            _ = OpenSSLError.draining("certificate")
            throw KeyError.otherKey
        }
        ERR_clear_error()
    }
}

/// A client certificate for mutual TLS (RFC 8705), with its chain and private key.
/// It belongs to the client, not to a session, because it is renewed more often than users sign in. Its key is never in
/// the store. Each new token is checked again for its certificate.
package struct ClientCertificate: Sendable {
    package let chain: CertificateChain
    let key: PrivateKey

    package init(pem: [UInt8], key: PrivateKey) throws(KeyError) {
        chain = try CertificateChain(pem: pem, key: key)
        self.key = key
    }
}
