import CSQLite
import Glibc

/// The store: `authctl.db` and the vault's key. Opened once by a process that needs it.
package struct Store: Sendable {
    let database: DatabaseOwner
    let directory: ConfigDirectory
    let vaults: Vaults
    let knownKey = KnownKey()
    let random: RandomSource
    /// Awaited before and after each transaction of a task: a simulation stops processes there.
    var checkpoint: (@Sendable () async throws -> Void)?

    package static let name = ConfigDirectory.store
    package static let keyFiles = Vaults.files

    /// Opens the store, making it where `creating` allows.
    ///   - timeout: seconds to wait for another process that writes.
    ///   - existing: the result of `existing`, which is not opened again.
    package static func open(
        in directory: ConfigDirectory, host: any VaultHost, creating: Bool,
        timeout: Double = FileLock.timeout, random: RandomSource = .openSSL, existing: Store? = nil
    ) throws -> Store? {
        let vaults = Vaults(directory: directory, host: host)
        if creating {
            try directory.create()
            try directory.requireWritable()
        }
        let length = try directory.checkDatabase(name)
        guard let length, length > 0 else {
            guard creating || length != nil else { return nil }
            // Of several first processes one makes the schema, and the others wait for it.
            return try locked(in: directory, timeout) {
                try made(in: directory)
                return try opened(vaults, timeout, random).migrated()
            }
        }
        existing?.database.wait(timeout)
        let store =
            try existing.map { Store(database: $0.database, directory: directory, vaults: vaults, random: random) }
            ?? opened(vaults, timeout, random)
        if try store.isCurrent() { return store }
        return try locked(in: directory, timeout) { try store.migrated() }
    }

    private static func locked(
        in directory: ConfigDirectory, _ timeout: Double, _ body: () throws -> Store
    ) throws -> Store {
        try directory.requireWritable()
        return try FileLock.blocking("schema", in: directory, timeout: timeout, body)
    }

    private static func made(in directory: ConfigDirectory) throws {
        switch try directory.checkDatabase(name) {
        case nil: try directory.createFile(name, [])
        case 0?:
            // The key is made after the schema: with a key, an empty database is one that lost its content.
            for file in Vaults.files.map(directory.path(of:)) where access(file, F_OK) == 0 || errno != ENOENT {
                throw StoreError.damaged(path: directory.path(of: name), reason: "it is empty")
            }
        default: break
        }
    }

    /// Opens an existing store, independent of its schema; the first transaction checks it. For callers that read one
    /// value and leave other cases to the full path.
    ///
    /// - Parameter timeout: seconds to wait for another process that writes.
    package static func existing(in directory: ConfigDirectory, host: any VaultHost, timeout: Double) throws -> Store? {
        guard let length = try directory.checkDatabase(name), length > 0 else { return nil }
        // If the vault requires user interaction, the full path handles it.
        let vaults = Vaults(directory: directory, host: host).silent
        return try opened(vaults, timeout, .openSSL)
    }

    private static func opened(_ vaults: Vaults, _ timeout: Double, _ random: RandomSource) throws -> Store {
        let directory = vaults.directory
        let path = directory.path(of: name)
        // Links in the way to the directory are the user's own, and none is followed after it.
        guard let resolved = ConfigDirectory.resolved(directory.path) else {
            throw StoreError.system(operation: "open", path: directory.path, code: errno)
        }
        let resolvedPath = resolved + "/" + name
        guard access(resolvedPath, R_OK) == 0 else {
            throw StoreError.system(operation: "open", path: path, code: errno)
        }
        return try translatingErrors(path) {
            Store(
                database: try DatabaseOwner(path: resolvedPath, timeout: timeout), directory: directory, vaults: vaults,
                random: random)
        }
    }

    private var path: String { directory.path(of: Store.name) }

    private func isCurrent() throws -> Bool {
        let version = try Store.translatingErrors(path) {
            try database.blockingTransaction(.reading) { try $0.schemaVersion() }
        }
        guard version <= Migrations.latest.count else { throw StoreError.newer(path: path) }
        return version == Migrations.latest.count
    }

    /// Takes the missing steps of the schema. The caller holds the `schema` lock.
    private func migrated() throws -> Store {
        // Whoever had the lock before may have done it.
        if try isCurrent() { return self }
        return try Store.translatingErrors(path) {
            guard try Migrations.migrate(database) else { throw StoreError.newer(path: path) }
            return self
        }
    }

    package func examine() async throws {
        let verdict = try await read { try String.fetchOne($0, "PRAGMA quick_check(1)") }
        guard verdict == "ok" else { throw StoreError.damaged(path: path, reason: ServerText.shown(verdict ?? "")) }
        try directory.requireWritable()
        // An update of nothing still needs to be allowed to write.
        try await write { try $0.execute("UPDATE vault SET kind = kind WHERE id = 0") }
        // A key that nothing is encrypted with yet is still one that the next command must be able to use.
        if try await vaultRow() != nil { _ = try await sealer(creating: false) } else { _ = try fileVault.dataKey() }
    }

    // MARK: Transactions

    /// When a process last committed; to be compared only.
    func lastChange() -> FileChange? { FileChange(at: path) }

    @_semantics("optimize.sil.specialize.generic.never")
    func write<R: Sendable>(_ body: @Sendable (Database) throws -> R) async throws -> R {
        try await transaction(.writing, body)
    }

    @_semantics("optimize.sil.specialize.generic.never")
    func read<R: Sendable>(_ body: @Sendable (Database) throws -> R) async throws -> R {
        try await transaction(.reading, body)
    }

    @_semantics("optimize.sil.specialize.generic.never")
    private func transaction<R: Sendable>(
        _ access: Database.Access, _ body: @Sendable (Database) throws -> R
    ) async throws -> R {
        let path = path
        do {
            try await checkpoint?()
            let result = try await database.transaction(access) { try Store.current($0, path, body) }
            try await checkpoint?()
            return result
        } catch let error as SQLiteError {
            throw Store.translated(error, path)
        }
    }

    /// Runs one transaction that reads, and blocks this thread while another process is in the way.
    func blockingRead<R: Sendable>(_ body: @Sendable (Database) throws -> R) throws -> R {
        let path = path
        return try Store.translatingErrors(path) {
            try database.blockingTransaction(.reading) { try Store.current($0, path, body) }
        }
    }

    /// Looks at the schema in the same transaction: another version may have changed it since the store was opened.
    private static func current<R>(_ db: Database, _ path: String, _ body: (Database) throws -> R) throws -> R {
        let version = try db.schemaVersion()
        guard version <= Migrations.latest.count else { throw StoreError.newer(path: path) }
        guard version == Migrations.latest.count else {
            throw StoreError.database(reason: "its schema is that of an earlier version")
        }
        return try body(db)
    }

    private static func translatingErrors<R>(_ path: String, _ body: () throws -> R) throws -> R {
        do { return try body() } catch let error as SQLiteError { throw translated(error, path) }
    }

    private static func translated(_ error: SQLiteError, _ path: String) -> StoreError {
        let reason = ServerText.shown(error.message)
        switch error.primaryCode {
        case SQLITE_IOERR where error.systemCode == ENOSPC: return .notWritable(path: path, code: ENOSPC)
        case SQLITE_IOERR where error.systemCode != 0, SQLITE_CORRUPT where error.systemCode != 0,
            SQLITE_NOTADB where error.systemCode != 0:
            return .system(operation: "read or write", path: path, code: error.systemCode)
        case SQLITE_CORRUPT, SQLITE_NOTADB: return .damaged(path: path, reason: reason)
        case SQLITE_BUSY, SQLITE_LOCKED: return .busy(name: Store.name, holder: nil)
        // The file was there a moment ago: what cannot be opened is the journal beside it.
        case SQLITE_READONLY, SQLITE_CANTOPEN:
            let directory = String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)])
            let known = error.systemCode
            return .notWritable(
                path: directory, code: known != 0 ? known : access(directory, W_OK) == 0 ? EACCES : errno)
        case SQLITE_FULL: return .notWritable(path: path, code: ENOSPC)
        case SQLITE_MISMATCH: return .damagedEntry(reason)
        default: return .database(reason: reason)
        }
    }
}
