import COpenSSL

/// The versions of the libraries that this process runs with.
public enum LibraryVersions {
    /// OpenSSL's name, version and date.
    public static var openSSL: String { String(cString: OpenSSL_version(OPENSSL_VERSION)) }
}
