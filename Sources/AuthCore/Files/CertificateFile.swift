import Glibc

/// The CA certificates in the file that SSL_CERT_FILE names, which replace those of the system, or in a provider's CA
/// file, which are added to them. Users who can change or replace such a file can choose the trusted CAs.
package enum CertificateFile {
    private static let variable = "SSL_CERT_FILE"
    static let limit = 64 << 20

    /// Nil if the variable is not set.
    package static func bytes(in environment: Environment) throws(CertificateFileError) -> [UInt8]? {
        guard let path = environment[variable] else { return nil }
        return try bytes(at: path, of: nil)
    }

    /// Reads the file once, so that it cannot be replaced after it was checked.
    /// - Parameter setting: names the file; nil for SSL_CERT_FILE.
    static func bytes(at path: String, of setting: String?) throws(CertificateFileError) -> [UInt8] {
        let bytes: [UInt8]
        do throws(PathFault) {
            let found = try TrustedPath.ofUser.read(ConfigDirectory.absolute(path), limit: limit)
            guard let found else { throw PathFault(path: path, .system(code: ENOENT)) }
            bytes = found
        } catch {
            throw CertificateFileError(path: path, fault: error, setting: setting)
        }
        guard bytes.contains(Array("CERTIFICATE-----".utf8)) else {
            // Each certificate in DER is a SEQUENCE (X.690 section 8.9).
            throw CertificateFileError(path: path, fault: nil, setting: setting, isDER: bytes.first == 0x30)
        }
        return bytes
    }
}

/// Why a file of CA certificates is not used.
package struct CertificateFileError: UnusableClient, Equatable {
    package let path: String
    /// Nil if it has no certificates.
    package let fault: PathFault?
    /// Names the file; nil for SSL_CERT_FILE.
    package var setting: String?
    /// Whether the file may have a certificate, but not in PEM.
    package var isDER = false
    package var code: ErrorCode { .invalidConfiguration }
}
