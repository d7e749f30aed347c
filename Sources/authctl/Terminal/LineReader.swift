import AuthCore
import Glibc

/// Reads lines as bytes: all available ones, without waiting for more than one.
struct LineReader {
    private let descriptor: Int32
    private let maximumLength: Int
    private let size: Int
    private var buffer: [UInt8] = []
    private var count = 0
    /// How many of the bytes have no end of a line.
    private var searched = 0
    private var isAtEnd = false

    /// - maximumLength: bytes of a line; a longer one is cut.
    /// - size: bytes to read in one call.
    init(descriptor: Int32, maximumLength: Int, size: Int) {
        self.descriptor = descriptor
        self.maximumLength = maximumLength
        self.size = size
    }

    /// The next lines, empty ones too, without their ends; nil when input has ended.
    mutating func next(beforeWaiting: () -> Void = {}) -> [[UInt8]]? {
        while true {
            let lines = complete()
            if !lines.isEmpty { return lines }
            guard !isAtEnd else { return nil }
            beforeWaiting()
            // A pipe returns little per call: also read the bytes that arrived since.
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
        // `start` can be past the end if the input ended without a newline.
        // Past the limit only the end of the line matters.
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
        } else if added == 0 || errno != EINTR {
            isAtEnd = true
        }
    }
}
