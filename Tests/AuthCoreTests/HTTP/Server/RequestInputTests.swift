import Testing

@testable import AuthCore

/// RFC 9112.
@Suite struct `Requests of a connection` {
    /// Reads all requests with their bodies, which arrive in parts of this length. The last text is the error.
    private static func read(_ text: String, portion: Int = 5) -> [String] {
        var rest = Array(text.utf8)[...]
        var input = RequestInput(limits: ServerLimits()) { buffer in
            let part = rest.prefix(min(portion, buffer.count))
            buffer.copyBytes(from: part)
            rest = rest.dropFirst(part.count)
            return part.count
        }
        var (found, body) = ([String](), [UInt8](repeating: 0, count: 3))
        do {
            while let head = try input.head() {
                var text = "\(head.method) \(head.path) "
                while case let count = try body.withUnsafeMutableBytes({ try input.read(into: $0) }), count > 0 {
                    text += String(decoding: body[..<count], as: UTF8.self)
                }
                found.append(text)
            }
        } catch { found.append("\(error)") }
        return found
    }

    @Test(arguments: [1, 2, 7, 4096])
    func `Several requests are read one after the other, however they arrive`(portion: Int) {
        let text =
            "POST /a HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: Chunked\r\n\r\n4\r\nbody\r\nA\r\n0123456789\r\n0\r\n\r\n"
            + "PUT /b?c HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nhelloGET / HTTP/1.1\r\nhost: y\r\n\r\n"
        #expect(Self.read(text, portion: portion) == ["POST /a body0123456789", "PUT /b hello", "GET / "])
    }

    @Test(arguments: [
        "Content-Length: 5\r\nTransfer-Encoding: chunked", "Content-Length: 1\r\nContent-Length: 1", "Content-Length: -1",
        "Content-Length: 1,1", "Content-Length:", "Transfer-Encoding: gzip", "Transfer-Encoding: chunked, chunked",
        "Content-Length : 1", "A: b\r\n c", "A\u{1}: b", ": b", "A: b\u{7F}", "Content-Type: a/b\r\nContent-Type: c/d",
    ])
    func `A head that two servers could read differently is refused`(lines: String) {
        #expect(Self.read("POST / HTTP/1.1\r\nHost: x\r\n\(lines)\r\n\r\n0\r\n\r\n") == ["badRequest"])
    }

    @Test(arguments: ["1;a=b\r\nx\r\n0\r\n\r\n", "\r\n", "+1\r\nx\r\n0\r\n\r\n", "1\nx\n0\n\n", "1\r\nxy\r\n0\r\n\r\n", "0\r\nA: b\r\n\r\n", "1\r\nx"])
    func `A chunked body that is not strictly valid is refused`(body: String) {
        #expect(Self.read("POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n" + body) == ["badRequest"])
    }

    @Test func `A line that ends without CR, and another version, are refused at once`() {
        #expect(Self.read("GET / HTTP/1.1\nHost: x") == ["badRequest"])
        #expect(Self.read("GET / HTTP/1.0\r\nHost: x\r\n\r\n") == ["versionNotSupported"])
        #expect(Self.read("GET / HTTP/1.1\r\n\r\n") == ["badRequest"])
        #expect(Self.read("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n") == ["badRequest"])
    }

    @Test func `The lengths of a head, its target and Content-Length are limited`() {
        let long = String(repeating: "A: b\r\n", count: 12_000)
        #expect(Self.read("GET / HTTP/1.1\r\nHost: x\r\n\(long)", portion: 4096) == ["headersTooLarge"])
        #expect(Self.read("GET /\(String(repeating: "a", count: 70_000))", portion: 4096) == ["targetTooLong"])
        let huge = String(repeating: "9", count: 30)
        #expect(Self.read("GET / HTTP/1.1\r\nHost: x\r\nContent-Length: \(huge)\r\n\r\n") == ["contentTooLarge"])
    }
}
