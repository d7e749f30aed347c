/// `config.yaml` as it stands, by its digest: equal marks are equal settings, however the file was changed.
package struct SettingsMark: Sendable, Equatable {
    let digest: [UInt8]
    let namesEmulator: Bool

    /// Reads the file, and no more of it than its bytes.
    package init(in directory: ConfigDirectory, namesEmulator: Bool) throws {
        try self.init(try directory.settings() ?? [], namesEmulator: namesEmulator)
    }

    init(_ bytes: [UInt8], namesEmulator: Bool) throws(OpenSSLError) {
        digest = try HashFunction.sha256.digest(bytes)
        self.namesEmulator = namesEmulator
    }
}
