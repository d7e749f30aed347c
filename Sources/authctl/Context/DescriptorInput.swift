import AuthCore
import Glibc

/// What stands in an open file, to its end.
enum DescriptorInput {
    private static let maximumLength = 1 << 20

    /// All that it has.
    /// - Throws: `InputProblem`.
    static func bytes(of descriptor: Int32, _ what: String, limit: Int) throws -> [UInt8] {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65536)
        defer { buffer.wipe() }
        while true {
            let count = Glibc.read(descriptor, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw InputProblem(what: what, reason: String(cString: strerror(errno))) }
            if count == 0 { return bytes }
            bytes += buffer[..<count]
            guard bytes.count <= limit else { throw InputProblem(what: what, reason: "longer than \(limit >> 20) MiB") }
        }
    }

    /// All that it has, which is text and not empty.
    /// - Throws: `InputProblem`.
    static func text(of descriptor: Int32, _ what: String, droppingNewline: Bool = true) throws -> String {
        var bytes = try bytes(of: descriptor, what, limit: maximumLength)
        defer { bytes.wipe() }
        if droppingNewline, bytes.last == 10 {
            bytes.removeLast()
            if bytes.last == 13 { bytes.removeLast() }
        }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw InputProblem(what: what, reason: "not UTF-8 text")
        }
        guard !text.isEmpty else { throw InputProblem(what: what, reason: "it is empty") }
        return text
    }
}
