import FoundationEssentials
import Glibc
import Testing

@testable import AuthCore

/// A config directory of one test's own, gone with it.
final class StoreFolder: Sendable {
    let directory: ConfigDirectory

    init() throws {
        var template = Array("/tmp/authctl-store.XXXXXX".utf8CString)
        try #require(mkdtemp(&template) != nil)
        let path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        directory = ConfigDirectory(path: path + "/config")
        try directory.create()
    }

    deinit { try? FileManager.default.removeItem(atPath: directory.path + "/..") }

    var database: String { directory.path(of: Store.name) }

    /// An empty database beside the store's, with these tables.
    func database(_ schema: String, patience: Double = 0.05) throws -> DatabaseOwner {
        try directory.createFile("test.db", [])
        let owner = try DatabaseOwner(path: directory.path(of: "test.db"), patience: patience)
        try owner.blockingTransaction(.writing) { try $0.execute(script: schema) }
        return owner
    }

    func store(patience: Double = 1) throws -> Store {
        try #require(try Store.open(in: directory, host: NonInteractiveVaultHost(), creating: true, patience: patience))
    }

    /// The data key that stores of the tests are sealed with: 00 01 … 1f.
    func makeFixedKey() throws {
        try directory.createFile(KeyFileVault.name, Array((Base64URL.encode(Array(0..<32)) + "\n").utf8))
    }
}
