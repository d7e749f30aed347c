/// Why the store cannot be read or written. Paths are this user's own; nothing in them is secret.
package enum StoreError: CodedError, Sendable, Equatable {
    case system(operation: String, path: String, code: Int32)
    case wrongOwner(path: String, owner: UInt32)
    case foreignPath(path: String, place: String, owner: UInt32)
    /// Other users can write to a directory on the path, and it is not sticky.
    case exposedPath(path: String, place: String, mode: UInt32)
    /// Other users can read or write a file that only its owner may access.
    case tooOpen(path: String, mode: UInt32, expected: UInt32)
    /// The path is a link, pipe, device or directory instead of a plain file, or the file has a second name.
    case notAPlainFile(path: String)
    /// The path of the configuration directory is a link, or not a directory.
    case notADirectory(path: String)
    case damaged(path: String, reason: String)
    case newer(path: String)
    case lostKey(path: String)
    case damagedEntry(String)
    /// Another process has held a lock for too long; `holder` is its text in the lock file.
    case busy(name: String, holder: String?)
    case notWritable(path: String, code: Int32)
    /// The file system of this path has no locks, for example NFS without lockd(8).
    case noLocks(path: String)
    /// A file is longer than this many bytes.
    case tooLong(path: String, limit: Int)
    /// Another error of SQLite, or the schema is that of an earlier version.
    case database(reason: String)

    package var code: ErrorCode {
        switch self {
        case .busy: .storeBusy
        case .tooLong: .invalidConfiguration
        default: .storeUnavailable
        }
    }
}
