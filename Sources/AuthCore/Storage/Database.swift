import FoundationEssentials
import GRDB

/// The store: `authctl.db` and the vault's key. Opened once by a process that needs it.
public struct Store: Sendable {
    let queue: DatabaseQueue
    let directory: ConfigDirectory
    let vault: any Vault
    let random: RandomSource

    static let name = "authctl.db"

    /// Opens the store, making it where `creating` allows.
    /// - Returns: nil when there is none and none may be made.
    /// - Throws: `StoreError`; nothing is changed then.
    public static func open(
        in directory: ConfigDirectory, vault: any Vault, creating: Bool, random: RandomSource = .openSSL
    ) throws -> Store? {
        if creating { try directory.create() }
        let length = try directory.checkFile(name)
        if length == nil {
            guard creating else { return nil }
            // Made by us and not by SQLite, whose files would have the mode that the umask leaves.
            try directory.createFile(name, [])
        }
        // The key is made after the schema: with a key, an empty database is one that lost its content.
        if length == 0, try vault.dataKey() != nil {
            throw StoreError.damaged(path: directory.path(of: name), reason: "it is empty")
        }
        let path = directory.path(of: name)
        return try translatingErrors(path) {
            var configuration = Configuration()
            configuration.busyMode = .timeout(FileLock.patience)
            configuration.label = "authctl"
            let queue = try DatabaseQueue(path: path, configuration: configuration)
            let store = Store(queue: queue, directory: directory, vault: vault, random: random)
            try store.migrate(path)
            return store
        }
    }

    private func migrate(_ path: String) throws {
        // The fast way first: reading the migrator's own table costs several statements.
        let version = try queue.unsafeRead { try Int.fetchOne($0, sql: "PRAGMA user_version") } ?? 0
        if version == Migrations.latest.count { return }
        guard version < Migrations.latest.count else { throw StoreError.newer(path: path) }
        let migrator = Migrations.migrator
        guard try !queue.read(migrator.hasBeenSuperseded) else { throw StoreError.newer(path: path) }
        try migrator.migrate(queue)
        try queue.writeWithoutTransaction { try $0.execute(sql: "PRAGMA user_version = \(Migrations.latest.count)") }
    }

    /// Looks whether the database is whole, can be written, and opens with its key; changes nothing.
    /// - Throws: `StoreError`.
    public func examine() async throws {
        let path = directory.path(of: Store.name)
        let verdict = try await read { try String.fetchOne($0, sql: "PRAGMA quick_check(1)") }
        guard verdict == "ok" else { throw StoreError.damaged(path: path, reason: ServerText.shown(verdict ?? "")) }
        // An update of nothing still needs to be allowed to write.
        try await write { try $0.execute(sql: "UPDATE vault SET kind = kind WHERE id = 0") }
        let isSealed = try await read { try Bool.fetchOne($0, sql: "SELECT 1 FROM vault") } ?? false
        if isSealed { _ = try await sealer(creating: false) }
    }

    /// Runs one transaction that writes.
    func write<R: Sendable>(_ body: @escaping @Sendable (Database) throws -> R) async throws -> R {
        try await Store.translatingErrors(directory.path(of: Store.name)) { try await queue.write(body) }
    }

    /// Runs one transaction that reads.
    func read<R: Sendable>(_ body: @escaping @Sendable (Database) throws -> R) async throws -> R {
        try await Store.translatingErrors(directory.path(of: Store.name)) { try await queue.read(body) }
    }

    private static let keyCheck = Sealer.Place(account: "", provider: "", field: "key check")

    /// The sealer for this store's secrets.
    /// - Parameter creating: a first key may be made.
    /// - Throws: `StoreError.lostKey` when the store was sealed with a key that is gone; nothing is overwritten.
    func sealer(creating: Bool) async throws -> Sealer {
        let check = try await read { try Data.fetchOne($0, sql: "SELECT key_check FROM vault") }
        let lost = StoreError.lostKey(path: directory.path(of: KeyFileVault.name))
        if let check {
            guard let key = try vault.dataKey() else { throw lost }
            let sealer = Sealer(key: key, random: random)
            guard (try? sealer.open(Array(check), at: Store.keyCheck)) != nil else { throw lost }
            return sealer
        }
        guard creating else { throw lost }
        let sealer = Sealer(key: try vault.makeDataKey(random: random), random: random)
        let box = try sealer.seal("authctl", at: Store.keyCheck)
        let kind = vault.kind
        try await write {
            try $0.execute(
                sql: "INSERT OR IGNORE INTO vault (id, kind, key_check) VALUES (1, ?, ?)", arguments: [kind, Data(box)])
        }
        return sealer
    }

    /// SQLite's errors in this library's words.
    private static func translatingErrors<R>(_ path: String, _ body: () throws -> R) throws -> R {
        do { return try body() } catch let error as DatabaseError { throw translated(error, path) }
    }

    private static func translatingErrors<R>(_ path: String, _ body: () async throws -> R) async throws -> R {
        do { return try await body() } catch let error as DatabaseError { throw translated(error, path) }
    }

    private static func translated(_ error: DatabaseError, _ path: String) -> StoreError {
        let reason = ServerText.shown(error.message ?? "error \(error.resultCode.rawValue)")
        switch error.resultCode {
        case .SQLITE_CORRUPT, .SQLITE_NOTADB: return .damaged(path: path, reason: reason)
        case .SQLITE_BUSY, .SQLITE_LOCKED: return .busy(name: Store.name, holder: nil)
        default: return .database(reason: reason)
        }
    }
}
