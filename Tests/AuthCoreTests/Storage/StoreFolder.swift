import AuthCoreTesting
import FoundationEssentials
import TestSupport
import Testing

@testable import AuthCore

/// A config directory for one test, removed with it.
final class StoreFolder: Sendable {
    private let folder: TemporaryFolder
    let directory: ConfigDirectory

    init() throws {
        folder = try TemporaryFolder()
        directory = ConfigDirectory(path: folder.path + "/config")
        try directory.create()
    }

    var database: String { directory.path(of: Store.name) }

    /// A second database in the directory, with this schema.
    func database(_ schema: String, timeout: Double = 0.05) throws -> DatabaseOwner {
        try directory.createFile("test.db", [])
        let owner = try DatabaseOwner(path: directory.path(of: "test.db"), timeout: timeout)
        try owner.blockingTransaction(.writing) { try $0.execute(script: schema) }
        return owner
    }

    func store(timeout: Double = 1) throws -> Store {
        try #require(try Store.open(in: directory, host: NonInteractiveVaultHost(), creating: true, timeout: timeout))
    }

    /// Stores the data key 00 01 … 1f, with which the stores in `Stores` are encrypted.
    func makeFixedKey() throws {
        try directory.createFile(KeyFileVault.name, Array((Base64URL.encode(Array(0..<32)) + "\n").utf8))
    }
}
