import CSQLite

/// An error of SQLite, with its message.
struct SQLiteError: Error, Sendable, Equatable {
    let code: Int32
    let message: String

    var primaryCode: Int32 { code & 0xFF }

    /// Another connection holds a lock: the same call may succeed later.
    var isBusy: Bool { primaryCode == SQLITE_BUSY }

}

extension SQLiteError {
    init(_ code: Int32, of connection: OpaquePointer?) {
        // The connection's message belongs to its last call.
        let isFromConnection = connection != nil && sqlite3_extended_errcode(connection) & 0xFF == code & 0xFF
        self.code = isFromConnection ? sqlite3_extended_errcode(connection) : code
        message = String(cString: isFromConnection ? sqlite3_errmsg(connection) : sqlite3_errstr(code))
    }
}
