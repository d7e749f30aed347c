import FoundationEssentials
import Glibc
import Synchronization
import Testing

@testable import AuthCore

/// A person who types what they are given to type, one answer a question.
private final class Person: VaultHost {
    private let answers: Mutex<[GivenPassphrase?]>
    private let asked = Mutex<[PassphrasePurpose]>([])
    private let noted = Mutex<[VaultNote]>([])
    let now: Int64

    init(_ answers: [GivenPassphrase?], now: Int64 = 1_795_248_000) {
        self.answers = Mutex(answers)
        self.now = now
    }

    convenience init(typing answers: [String], now: Int64 = 1_795_248_000) {
        self.init(answers.map { GivenPassphrase(VaultPassphrase($0), isTyped: true) }, now: now)
    }

    var questions: [PassphrasePurpose] { asked.withLock { $0 } }
    var notes: [VaultNote] { noted.withLock { $0 } }

    var clock: Clock { Clock(now: { [now] in now }) }
    var patience: Double? { 1 }
    func variable(_ name: String) -> String? { nil }
    func note(_ note: VaultNote) { noted.withLock { $0.append(note) } }
    func vaultPassphrase(_ purpose: PassphrasePurpose) throws -> GivenPassphrase? {
        asked.withLock { $0.append(purpose) }
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
        _ person: Person, isKey: @escaping @Sendable (DataKey) -> Bool = { _ in true }
    ) -> PassphraseVault {
        PassphraseVault(directory: folder.directory, store: store, host: person, cost: .cheap, isKey: isKey)
    }

    private func forget() { KernelKeyring(store: store).remove() }

    private func kept(_ passphrase: String = "first passphrase", _ key: DataKey? = nil) throws {
        try vault(Person([file(passphrase)])).keep(key ?? .fixed())
    }

    @Test func `refuses a new passphrase of fewer than eight characters, unless the user accepts a weak one`() throws {
        for weak in ["x", "pässwör"] {
            #expect(throws: VaultError.weakPassphrase) { try vault(Person([file(weak)])).keep(.fixed()) }
        }
        #expect(vault(Person([])).state() == .missing)
        try vault(Person([file("pässwört")])).keep(.fixed())
        try vault(Person([GivenPassphrase(VaultPassphrase("x"), isTyped: false, acceptsWeak: true)])).keep(.fixed())
        #expect(try vault(Person([file("x")])).dataKey() == .fixed())
    }

    @Test func `has no key at first, and then returns the stored key`() throws {
        let person = Person([file("first passphrase"), file("first passphrase")])
        #expect(try vault(person).dataKey() == nil)
        #expect(vault(person).state() == .missing)
        #expect(person.questions.isEmpty)
        try vault(person).keep(.fixed())
        #expect(person.questions == [.choosing])
        #expect(vault(person).state() == .locked)
        #expect(try vault(person).dataKey() == .fixed())
        #expect(person.questions == [.choosing, .opening])
        let file = try #require(try folder.directory.read(WrappedKey.name, .secret))
        #expect(file == (try WrappedKey(file)).bytes)
    }

    @Test func `asks for the passphrase once, and not after it stored the key`() throws {
        let person = Person([file("first passphrase"), file("first passphrase")])
        let first = vault(person)
        try first.keep(.fixed())
        #expect(try first.dataKey() == .fixed())
        #expect(person.questions == [.choosing])
        let second = vault(person)
        _ = (try second.dataKey(), try second.dataKey())
        #expect(person.questions == [.choosing, .opening])
    }

    @Test func `allows three typed attempts, and one from another source`() throws {
        defer { forget() }
        try kept()
        let patient = Person(typing: ["second passphrase", "third passphrase", "first passphrase", "never"])
        #expect(try vault(patient).dataKey() == .fixed())
        #expect(patient.questions.count == 3)
        #expect(patient.notes.prefix(2) == [.wrongPassphrase, .wrongPassphrase])
        forget()
        let wrong = Person(typing: ["second passphrase", "third passphrase", "fourth passphrase", "first passphrase"])
        #expect(throws: VaultError.wrongPassphrase) { try vault(wrong).dataKey() }
        #expect(wrong.questions.count == 3)
        let given = Person([file("second passphrase"), file("first passphrase")])
        #expect(throws: VaultError.wrongPassphrase) { try vault(given).dataKey() }
        #expect(given.questions.count == 1)
    }

    @Test func `is locked without a passphrase, and nothing changes`() throws {
        try kept()
        let before = try folder.directory.read(WrappedKey.name, .secret)
        let nobody = Person([])
        #expect(throws: VaultError.locked(.passphrase)) { try vault(nobody).dataKey() }
        #expect(throws: VaultError.locked(.passphrase)) { try vault(nobody).unlock(for: nil) }
        #expect(throws: VaultError.noPassphrase) { try vault(nobody).keep(.fixed(1)) }
        #expect(try folder.directory.read(WrappedKey.name, .secret) == before)
    }

    @Test func `distinguishes a damaged file from a wrong passphrase, without asking`() throws {
        try kept()
        let whole = try #require(try folder.directory.read(WrappedKey.name, .secret))
        var flipped = whole
        flipped[20] ^= 1
        let person = Person([file("first passphrase")])
        for bytes in [flipped, Array(whole.dropLast(9)), [], [UInt8](repeating: 0x61, count: 4096)] {
            try folder.directory.replaceFile(WrappedKey.name, bytes)
            #expect(throws: VaultError.unavailable(.passphrase, .damaged)) { try vault(person).dataKey() }
            #expect(throws: VaultError.unavailable(.passphrase, .damaged)) { try vault(person).unlock(for: 60) }
            #expect(vault(person).state() == .unavailable(.damaged))
        }
        #expect(person.questions.isEmpty)
    }

    @Test func `refuses a link and a file that other users can read`() throws {
        try kept()
        let path = folder.directory.path(of: WrappedKey.name)
        chmod(path, 0o640)
        #expect(throws: StoreError.tooOpen(path: path, mode: 0o640, wanted: 0o600)) {
            try vault(Person([file("first passphrase")])).dataKey()
        }
        chmod(path, 0o600)
        rename(path, path + ".real")
        symlink(path + ".real", path)
        #expect(throws: StoreError.notAPlainFile(path: path)) {
            try vault(Person([file("first passphrase")])).dataKey()
        }
    }

    @Test func `caches the key after a typed passphrase, and otherwise only after unlock`() throws {
        defer { forget() }
        try kept()
        #expect(try vault(Person([file("first passphrase")])).dataKey() == .fixed())
        #expect(vault(Person([])).state() == .locked)
        let typist = Person(typing: ["first passphrase"])
        #expect(try vault(typist).dataKey() == .fixed())
        #expect(typist.notes == [.cached(until: typist.now + 8 * 3600)])
        #expect(vault(Person([])).state() == .open(until: typist.now + 8 * 3600))
        #expect(try vault(Person([])).dataKey() == .fixed())
        forget()
        let unlocking = Person([file("first passphrase")])
        try vault(unlocking).unlock(for: 90)
        #expect(vault(Person([])).state() == .open(until: unlocking.now + 90))
        #expect(try vault(Person([])).dataKey() == .fixed())
        // The user does not type a new passphrase again.
        let choosing = Person(typing: ["second passphrase"])
        try vault(choosing).keep(.fixed())
        #expect(vault(Person([])).state() == .open(until: choosing.now + 8 * 3600))
    }

    @Test func `checks the passphrase at each unlock despite the cache`() throws {
        defer { forget() }
        try kept()
        try vault(Person([file("first passphrase")])).unlock(for: 90)
        #expect(throws: VaultError.wrongPassphrase) { try vault(Person([file("second passphrase")])).unlock(for: 900) }
        #expect(vault(Person([])).state() == .open(until: 1_795_248_090))
        try vault(Person([file("first passphrase")])).unlock(for: 60)
        #expect(vault(Person([])).state() == .open(until: 1_795_248_060))
        #expect(throws: VaultError.unavailable(.passphrase, .missing)) {
            try vault(Person([])).discard()
            try vault(Person([file("first passphrase")])).unlock(for: 90)
        }
    }

    @Test func `can be locked, also twice`() throws {
        try kept()
        let vault = vault(Person([file("first passphrase")]))
        try vault.unlock(for: nil)
        try vault.lock()
        try vault.lock()
        #expect(vault.state() == .locked)
        #expect(throws: VaultError.locked(.passphrase)) { try self.vault(Person([])).dataKey() }
    }

    @Test func `requires the new passphrase after a change, and the cache is empty`() throws {
        defer { forget() }
        try kept("first passphrase")
        try vault(Person([file("first passphrase")])).unlock(for: 90)
        try vault(Person([file("second passphrase")])).keep(.fixed())
        #expect(vault(Person([])).state() == .locked)
        #expect(throws: VaultError.wrongPassphrase) { try vault(Person([file("first passphrase")])).dataKey() }
        #expect(try vault(Person([file("second passphrase")])).dataKey() == .fixed())
    }

    @Test func `asks if the cached key belongs to another store, without reporting damage`() throws {
        defer { forget() }
        try kept()
        let cache = KernelKeyring(store: store)
        #expect(cache.put(try .fixed(9), until: 1_795_248_090, now: 1_795_248_000) == nil)
        let own = try DataKey.fixed()
        let person = Person([file("first passphrase")])
        #expect(try vault(person, isKey: { $0 == own }).dataKey() == own)
        #expect(person.questions == [.opening])
        #expect(vault(Person([]), isKey: { $0 == own }).state() == .locked)
    }

    @Test func `keeps the cache if the file cannot be written`() throws {
        defer { forget() }
        try kept()
        try vault(Person([file("first passphrase")])).unlock(for: 90)
        // A directory has the name of the new file.
        let temporary = folder.directory.path(of: ".\(WrappedKey.name).tmp")
        mkdir(temporary, 0o700)
        mkdir(temporary + "/x", 0o700)
        #expect(throws: StoreError.self) { try vault(Person([file("second passphrase")])).keep(.fixed()) }
        #expect(try vault(Person([])).dataKey() == .fixed())
    }

    @Test(arguments: [KeyFileVault.name, WrappedKey.name])
    func `removes the temporary file of a killed process`(name: String) throws {
        let temporary = folder.directory.path(of: ".\(name).tmp")
        try folder.directory.createFile(".\(name).tmp", Array("a key".utf8))
        try #require(access(temporary, F_OK) == 0)
        try name == WrappedKey.name ? vault(Person([])).discard() : KeyFileVault(directory: folder.directory).discard()
        #expect(access(temporary, F_OK) != 0)
    }

    @Test func `is removed with its file and the cached key`() throws {
        try kept()
        let vault = vault(Person([file("first passphrase")]))
        try vault.unlock(for: nil)
        try vault.discard()
        try vault.discard()
        #expect(vault.state() == .missing)
        #expect(try self.vault(Person([file("first passphrase")])).dataKey() == nil)
        #expect(access(folder.directory.path(of: WrappedKey.name), F_OK) != 0)
    }
}
