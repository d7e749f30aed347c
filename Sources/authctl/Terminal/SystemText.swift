import Glibc

enum SystemText {
    static func of(_ code: Int32) -> String { String(cString: strerror(code)) }
}
