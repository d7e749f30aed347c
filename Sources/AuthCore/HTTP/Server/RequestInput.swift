extension RequestHead {
    package enum Body: Sendable, Equatable {
        case length(Int64)
        case chunked
    }

    /// How the end of the body is found (RFC 9112 section 6.3). Ambiguous lengths are refused: they allow request
    /// smuggling.
    package func body() throws(Refusal) -> Body {
        switch (header("transfer-encoding"), header("content-length")) {
        case (nil, nil): return .length(0)
        case (nil, let length?):
            guard length.hasOnlyDigits else { throw .badRequest }
            guard let count = Int64(length) else { throw .contentTooLarge }
            return .length(count)
        case (let coding?, nil):
            guard coding.lowercased() == "chunked" else { throw .badRequest }
            return .chunked
        default: throw .badRequest
        }
    }

    /// Whether the client waits for 100 (Continue) before it sends the body (RFC 9110 section 10.1.1).
    package func expectsContinue() throws(Refusal) -> Bool {
        let values = headers.filter { $0.name == "expect" }.map { $0.value.lowercased() }
        guard values.isEmpty || values == ["100-continue"] else { throw .expectationFailed }
        return !values.isEmpty
    }

    /// The options of all `Connection` headers, in lower case.
    package var connectionOptions: [String] {
        headers.filter { $0.name == "connection" }
            .flatMap { $0.value.lowercased().split(separator: ",").map { String($0).trimmingSpaces() } }
    }
}

/// Reads the requests of one connection, one after the other. Its memory does not depend on the length of a body.
package struct RequestInput {
    private let receive: (UnsafeMutableRawBufferPointer) throws -> Int
    private let limits: ServerLimits
    /// Bytes that were received and not yet read.
    private var bytes: [UInt8] = []
    private var body = Body.ended

    private enum Body {
        case data(left: Int64, isChunked: Bool)
        case chunkEnd, chunkSize, ended
    }

    private static let portion = 16 * 1024
    /// The number of digits of a chunk's size, which limits it to less than 2^60 bytes.
    private static let sizeDigits = 1...15

    /// - Parameter receive: blocks until there are bytes, and returns their number; 0 at the end of the connection.
    init(limits: ServerLimits, receive: @escaping (UnsafeMutableRawBufferPointer) throws -> Int) {
        (self.limits, self.receive) = (limits, receive)
    }

    /// Whether received bytes have not been read.
    package var hasMore: Bool { !bytes.isEmpty }
    /// Whether the last request was read to its end.
    package var isBodyRead: Bool { if case .ended = body { true } else { false } }

    /// Reads the next head. Returns nil if the client closed the connection after the last request.
    package mutating func head() throws -> RequestHead? {
        var searched = 0
        while true {
            if let end = RequestHead.end(in: bytes, searched: searched) {
                let head = try RequestHead(Array(bytes[..<end]), maximumLength: limits.head)
                guard head.isHTTP11 || limits.body != nil else { throw RequestHead.Refusal.versionNotSupported }
                guard head.header("host") != nil else { throw RequestHead.Refusal.badRequest }
                bytes.removeFirst(end)
                switch try head.body() {
                case .length(0): body = .ended
                case .length(let length): body = .data(left: length, isChunked: false)
                case .chunked: body = .chunkSize
                }
                return head
            }
            try refuseBareLineFeed(after: searched)
            if let refusal = RequestHead.refusal(ofBeginning: bytes, maximumLength: limits.head) { throw refusal }
            searched = bytes.count
            guard try fill() else {
                guard bytes.isEmpty else { throw RequestHead.Refusal.badRequest }
                return nil
            }
        }
    }

    /// This reader would not find the end of a head with a bare line feed.
    private func refuseBareLineFeed(after searched: Int) throws(RequestHead.Refusal) {
        var next = searched
        while let index = bytes.firstIndex(of: 10, from: next) {
            guard index > 0, bytes[index - 1] == 13 else { throw .badRequest }
            next = index + 1
        }
    }

    /// Reads a part of the body; 0 at its end. Throws `badRequest` if the connection or a chunk ends too early.
    package mutating func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
        while true {
            switch body {
            case .ended: return 0
            case .data(let left, let isChunked):
                let wanted = Int(min(left, Int64(buffer.count)))
                var count = min(wanted, bytes.count)
                if count > 0 {
                    buffer.copyBytes(from: bytes[..<count])
                    bytes.removeFirst(count)
                } else {
                    count = try receive(UnsafeMutableRawBufferPointer(rebasing: buffer[..<wanted]))
                    guard count > 0 else { throw RequestHead.Refusal.badRequest }
                }
                body =
                    left > Int64(count)
                    ? .data(left: left - Int64(count), isChunked: isChunked) : isChunked ? .chunkEnd : .ended
                return count
            case .chunkEnd:
                guard try line(longest: 0).isEmpty else { throw RequestHead.Refusal.badRequest }
                body = .chunkSize
            case .chunkSize:
                // Extensions and trailers are refused: API clients do not use them, and servers parse them differently.
                let digits = try line(longest: RequestInput.sizeDigits.upperBound)
                guard digits.utf8.allSatisfy({ $0.isDigit || (0x41...0x46).contains($0 & 0xDF) }),
                    let size = Int64(digits, radix: 16)
                else { throw RequestHead.Refusal.badRequest }
                if size == 0 { _ = try line(longest: 0) }
                body = size == 0 ? .ended : .data(left: size, isChunked: true)
            }
        }
    }

    private mutating func line(longest: Int) throws -> String {
        while true {
            if let end = bytes.firstIndex(of: 10, from: 0) {
                guard (1...longest + 1).contains(end), bytes[end - 1] == 13 else {
                    throw RequestHead.Refusal.badRequest
                }
                let line = String(decoding: bytes[..<(end - 1)], as: UTF8.self)
                bytes.removeFirst(end + 1)
                return line
            }
            guard bytes.count <= longest + 1, try fill() else { throw RequestHead.Refusal.badRequest }
        }
    }

    /// Receives more bytes. Returns false at the end of the connection.
    private mutating func fill() throws -> Bool {
        try withUnsafeTemporaryAllocation(byteCount: RequestInput.portion, alignment: 1) { buffer in
            let received = try receive(buffer)
            bytes.append(contentsOf: buffer[..<received])
            return received > 0
        }
    }
}
