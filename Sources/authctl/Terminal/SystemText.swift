import Glibc

/// The system's words.
enum SystemText {
    /// What the system calls an error number.
    static func of(_ code: Int32) -> String { String(cString: strerror(code)) }
}
