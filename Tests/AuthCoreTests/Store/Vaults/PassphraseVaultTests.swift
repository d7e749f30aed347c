import FoundationEssentials
import Glibc
import Synchronization
import Testing

@testable import AuthCore

/// A user who answers each passphrase prompt with the next of `answers`.
private final class TestUser: VaultHost {
    private let answers: Mutex<[GivenPassphrase?]>
    private let prompts = Mutex<[PassphrasePurpose]>([])
    private let noted = Mutex<[VaultNote]>([])
    let now: Int64

    init(_ answers: [GivenPassphrase?], now: Int64 = 1_795_248_000) {
        self.answers = Mutex(answers)
        self.now = now
    }

    convenience init(typing answers: [String], now: Int64 = 1_795_248_000) {
        self.init(answers.map { GivenPassphrase(VaultPassphrase($0), isTyped: true) }, now: now)
    }

    var questions: [PassphrasePurpose] { prompts.withLock { $0 } }
    var notes: [VaultNote] { noted.withLock { $0 } }

    var clock: Clock { Clock(now: { [now] in now }) }
    var promptTimeout: Double? { 1 }
    var passphraseCost: ScryptCost { .cheap }
    func variable(_ name: String) -> String? { nil }
    func note(_ note: VaultNote) { noted.withLock { $0.append(note) } }
    func vaultPassphrase(_ purpose: PassphrasePurpose) throws -> GivenPassphrase? {
        prompts.withLock { $0.append(purpose) }
        return answers.withLock { $0.isEmpty ? nil : $0.removeFirst() }
    }
}

private func file(_ text: String) -> GivenPassphrase { GivenPassphrase(VaultPassphrase(text), isTyped: false) }

@Suite struct `The passphrase vault` {
    private let folder: StoreFolder
    private let store: String

    init() throws {
        folder = try StoreFolder()
        store = "test-\(try RandomSource.openSSL.token(bytes: 16))"
    }

    private func vault(
        _ user: TestUser, isKey: @escaping @Sendable (DataKey) -> Bool = { _ in true }
    ) -> PassphraseVault {
        PassphraseVault(directory: folder.directory, store: store, host: user, isKey: isKey)
    }

    private func clearCache() { KernelKeyring(store: store).remove() }

    private func storeKey(_ passphrase: String = "first passphrase", _ key: DataKey? = nil) throws {
        try vault(TestUser([file(passphrase)])).store(key ?? .fixed())
    }

    @Test func `A new passphrase of fewer than eight characters is rejected unless weak ones are allowed`() throws {
        for weak in ["x", "pässwör"] {
            #expect(throws: VaultError.weakPassphrase) { try vault(TestUser([file(weak)])).store(.fixed()) }
        }
        #expect(vault(TestUser([])).state() == .missing)
        try vault(TestUser([file("pässwört")])).store(.fixed())
        try vault(TestUser([GivenPassphrase(VaultPassphrase("x"), isTyped: false, acceptsWeak: true)])).store(.fixed())
        #expect(try vault(TestUser([file("x")])).dataKey() == .fixed())
    }

    @Test func `The passphrase vault is empty at first and then returns the stored key`() throws {
        let user = TestUser([file("first passphrase"), file("first passphrase")])
        #expect(try vault(user).dataKey() == nil)
        #expect(vault(user).state() == .missing)
        #expect(user.questions.isEmpty)
        try vault(user).store(.fixed())
        #expect(user.questions == [.choosing])
        #expect(vault(user).state() == .locked)
        #expect(try vault(user).dataKey() == .fixed())
        #expect(user.questions == [.choosing, .opening])
        let file = try #require(try folder.directory.read(WrappedKey.name, as: .secret))
        #expect(file == (try WrappedKey(file)).bytes)
    }

    @Test func `The passphrase is requested once, and not after the same vault stored the key`() throws {
        let user = TestUser([file("first passphrase"), file("first passphrase")])
        let first = vault(user)
        try first.store(.fixed())
        #expect(try first.dataKey() == .fixed())
        #expect(user.questions == [.choosing])
        let second = vault(user)
        _ = (try second.dataKey(), try second.dataKey())
        #expect(user.questions == [.choosing, .opening])
    }

    @Test func `A typed passphrase has three attempts, and a passphrase from a file has one`() throws {
        defer { clearCache() }
        try storeKey()
        let patient = TestUser(typing: ["second passphrase", "third passphrase", "first passphrase", "never"])
        #expect(try vault(patient).dataKey() == .fixed())
        #expect(patient.questions.count == 3)
        #expect(patient.notes.prefix(2) == [.wrongPassphrase, .wrongPassphrase])
        clearCache()
        let wrong = TestUser(typing: ["second passphrase", "third passphrase", "fourth passphrase", "first passphrase"])
        #expect(throws: VaultError.wrongPassphrase) { try vault(wrong).dataKey() }
        #expect(wrong.questions.count == 3)
        let given = TestUser([file("second passphrase"), file("first passphrase")])
        #expect(throws: VaultError.wrongPassphrase) { try vault(given).dataKey() }
        #expect(given.questions.count == 1)
    }

    @Test func `A vault without a passphrase stays locked, and its file is unchanged`() throws {
        try storeKey()
        let before = try folder.directory.read(WrappedKey.name, as: .secret)
        let noPassphrase = TestUser([])
        #expect(throws: VaultError.locked(.passphrase)) { try vault(noPassphrase).dataKey() }
        #expect(throws: VaultError.locked(.passphrase)) { try vault(noPassphrase).unlock(for: nil) }
        #expect(throws: VaultError.noPassphrase) { try vault(noPassphrase).store(.fixed(1)) }
        #expect(try folder.directory.read(WrappedKey.name, as: .secret) == before)
    }

    @Test func `A damaged key file is reported without requesting the passphrase`() throws {
        try storeKey()
        let whole = try #require(try folder.directory.read(WrappedKey.name, as: .secret))
        var flipped = whole
        flipped[20] ^= 1
        let user = TestUser([file("first passphrase")])
        for bytes in [flipped, Array(whole.dropLast(9)), [], [UInt8](repeating: 0x61, count: 4096)] {
            try folder.directory.replaceFile(WrappedKey.name, bytes)
            #expect(throws: VaultError.unavailable(.passphrase, .damaged)) { try vault(user).dataKey() }
            #expect(throws: VaultError.unavailable(.passphrase, .damaged)) { try vault(user).unlock(for: 60) }
            #expect(vault(user).state() == .unavailable(.damaged))
        }
        #expect(user.questions.isEmpty)
    }

    @Test func `A key file that is a symbolic link or readable by other users is rejected`() throws {
        try storeKey()
        let path = folder.directory.path(of: WrappedKey.name)
        chmod(path, 0o640)
        #expect(throws: StoreError.tooOpen(path: path, mode: 0o640, expected: 0o600)) {
            try vault(TestUser([file("first passphrase")])).dataKey()
        }
        chmod(path, 0o600)
        rename(path, path + ".real")
        symlink(path + ".real", path)
        #expect(throws: StoreError.notAPlainFile(path: path)) {
            try vault(TestUser([file("first passphrase")])).dataKey()
        }
    }

    @Test func `The key is cached after a typed passphrase, and otherwise only after unlock`() throws {
        defer { clearCache() }
        try storeKey()
        #expect(try vault(TestUser([file("first passphrase")])).dataKey() == .fixed())
        #expect(vault(TestUser([])).state() == .locked)
        let typist = TestUser(typing: ["first passphrase"])
        #expect(try vault(typist).dataKey() == .fixed())
        #expect(typist.notes == [.cached(until: typist.now + 8 * 3600)])
        #expect(vault(TestUser([])).state() == .open(until: typist.now + 8 * 3600))
        #expect(try vault(TestUser([])).dataKey() == .fixed())
        clearCache()
        let unlocking = TestUser([file("first passphrase")])
        try vault(unlocking).unlock(for: 90)
        #expect(vault(TestUser([])).state() == .open(until: unlocking.now + 90))
        #expect(try vault(TestUser([])).dataKey() == .fixed())
        // The user does not repeat the new passphrase.
        let choosing = TestUser(typing: ["second passphrase"])
        try vault(choosing).store(.fixed())
        #expect(vault(TestUser([])).state() == .open(until: choosing.now + 8 * 3600))
    }

    @Test func `Each unlock checks the passphrase even if the key is cached`() throws {
        defer { clearCache() }
        try storeKey()
        try vault(TestUser([file("first passphrase")])).unlock(for: 90)
        #expect(throws: VaultError.wrongPassphrase) {
            try vault(TestUser([file("second passphrase")])).unlock(for: 900)
        }
        #expect(vault(TestUser([])).state() == .open(until: 1_795_248_090))
        try vault(TestUser([file("first passphrase")])).unlock(for: 60)
        #expect(vault(TestUser([])).state() == .open(until: 1_795_248_060))
        #expect(throws: VaultError.unavailable(.passphrase, .missing)) {
            try vault(TestUser([])).discard()
            try vault(TestUser([file("first passphrase")])).unlock(for: 90)
        }
    }

    @Test func `A vault can be locked twice`() throws {
        try storeKey()
        let vault = vault(TestUser([file("first passphrase")]))
        try vault.unlock(for: nil)
        try vault.lock()
        try vault.lock()
        #expect(vault.state() == .locked)
        #expect(throws: VaultError.locked(.passphrase)) { try self.vault(TestUser([])).dataKey() }
    }

    @Test func `After a change the old passphrase is rejected and the cache is empty`() throws {
        defer { clearCache() }
        try storeKey("first passphrase")
        try vault(TestUser([file("first passphrase")])).unlock(for: 90)
        try vault(TestUser([file("second passphrase")])).store(.fixed())
        #expect(vault(TestUser([])).state() == .locked)
        #expect(throws: VaultError.wrongPassphrase) { try vault(TestUser([file("first passphrase")])).dataKey() }
        #expect(try vault(TestUser([file("second passphrase")])).dataKey() == .fixed())
    }

    @Test func `A cached key of another store is ignored, and the passphrase is requested`() throws {
        defer { clearCache() }
        try storeKey()
        let cache = KernelKeyring(store: store)
        #expect(cache.put(try .fixed(9), until: 1_795_248_090, now: 1_795_248_000) == nil)
        let own = try DataKey.fixed()
        let user = TestUser([file("first passphrase")])
        #expect(try vault(user, isKey: { $0 == own }).dataKey() == own)
        #expect(user.questions == [.opening])
        #expect(vault(TestUser([]), isKey: { $0 == own }).state() == .locked)
    }

    @Test func `The cached key stays available if the key file cannot be written`() throws {
        defer { clearCache() }
        try storeKey()
        try vault(TestUser([file("first passphrase")])).unlock(for: 90)
        // A directory already has the name of the temporary file.
        let temporary = folder.directory.path(of: ".\(WrappedKey.name).tmp")
        mkdir(temporary, 0o700)
        mkdir(temporary + "/x", 0o700)
        #expect(throws: StoreError.system(operation: "open", path: temporary, code: EEXIST)) {
            try vault(TestUser([file("second passphrase")])).store(.fixed())
        }
        #expect(try vault(TestUser([])).dataKey() == .fixed())
    }

    @Test(arguments: [KeyFileVault.name, WrappedKey.name])
    func `Removing a vault removes the temporary file of a killed process`(name: String) throws {
        let temporary = folder.directory.path(of: ".\(name).tmp")
        try folder.directory.createFile(".\(name).tmp", Array("a key".utf8))
        try #require(access(temporary, F_OK) == 0)
        try name == WrappedKey.name
            ? vault(TestUser([])).discard() : KeyFileVault(directory: folder.directory).discard()
        #expect(access(temporary, F_OK) != 0)
    }

    @Test func `Removing a vault removes its file and the cached key`() throws {
        try storeKey()
        let vault = vault(TestUser([file("first passphrase")]))
        try vault.unlock(for: nil)
        try vault.discard()
        try vault.discard()
        #expect(vault.state() == .missing)
        #expect(try self.vault(TestUser([file("first passphrase")])).dataKey() == nil)
        #expect(access(folder.directory.path(of: WrappedKey.name), F_OK) != 0)
    }

    @Test func `A key file in a newer format is reported as newer, and one that is a link is not read`() throws {
        let text = "authctl-key$2$argon2id"
        let check = Base64URL.encode(try HashFunction.sha256.digest(text.utf8))
        try folder.directory.replaceFile(WrappedKey.name, Array("\(text)$\(check)\n".utf8))
        let file = folder.directory.path(of: WrappedKey.name)
        #expect(throws: StoreError.newer(path: file)) { try vault(TestUser([])).dataKey() }
        #expect(vault(TestUser([])).state() == .unavailable(.damaged))
        try #require(unlink(file) == 0 && symlink("elsewhere", file) == 0)
        #expect(vault(TestUser([])).state() == .unavailable(.damaged))
    }

    @Test func `A silent host does not ask the user or print a note`() {
        let user = TestUser(typing: ["a passphrase"])
        let host = SilentHost(other: user)
        host.note(.wrongPassphrase)
        #expect(host.vaultPassphrase(.opening) == nil && host.promptTimeout == nil)
        #expect(user.notes.isEmpty && user.questions.isEmpty && host.clock.now() == user.now)
    }
}
