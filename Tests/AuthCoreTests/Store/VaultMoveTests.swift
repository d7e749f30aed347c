import Glibc
import Testing

@testable import AuthCore

/// A host that only provides a passphrase.
private struct PassphraseHost: VaultHost {
    var passphrase: String? = "correct horse"
    /// Runs before the user answers.
    var whileAsked: @Sendable () throws -> Void = {}
    var clock: Clock { Clock(now: { 1_795_248_000 }) }
    var promptTimeout: Double? { nil }
    var passphraseCost: ScryptCost { .cheap }
    func variable(_ name: String) -> String? { nil }
    func note(_ note: VaultNote) {}
    func vaultPassphrase(_ purpose: PassphrasePurpose) throws -> GivenPassphrase? {
        try whileAsked()
        return passphrase.map { GivenPassphrase(VaultPassphrase($0), isTyped: false) }
    }
}

@Suite struct `Moves of the encryption key` {
    private let folder: StoreFolder

    init() throws { folder = try StoreFolder() }

    /// Opens the store like another process.
    private func store(_ host: PassphraseHost = PassphraseHost()) throws -> Store {
        try #require(try Store.open(in: folder.directory, host: host, creating: true))
    }

    private func exists(_ name: String) throws -> Bool {
        try folder.directory.read(name, as: .secret) != nil
    }

    /// A value that was encrypted before the move.
    private func encrypted() async throws -> [UInt8] {
        try await store().sealer(creating: true).seal("a token", at: place)
    }

    private let place = Sealer.Place(account: "a", provider: "p", field: "f")

    private func decrypted(_ box: [UInt8]) async throws -> String {
        try await store().sealer(creating: false).open(box, at: place)
    }

    @Test func `Moving the key between vaults leaves one copy, and earlier values still decrypt`() async throws {
        let box = try await encrypted()
        #expect(try await store().moveKey(to: .passphrase) == VaultMove(from: .file, to: .passphrase))
        #expect(try exists(WrappedKey.name))
        #expect(try !exists(KeyFileVault.name))
        #expect(try await decrypted(box) == "a token")
        #expect(try await store().vaultStatus() == VaultStatus(kind: .passphrase, state: .locked))
        #expect(try await store().moveKey(to: .file) == VaultMove(from: .passphrase, to: .file))
        #expect(try !exists(WrappedKey.name))
        #expect(try await decrypted(box) == "a token")
    }

    @Test func `A key that does not exist yet is created directly in the target vault`() async throws {
        #expect(try await store().moveKey(to: .passphrase) == VaultMove(from: nil, to: .passphrase))
        #expect(try !exists(KeyFileVault.name))
        _ = try await store().sealer(creating: true)
        #expect(try !exists(KeyFileVault.name))
    }

    @Test(arguments: 1...4)
    func `A first value is encrypted with the key of a vault that another process chooses meanwhile`(
        step: Int
    ) async throws {
        let steps = Lock(0)
        var first = try store()
        first.checkpoint = {
            let number = steps.withLock { steps in
                steps += 1
                return steps
            }
            if number == step { _ = try await store().moveKey(to: .passphrase) }
        }
        let box = try await first.sealer(creating: true).seal("a token", at: place)
        #expect(try await decrypted(box) == "a token")
        #expect(try await store().vaultRow()?.kind == .passphrase)
    }

    @Test func `A move that was killed before the database changed can be undone or completed`() async throws {
        for kind in [VaultKind.file, .passphrase] {
            let box = try await encrypted()
            var row = try #require(try await store().vaultRow())
            row.other = .passphrase
            let killed = row
            try await store().write { try killed.update($0) }
            try folder.directory.replaceFile(WrappedKey.name, Array("half of it".utf8))
            #expect(try await decrypted(box) == "a token")
            #expect(try await store().vaultStatus().other == .passphrase)
            #expect(try await store().moveKey(to: kind).left == nil)
            #expect(try await decrypted(box) == "a token")
            #expect(try exists(KeyFileVault.name) == (kind == .file))
            #expect(try exists(WrappedKey.name) == (kind == .passphrase))
            #expect(try await store().vaultStatus().other == nil)
        }
    }

    @Test func `A move that was killed after the database changed can be completed`() async throws {
        let box = try await encrypted()
        let key = try #require(try folder.directory.read(KeyFileVault.name, as: .secret))
        _ = try await store().moveKey(to: .passphrase)
        var row = try #require(try await store().vaultRow())
        row.other = .file
        let killed = row
        try await store().write { try killed.update($0) }
        try folder.directory.replaceFile(KeyFileVault.name, key)
        #expect(try await store().moveKey(to: .passphrase).left == nil)
        #expect(try !exists(KeyFileVault.name))
        #expect(try await decrypted(box) == "a token")
    }

    @Test func `A move to an unavailable vault fails and changes nothing`() async throws {
        let box = try await encrypted()
        let row = try await store().vaultRow()
        await #expect(throws: VaultError.cannotStore(.keyring, .noBus)) {
            try await store().moveKey(to: .keyring)
        }
        await #expect(throws: VaultError.noPassphrase) {
            try await store(PassphraseHost(passphrase: nil)).moveKey(to: .passphrase)
        }
        let now = try await store().vaultRow()
        #expect(now?.kind == row?.kind && now?.other == nil)
        #expect(try await decrypted(box) == "a token")
    }

    @Test func `A store that was open during the move uses the moved key`() async throws {
        let box = try await encrypted()
        let before = try store()
        _ = try await before.vaultRow()
        _ = try await store().moveKey(to: .passphrase)
        #expect(try await before.sealer(creating: false).open(box, at: place) == "a token")
    }

    @Test func `A key that another process stored during the move of the first key is the one that is moved`()
        async throws
    {
        let other = try store()
        let host = PassphraseHost(whileAsked: {
            let key = try other.fileVault.first(random: .openSSL)
            let row = try other.row(.file, of: key)
            _ = try other.database.blockingTransaction(.writing) { try row.insert($0) }
            other.knownKey.key.withLock { $0 = key }
        })
        #expect(try await store(host).moveKey(to: .passphrase) == VaultMove(from: .file, to: .passphrase))
        #expect(try exists(WrappedKey.name))
        let box = try await other.sealer(creating: false).seal("a token", at: place)
        #expect(try await decrypted(box) == "a token")
    }

    @Test func `The first move of the key adds an ID to an earlier store`() async throws {
        let box = try await encrypted()
        var row = try #require(try await store().vaultRow())
        row.store = ""
        let early = row
        try await store().write { try early.update($0) }
        _ = try await store().moveKey(to: .passphrase)
        #expect(try await store().vaultRow()?.store.isEmpty == false)
        #expect(try await decrypted(box) == "a token")
    }

    @Test func `A key is not moved while a third vault that may have a copy cannot be reached`() async throws {
        let box = try await encrypted()
        var row = try #require(try await store().vaultRow())
        row.other = .keyring
        let killed = row
        try await store().write { try killed.update($0) }
        await #expect(throws: VaultError.unavailable(.keyring, .noBus)) {
            try await store().moveKey(to: .passphrase)
        }
        #expect(try await store().vaultRow() == killed)
        #expect(try await decrypted(box) == "a token")
    }

    @Test func `A key in a file cannot be locked, or unlocked for a time`() async throws {
        await #expect(throws: VaultError.cannotLock) { try await store().lockVault() }
        _ = try await encrypted()
        await #expect(throws: VaultError.cannotLock) { try await store().lockVault() }
        await #expect(throws: VaultError.noTimeLimit(.file)) { try await store().unlockVault(for: 60) }
        #expect(try await store().unlockVault(for: nil).kind == .file)
    }

    /// The row of the store in a directory, after a process has used its key.
    private func rowAfterUse(of directory: ConfigDirectory) async throws -> VaultRow {
        let store = try #require(try Store.open(in: directory, host: PassphraseHost(), creating: false))
        _ = try await store.sealer(creating: false)
        return try #require(try await store.vaultRow())
    }

    @Test func `A copy takes a new ID; a moved store and a store of an earlier version keep theirs`() async throws {
        _ = try await store().moveKey(to: .passphrase)
        let first = try await rowAfterUse(of: folder.directory)
        #expect(first.path == ConfigDirectory.resolved(folder.directory.path))
        try await store().write { try $0.execute("UPDATE vault SET path = NULL") }
        #expect(try await rowAfterUse(of: folder.directory) == first)

        let copy = ConfigDirectory(path: folder.directory.path + "-copy")
        try copy.create()
        for name in [Store.name, WrappedKey.name] {
            let bytes = try #require(try folder.directory.read(name, as: .secret))
            try copy.createFile(name, bytes)
        }
        let other = try await rowAfterUse(of: copy)
        #expect(other.store != first.store && other.path == ConfigDirectory.resolved(copy.path))
        #expect(try await rowAfterUse(of: copy) == other)
        #expect(try await rowAfterUse(of: folder.directory) == first)

        let moved = ConfigDirectory(path: folder.directory.path + "-moved")
        try #require(rename(folder.directory.path, moved.path) == 0)
        #expect(try await rowAfterUse(of: moved).store == first.store)
    }

    @Test func `A key that leaves its file takes a new ID, because copies of the directory share the old one`()
        async throws
    {
        let store = try store()
        _ = try await store.sealer(creating: true)
        let before = try #require(try await store.vaultRow())
        _ = try await store.moveKey(to: .passphrase)
        #expect(try await store.vaultRow()?.store != before.store)
    }

    @Test func `If two processes create the key file, both use the key of the first`() throws {
        let vault = KeyFileVault(directory: folder.directory)
        let folder = self.folder
        let random = RandomSource { count in
            try folder.makeFixedKey()
            return [UInt8](repeating: 9, count: count)
        }
        let key = try vault.first(random: random)
        #expect(try vault.dataKey() == key)
        #expect(key.bytes.withUnsafeBytes { Array($0) } == Array(0..<32))
    }
}
