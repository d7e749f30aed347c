import Glibc

/// The store: `authctl.db` and the vault's key. A process opens it at most once.
package struct Store: Sendable {
    let database: DatabaseOwner
    let directory: ConfigDirectory
    let vaults: Vaults
    let knownKey = KnownKey()
    let random: RandomSource
    /// Called before and after each asynchronous transaction: a simulation stops processes there.
    var checkpoint: (@Sendable () async throws -> Void)?

    package static let name = ConfigDirectory.store
    package static let keyFiles = Vaults.files

    /// Opens the store, and creates it if `creating` is true.
    /// - Parameters:
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
            // If several processes start first, one creates the schema, and the others wait.
            return try locked(in: directory, timeout: timeout) {
                try made(in: directory)
                return try opened(with: vaults, timeout: timeout, random: random).migrated()
            }
        }
        existing?.database.wait(timeout)
        let store =
            try existing.map { Store(database: $0.database, directory: directory, vaults: vaults, random: random) }
            ?? opened(with: vaults, timeout: timeout, random: random)
        if try store.isCurrent() { return store }
        return try locked(in: directory, timeout: timeout) { try store.migrated() }
    }

    private static func locked(
        in directory: ConfigDirectory, timeout: Double, body: () throws -> Store
    ) throws -> Store {
        try directory.requireWritable()
        return try FileLock.blocking("schema", in: directory, timeout: timeout, body: body)
    }

    private static func made(in directory: ConfigDirectory) throws {
        switch try directory.checkDatabase(name) {
        case nil: try directory.createFile(name, [])
        case 0?:
            // The key is created after the schema, so an empty database with a key has lost its content.
            for file in Vaults.files.map(directory.path(of:)) where access(file, F_OK) == 0 || errno != ENOENT {
                throw StoreError.damaged(path: directory.path(of: name), reason: "it is empty")
            }
        default: break
        }
    }

    /// Opens an existing store without checking its schema; the first transaction does. For callers that read one
    /// value, and use `open` in all other cases.
    ///
    /// - Parameter timeout: seconds to wait for another process that writes.
    package static func existing(in directory: ConfigDirectory, host: any VaultHost, timeout: Double) throws -> Store? {
        guard let length = try directory.checkDatabase(name), length > 0 else { return nil }
        // If the vault requires user interaction, the caller uses `open`.
        let vaults = Vaults(directory: directory, host: host).silent
        return try opened(with: vaults, timeout: timeout, random: .openSSL)
    }

    private static func opened(with vaults: Vaults, timeout: Double, random: RandomSource) throws -> Store {
        let directory = vaults.directory
        let path = directory.path(of: name)
        // SQLite rejects paths with links, so links to the directory are resolved here. The path was checked by
        // `TrustedPath`.
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

    /// Runs the missing steps of the schema. The caller holds the `schema` lock.
    private func migrated() throws -> Store {
        // Another process may have migrated the schema already.
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
        // An update of no rows still requires write access.
        try await write { try $0.execute("UPDATE vault SET kind = kind WHERE id = 0") }
        // If nothing is encrypted yet, the next command must still be able to use an existing key file.
        if try await vaultRow() != nil { _ = try await sealer(creating: false) } else { _ = try fileVault.dataKey() }
    }

    // MARK: Transactions

    /// Changes when a process commits; only for comparison.
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
            let result = try await database.transaction(access) { try Store.current($0, at: path, body: body) }
            try await checkpoint?()
            return result
        } catch let error as SQLiteError {
            throw error.storeError(at: path)
        }
    }

    /// Runs one reading transaction, and blocks this thread while another process holds the lock.
    func blockingRead<R: Sendable>(_ body: @Sendable (Database) throws -> R) throws -> R {
        let path = path
        return try Store.translatingErrors(path) {
            try database.blockingTransaction(.reading) { try Store.current($0, at: path, body: body) }
        }
    }

    /// Checks the schema in the same transaction: another version may have changed it since the store was opened.
    private static func current<R>(_ db: Database, at path: String, body: (Database) throws -> R) throws -> R {
        let version = try db.schemaVersion()
        guard version <= Migrations.latest.count else { throw StoreError.newer(path: path) }
        guard version == Migrations.latest.count else {
            throw StoreError.database(reason: "its schema is that of an earlier version")
        }
        return try body(db)
    }

    private static func translatingErrors<R>(_ path: String, _ body: () throws -> R) throws -> R {
        do { return try body() } catch let error as SQLiteError { throw error.storeError(at: path) }
    }
}
