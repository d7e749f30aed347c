import CSQLite
import Glibc

/// An error of SQLite, with its message.
struct SQLiteError: Error, Sendable, Equatable {
    let code: Int32
    let message: String
    /// The errno that caused the error, otherwise 0.
    var systemCode: Int32 = 0

    var primaryCode: Int32 { code & 0xFF }

    /// Another connection holds a lock: the same call may succeed later.
    var isBusy: Bool { primaryCode == SQLITE_BUSY && systemCode == 0 }
}

extension SQLiteError {
    init(_ code: Int32, of connection: OpaquePointer?, number: Int32 = 0) {
        // The connection's message describes only its last call.
        let isFromConnection = connection != nil && sqlite3_extended_errcode(connection) & 0xFF == code & 0xFF
        self.code = isFromConnection ? sqlite3_extended_errcode(connection) : code
        if isFromConnection { systemCode = SQLiteError.systemCode(code & 0xFF, of: connection, number: number) }
        message = String(cString: isFromConnection ? sqlite3_errmsg(connection) : sqlite3_errstr(code))
    }

    private static func systemCode(_ code: Int32, of connection: OpaquePointer?, number: Int32) -> Int32 {
        switch code {
        // SQLite reports a file system without locks as a lock of another connection.
        case SQLITE_BUSY where number == ENOLCK: number
        case SQLITE_IOERR where number != 0 && number != ENOENT: number
        case SQLITE_IOERR, SQLITE_CANTOPEN: sqlite3_system_errno(connection)
        case SQLITE_CORRUPT, SQLITE_NOTADB: csqlite_system_error(connection)
        default: 0
        }
    }

    /// The error of the store whose database is at a path.
    func storeError(at path: String) -> StoreError {
        let reason = ServerText.shown(message)
        switch primaryCode {
        case SQLITE_BUSY where systemCode != 0, SQLITE_IOERR where FileLock.isUnsupported(systemCode):
            return .noLocks(path: path)
        case SQLITE_IOERR where systemCode == ENOSPC: return .notWritable(path: path, code: ENOSPC)
        case SQLITE_IOERR where systemCode != 0, SQLITE_CORRUPT where systemCode != 0,
            SQLITE_NOTADB where systemCode != 0:
            return .system(operation: "read or write", path: path, code: systemCode)
        case SQLITE_CORRUPT, SQLITE_NOTADB: return .damaged(path: path, reason: reason)
        case SQLITE_BUSY, SQLITE_LOCKED: return .busy(name: ConfigDirectory.store, holder: nil)
        // The database existed a moment ago, so SQLite could not open the journal in its directory.
        case SQLITE_READONLY, SQLITE_CANTOPEN:
            let directory = String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)])
            let known = systemCode
            return .notWritable(
                path: directory, code: known != 0 ? known : access(directory, W_OK) == 0 ? EACCES : errno)
        case SQLITE_FULL: return .notWritable(path: path, code: ENOSPC)
        case SQLITE_MISMATCH: return .damagedEntry(reason)
        default: return .database(reason: reason)
        }
    }
}
