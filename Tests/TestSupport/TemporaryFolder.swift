import FoundationEssentials
import Glibc

/// A folder of one test, in `TMPDIR` or `/tmp`. It is removed with the last reference to it.
public final class TemporaryFolder: Sendable {
    public let path: String

    /// - Throws: `CocoaError` if the folder cannot be made.
    public init() throws {
        var template = Array(
            "\(getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp")/authctl-test.XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw CocoaError(.fileWriteUnknown) }
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }
}
