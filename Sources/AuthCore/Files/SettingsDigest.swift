/// The digest of `config.yaml`: equal marks mean equal settings, even if the file was written again.
package struct SettingsDigest: Sendable, Equatable {
    let digest: [UInt8]
    let namesEmulator: Bool

    /// Reads the file without parsing it.
    package init(in directory: ConfigDirectory, namesEmulator: Bool) throws {
        try self.init(try directory.settings() ?? [], namesEmulator: namesEmulator)
    }

    init(_ bytes: [UInt8], namesEmulator: Bool) throws(OpenSSLError) {
        digest = try HashFunction.sha256.digest(bytes)
        self.namesEmulator = namesEmulator
    }
}
