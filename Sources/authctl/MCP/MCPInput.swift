import AuthCore
import Glibc

/// Reads messages from standard input, one on each line.
final class MCPInput: Sendable {
    enum Line: Sendable {
        case message([UInt8])
        case tooLong
    }

    private struct Buffer {
        var bytes: [UInt8] = []
        /// How many of the bytes contain no line break.
        var searched = 0
        var isTooLong = false
    }

    private let descriptor: Int32
    private let buffer = Lock(Buffer())

    init(_ descriptor: Int32) { self.descriptor = descriptor }

    /// The next line that is not empty; nil at the end of the input.
    func next() async -> Line? {
        await Blocking.run { self.buffer.withLock { self.next(&$0) } }
    }

    private func next(_ buffer: inout Buffer) -> Line? {
        while true {
            while let end = buffer.bytes[buffer.searched...].firstIndex(of: 10) {
                var line = Array(buffer.bytes[..<end])
                if line.last == 13 { line.removeLast() }
                buffer.bytes.removeSubrange(...end)
                buffer.searched = 0
                if buffer.isTooLong || line.count > MCPMessage.limit {
                    buffer.isTooLong = false
                    return .tooLong
                }
                if !line.isEmpty { return .message(line) }
            }
            buffer.searched = buffer.bytes.count
            if buffer.bytes.count > MCPMessage.limit {
                (buffer.bytes, buffer.searched, buffer.isTooLong) = ([], 0, true)
            }
            guard fill(&buffer) else {
                defer { buffer.bytes = [] }
                return buffer.bytes.isEmpty ? nil : .message(buffer.bytes)
            }
        }
    }

    /// Returns false at the end of the input.
    private func fill(_ buffer: inout Buffer) -> Bool {
        let size = 1 << 16
        var count = 0
        repeat {
            let part = [UInt8](unsafeUninitializedCapacity: size) { free, used in
                count = read(descriptor, free.baseAddress, size)
                used = max(0, count)
            }
            buffer.bytes += part
        } while count < 0 && errno == EINTR
        if count <= 0 { buffer.searched = 0 }
        return count > 0
    }
}
