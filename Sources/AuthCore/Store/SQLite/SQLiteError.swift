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
        if isFromConnection { systemCode = SQLiteError.systemCode(code & 0xFF, of: connection, number) }
        message = String(cString: isFromConnection ? sqlite3_errmsg(connection) : sqlite3_errstr(code))
    }

    private static func systemCode(_ code: Int32, of connection: OpaquePointer?, _ number: Int32) -> Int32 {
        switch code {
        // SQLite reports a file system without locks as a lock of another connection.
        case SQLITE_BUSY where number == ENOLCK: number
        case SQLITE_IOERR where number != 0 && number != ENOENT: number
        case SQLITE_IOERR, SQLITE_CANTOPEN: sqlite3_system_errno(connection)
        case SQLITE_CORRUPT, SQLITE_NOTADB: csqlite_system_error(connection)
        default: 0
        }
    }
}
