import Testing

@testable import AuthCore

/// A machine whose environment names a passphrase, and nothing else.
private struct Machine: VaultHost {
    var passphrase: String? = "correct horse"
    var clock: Clock { Clock(now: { 1_795_248_000 }) }
    var patience: Double? { nil }
    func variable(_ name: String) -> String? { nil }
    func note(_ note: VaultNote) {}
    func vaultPassphrase(_ purpose: PassphrasePurpose) -> GivenPassphrase? {
        passphrase.map { GivenPassphrase(VaultPassphrase($0), isTyped: false) }
    }
}

@Suite struct `A move of the encryption key` {
    private let folder: StoreFolder

    init() throws { folder = try StoreFolder() }

    /// The store as another process would open it.
    private func store(_ machine: Machine = Machine()) throws -> Store {
        try #require(try Store.open(in: folder.directory, host: machine, creating: true))
    }

    private func isThere(_ name: String) throws -> Bool {
        try folder.directory.read(name, .secret) != nil
    }

    /// Something that was sealed before the key moved.
    private func sealed() async throws -> [UInt8] {
        try await store().sealer(creating: true).seal("a token", at: place)
    }

    private let place = Sealer.Place(account: "a", provider: "p", field: "f")

    private func opened(_ box: [UInt8]) async throws -> String {
        try await store().sealer(creating: false).open(box, at: place)
    }

    @Test func `leaves one copy, and earlier values still decrypt`() async throws {
        let box = try await sealed()
        #expect(try await store().moveKey(to: .passphrase) == VaultMove(from: .file, to: .passphrase))
        #expect(try isThere(WrappedKey.name))
        #expect(try !isThere(KeyFileVault.name))
        #expect(try await opened(box) == "a token")
        #expect(try await store().vaultStatus() == VaultStatus(kind: .passphrase, state: .locked))
        #expect(try await store().moveKey(to: .file) == VaultMove(from: .passphrase, to: .file))
        #expect(try !isThere(WrappedKey.name))
        #expect(try await opened(box) == "a token")
    }

    @Test func `creates a first key in its final vault`() async throws {
        #expect(try await store().moveKey(to: .passphrase) == VaultMove(from: nil, to: .passphrase))
        #expect(try !isThere(KeyFileVault.name))
        _ = try await store().sealer(creating: true)
        #expect(try !isThere(KeyFileVault.name))
    }

    @Test func `that was killed before the row changed is undone or completed`() async throws {
        for kind in [VaultKind.file, .passphrase] {
            let box = try await sealed()
            var row = try #require(try await store().vaultRow())
            row.other = .passphrase
            let killed = row
            try await store().write { try killed.update($0) }
            try folder.directory.replaceFile(WrappedKey.name, Array("half of it".utf8))
            #expect(try await opened(box) == "a token")
            #expect(try await store().vaultStatus().other == .passphrase)
            #expect(try await store().moveKey(to: kind).left == nil)
            #expect(try await opened(box) == "a token")
            #expect(try isThere(KeyFileVault.name) == (kind == .file))
            #expect(try isThere(WrappedKey.name) == (kind == .passphrase))
            #expect(try await store().vaultStatus().other == nil)
        }
    }

    @Test func `that was killed after the row changed is completed`() async throws {
        let box = try await sealed()
        let key = try #require(try folder.directory.read(KeyFileVault.name, .secret))
        _ = try await store().moveKey(to: .passphrase)
        var row = try #require(try await store().vaultRow())
        row.other = .file
        let killed = row
        try await store().write { try killed.update($0) }
        try folder.directory.replaceFile(KeyFileVault.name, key)
        #expect(try await store().moveKey(to: .passphrase).left == nil)
        #expect(try !isThere(KeyFileVault.name))
        #expect(try await opened(box) == "a token")
    }

    @Test func `to an unavailable vault changes nothing`() async throws {
        let box = try await sealed()
        let row = try await store().vaultRow()
        await #expect(throws: VaultError.cannotTake(.keyring, .noBus)) {
            try await store().moveKey(to: .keyring)
        }
        await #expect(throws: VaultError.noPassphrase) {
            try await store(Machine(passphrase: nil)).moveKey(to: .passphrase)
        }
        let now = try await store().vaultRow()
        #expect(now?.kind == row?.kind && now?.other == nil)
        #expect(try await opened(box) == "a token")
    }

    @Test func `is noticed by a store that was already open`() async throws {
        let box = try await sealed()
        let before = try store()
        _ = try await before.vaultRow()
        _ = try await store().moveKey(to: .passphrase)
        #expect(try await before.sealer(creating: false).open(box, at: place) == "a token")
    }
}
