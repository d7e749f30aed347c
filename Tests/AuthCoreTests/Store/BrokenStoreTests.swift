import AuthCoreTesting
import Glibc
import Testing

@testable import AuthCore

@Suite struct `A damaged, full, busy or moved store` {
    private let folder: StoreFolder

    init() throws { folder = try StoreFolder() }

    private func reopened() throws -> Store? {
        try Store.open(in: folder.directory, host: NonInteractiveVaultHost(), creating: false, timeout: 0.05)
    }

    /// Writes enough data to fill several pages.
    private func fill(_ store: Store) async throws {
        try await store.write { db in
            for index in 0..<200 {
                let body = [UInt8](repeating: 1, count: 1000)
                try db.insert(
                    into: "document", values: ["key": "\(index)", "body": body, "fetched_at": 1, "fresh_until": 1])
            }
        }
    }

    @Test func `A truncated or partly overwritten database, or another file, is reported as damaged`() async throws {
        try await fill(try folder.store())
        let whole = try #require(try folder.directory.read(Store.name, as: .secret))
        var mixed = whole
        for index in 4096..<mixed.count { mixed[index] = UInt8(truncatingIfNeeded: index &* 31) }
        for bytes in [Array("no database at all, but long enough".utf8), Array(whole.prefix(whole.count / 2)), mixed] {
            try folder.directory.replaceFile(Store.name, bytes)
            await #expect {
                let store = try #require(try reopened())
                try await store.examine()
                _ = try await StoredDocuments(store: store).store.read {
                    try Row.fetchAll($0, "SELECT * FROM document")
                }
            } throws: { error in
                if case .damaged(folder.database, _) = error as? StoreError { true } else { false }
            }
        }
    }

    @Test func `A write to a full store is rolled back, and a smaller one then succeeds`() async throws {
        let store = try folder.store()
        let pages = try await store.read { try Int.fetchOne($0, "PRAGMA page_count") ?? 0 }
        try await store.write { try $0.execute(script: "PRAGMA max_page_count = \(pages + 3)") }
        await #expect(throws: StoreError.notWritable(path: folder.database, code: ENOSPC)) { try await fill(store) }
        #expect(try await store.read { try Int.fetchOne($0, "SELECT COUNT(*) FROM document") } == 0)
        await StoredDocuments(store: store).store(
            CachedDocument(body: [1], fetchedAt: 1, freshUntil: 2, forcedAt: nil, zone: nil), for: "k")
        #expect(await StoredDocuments(store: store).document(for: "k")?.body == [1])
    }

    @Test func `A store is reported as busy if another process holds its lock longer than the timeout`() async throws {
        let store = try folder.store(timeout: 0.05)
        let other = try Database(path: folder.database)
        try other.execute("BEGIN EXCLUSIVE")
        let busy = StoreError.busy(name: Store.name, holder: nil)
        await #expect(throws: busy) { try await store.write { _ in } }
        await #expect(throws: busy) { try await store.read { _ in } }
        #expect(throws: busy) { _ = try reopened() }
        try other.execute("COMMIT")
        try await store.write { _ in }
    }

    @Test func `A store that was moved while it was open is not written`() async throws {
        let store = try folder.store()
        rename(folder.database, folder.database + ".old")
        await #expect(throws: StoreError.notWritable(path: folder.directory.path, code: EACCES)) {
            try await store.write { try $0.execute("INSERT INTO used_nonce VALUES (x'00', 1, 1)") }
        }
    }

    @Test func `Text that is not UTF-8 in a row is reported as damage`() async throws {
        let store = try folder.store()
        try await store.write { db in
            try db.execute(
                "INSERT INTO document (key, body, fetched_at, fresh_until) VALUES (CAST(x'ff' AS TEXT), x'00', 1, 1)")
        }
        await #expect(throws: StoreError.damagedEntry("'key' holds text that is not UTF-8")) {
            try await store.read { _ = try Row.fetchAll($0, "SELECT * FROM document") }
        }
    }

    /// The kernel releases a process's POSIX locks on a file when the process closes any descriptor of that file.
    @Test func `Opening the store again does not release the locks of a writer in the same process`() throws {
        _ = try folder.store()
        let writer = try Database(path: folder.database)
        try writer.execute("BEGIN IMMEDIATE")
        _ = try reopened()
        let descriptor = open(folder.database, O_RDWR)
        defer { close(descriptor) }
        var lock = flock()
        (lock.l_type, lock.l_whence, lock.l_start, lock.l_len) = (Int16(F_WRLCK), Int16(SEEK_SET), 0x4000_0001, 1)
        // F_OFD_GETLK, as another process would see the lock.
        #expect(fcntl(descriptor, 36, &lock) == 0)
        #expect(lock.l_type == F_WRLCK, "SQLite's RESERVED byte is still locked")
        try writer.execute("ROLLBACK")
    }

    @Test func `A store is opened through a symbolic link in its path`() throws {
        _ = try folder.store()
        let link = folder.directory.path + "-link"
        symlink(folder.directory.path + "/..", link)
        defer { unlink(link) }
        let directory = ConfigDirectory(path: link + "/config")
        #expect(try Store.open(in: directory, host: NonInteractiveVaultHost(), creating: false) != nil)
    }

    @Test func `A row that the schema forbids is reported as damage`() async throws {
        let store = try folder.store()
        try await store.write { db in
            try db.execute(script: "PRAGMA ignore_check_constraints = ON")
            try db.execute("INSERT INTO vault (id, kind, key_check) VALUES (2, 'file', x'00')")
        }
        await #expect {
            try await #require(try reopened()).examine()
        } throws: { error in
            if case .damaged(folder.database, let reason) = error as? StoreError {
                reason.contains("CHECK")
            } else {
                false
            }
        }
    }

    @Test func `A vault of an unknown kind is reported as damage, and a lost key by its file`() async throws {
        let store = try folder.store()
        await #expect(throws: StoreError.lostKey(path: folder.directory.path(of: KeyFileVault.name))) {
            try await store.sealer(creating: false)
        }
        try await store.write { try $0.execute("INSERT INTO vault (id, kind, key_check) VALUES (1, 'cloud', x'00')") }
        await #expect(throws: StoreError.damagedEntry("kind of the vault")) {
            try await store.sealer(creating: false)
        }
    }
}
