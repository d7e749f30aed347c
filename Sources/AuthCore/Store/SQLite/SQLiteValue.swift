import CSQLite

/// The value of a column. This store has no fractional numbers.
enum SQLiteValue: Sendable, Equatable {
    case null
    case integer(Int64)
    case text(String)
    case blob([UInt8])

    /// The type for error messages, which never contain the value.
    var kind: String {
        switch self {
        case .null: "nothing"
        case .integer: "a number"
        case .text: "text"
        case .blob: "bytes"
        }
    }
}

/// A type that can be stored in a column and read back.
protocol SQLiteConvertible {
    var sqliteValue: SQLiteValue { get }
    init?(_ value: SQLiteValue)
}

extension Int64: SQLiteConvertible {}
extension Int: SQLiteConvertible {}

extension SQLiteConvertible where Self: FixedWidthInteger {
    var sqliteValue: SQLiteValue { .integer(Int64(self)) }

    init?(_ value: SQLiteValue) {
        guard case .integer(let number) = value else { return nil }
        self.init(exactly: number)
    }
}

extension Bool: SQLiteConvertible {
    var sqliteValue: SQLiteValue { .integer(self ? 1 : 0) }

    init?(_ value: SQLiteValue) {
        guard case .integer(let number) = value else { return nil }
        self = number != 0
    }
}

extension String: SQLiteConvertible {
    var sqliteValue: SQLiteValue { .text(self) }

    init?(_ value: SQLiteValue) {
        guard case .text(let text) = value else { return nil }
        self = text
    }
}

extension [UInt8]: SQLiteConvertible {
    var sqliteValue: SQLiteValue { .blob(self) }

    init?(_ value: SQLiteValue) {
        guard case .blob(let bytes) = value else { return nil }
        self = bytes
    }
}

extension Optional: SQLiteConvertible where Wrapped: SQLiteConvertible {
    var sqliteValue: SQLiteValue { self?.sqliteValue ?? .null }

    init?(_ value: SQLiteValue) {
        if value == .null {
            self = .none
        } else {
            guard let wrapped = Wrapped(value) else { return nil }
            self = .some(wrapped)
        }
    }
}

extension SQLiteError {
    static func mismatch(_ column: String, _ found: String) -> SQLiteError {
        SQLiteError(code: SQLITE_MISMATCH, message: "'\(column)' holds \(found)")
    }
}
