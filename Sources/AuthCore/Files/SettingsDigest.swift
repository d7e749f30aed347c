/// The digest of `config.yaml`: equal marks mean equal settings, even if the file was written again.
package struct SettingsDigest: Sendable, Equatable {
    let digest: [UInt8]
    let namesEmulator: Bool

    init(_ bytes: [UInt8], namesEmulator: Bool) throws(OpenSSLError) {
        digest = try HashFunction.sha256.digest(bytes)
        self.namesEmulator = namesEmulator
    }
}
