import Glibc

/// The CA certificates in the file that SSL_CERT_FILE names, which replace those of the system. Users who can change or
/// replace this file can choose the trusted CAs.
package enum CertificateFile {
    private static let variable = "SSL_CERT_FILE"
    static let limit = 64 << 20

    /// Reads the file once, so that it cannot be replaced after it was checked. Nil if the variable is not set.
    package static func bytes(in environment: Environment) throws(CertificateFileError) -> [UInt8]? {
        guard let path = environment[variable] else { return nil }
        let bytes: [UInt8]
        do throws(PathFault) {
            let found = try TrustedPath.ofUser.read(ConfigDirectory.absolute(path), limit: limit)
            guard let found else { throw PathFault(path: path, .system(code: ENOENT)) }
            bytes = found
        } catch {
            throw CertificateFileError(path: path, fault: error)
        }
        guard bytes.contains(Array("CERTIFICATE-----".utf8)) else {
            throw CertificateFileError(path: path, fault: nil)
        }
        return bytes
    }
}

/// Why the file in SSL_CERT_FILE is not used.
package struct CertificateFileError: CodedError, Sendable, Equatable {
    package let path: String
    /// Nil if it has no certificates.
    package let fault: PathFault?
    package var code: ErrorCode { .invalidConfiguration }
}
