import FoundationEssentials
import Glibc
import Synchronization
import TestSupport
import Testing

@testable import AuthCore

@Suite struct `Locks, files and encryption` {
    private let directory: ConfigDirectory
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        directory = ConfigDirectory(path: folder.path + "/config")
    }

    private func raw(_ key: DataKey) -> [UInt8] { key.bytes.withUnsafeBytes { Array($0) } }

    private let clock = Clock(now: { 1_795_248_000 })

    @Test func `A lock that is not released in time is reported as busy with its holder`() async throws {
        try directory.create()
        try await FileLock.holding("one", in: directory, clock: clock) {
            await #expect(throws: StoreError.busy(name: "one", holder: "\(getpid()) 2026-11-21T08:00:00Z")) {
                try await FileLock.holding("one", in: directory, clock: clock, timeout: 0.02) {}
            }
            try await FileLock.holding("another", in: directory, clock: clock, timeout: 0) {}
        }
        try await FileLock.holding("one", in: directory, clock: clock, timeout: 0) {}
    }

    @Test func `A reader of a file that is being replaced gets the old or the new content`() async throws {
        try directory.create()
        let texts: Set<[UInt8]> = [Array("old".utf8), Array("new and longer".utf8)]
        for text in texts { try directory.replaceFile("file", text) }
        let isOver = Atomic(false)
        async let replaced: Void = OwnThread.run {
            while !isOver.load(ordering: .relaxed) { for text in texts { try? directory.replaceFile("file", text) } }
        }
        let read = await OwnThread.run {
            (0..<20_000).map { _ in Result { try directory.read("file", .secret) } }
        }
        isOver.store(true, ordering: .relaxed)
        await replaced
        let faults = read.filter { (try? $0.get()).flatMap { $0 }.map(texts.contains) != true }
        #expect(faults.isEmpty, "\(faults.count), first \(String(describing: faults.first))")
    }

    @Test func `Parallel tasks that create the data key get the same key`() async throws {
        try directory.create()
        let vault = KeyFileVault(directory: directory)
        let keys = try await withThrowingTaskGroup(of: [UInt8].self) { group in
            for _ in 0..<8 { group.addTask { raw(try vault.first(random: .openSSL)) } }
            return try await group.reduce(into: Set<[UInt8]>()) { $0.insert($1) }
        }
        #expect(keys.count == 1)
        #expect(try vault.dataKey().map(raw) == keys.first)
    }

    @Test func `An encrypted value decrypts only in its own row and column`() throws {
        var bytes = try RandomSource.openSSL.bytes(32)
        let key = try #require(DataKey(moving: &bytes))
        let sealer = Sealer(key: key, random: .openSSL)
        let place = Sealer.Place(account: "u", provider: "p", field: "access token")
        let box = try sealer.seal("secret", at: place)
        #expect(try sealer.open(box, at: place) == "secret")
        #expect(!box.contains(Array("secret".utf8)))
        for other in [
            ("v", "p", "access token"), ("u", "q", "access token"), ("u", "p", "refresh token"),
            ("up", "", "access token"),
        ] {
            #expect(throws: StoreError.self) {
                try sealer.open(box, at: Sealer.Place(account: other.0, provider: other.1, field: other.2))
            }
        }
        for index in box.indices {
            var changed = box
            changed[index] ^= 1
            #expect(throws: StoreError.self) { try sealer.open(changed, at: place) }
        }
        #expect(try sealer.seal("secret", at: place) != box, "a new nonce each time")
    }
}
