import COpenSSL

/// The versions of the libraries that this process has loaded.
package enum LibraryVersions {
    package static var openSSL: String { String(cString: OpenSSL_version(OPENSSL_VERSION)) }
}
