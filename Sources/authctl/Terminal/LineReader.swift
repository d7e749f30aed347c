import AuthCore
import Glibc

/// Reads lines as bytes. Returns all available lines, and only waits for the first.
struct LineReader {
    private let descriptor: Int32
    private let maximumLength: Int
    private let size: Int
    private var buffer: [UInt8] = []
    private var count = 0
    /// The number of bytes already searched for a newline.
    private var searched = 0
    private var isAtEnd = false

    /// - Parameters:
    ///   - maximumLength: in bytes; longer lines are truncated.
    ///   - size: bytes to read in one call.
    init(descriptor: Int32, maximumLength: Int, size: Int) {
        (self.descriptor, self.maximumLength, self.size) = (descriptor, maximumLength, size)
    }

    /// Returns the next lines without their newlines, including empty lines. Returns nil at the end of the input.
    mutating func next(beforeWaiting: () -> Void = {}) -> [[UInt8]]? {
        while true {
            let lines = complete()
            if !lines.isEmpty { return lines }
            guard !isAtEnd else { return nil }
            beforeWaiting()
            // A pipe returns few bytes per call, so the bytes that have arrived since are read too.
            let enough = count + size
            repeat { fill() } while !isAtEnd && count < enough && isReady
        }
    }

    private var isReady: Bool { Poll.wait(for: POLLIN, on: descriptor, milliseconds: 0) == 1 }

    private mutating func complete() -> [[UInt8]] {
        var lines: [[UInt8]] = []
        var start = 0
        while start < count {
            let end = buffer.firstIndex(of: 10, in: max(start, searched)..<count)
            guard let end = end ?? (isAtEnd ? count : nil) else { break }
            var line = buffer[start..<end].prefix(maximumLength)
            start = end + 1
            if line.last == 13 { line.removeLast() }
            lines.append(Array(line))
        }
        // `start` can be past the end if the input ended without a newline. Of a line that is too long, the rest is
        // dropped.
        let left = min(max(count - start, 0), maximumLength)
        buffer.withUnsafeMutableBytes { bytes in
            if left > 0, let base = bytes.baseAddress { memmove(base, base + start, left) }
        }
        (count, searched) = (left, left)
        return lines
    }

    private mutating func fill() {
        let missing = count + size - buffer.count
        if missing > 0 { buffer += repeatElement(0, count: max(missing, buffer.count)) }
        let (descriptor, free) = (self.descriptor, count..<count + size)
        let added = buffer.withUnsafeMutableBytes { bytes in
            read(descriptor, UnsafeMutableRawBufferPointer(rebasing: bytes[free]).baseAddress, free.count)
        }
        if added > 0 {
            count += added
        } else if added < 0, errno == EAGAIN {
            _ = Poll.wait(for: POLLIN, on: descriptor, milliseconds: -1)
        } else if added == 0 || errno != EINTR {
            isAtEnd = true
        }
    }
}
