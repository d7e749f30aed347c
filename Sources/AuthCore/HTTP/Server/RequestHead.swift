/// The head of one HTTP/1.1 request that this program's servers receive, parsed strictly (RFC 9112). An invalid request
/// has the status of its response.
package struct RequestHead: Sendable, Equatable {
    package struct Header: Sendable, Equatable {
        /// In lower case.
        package let name: String
        package let value: String
    }

    package let method: String
    package let path: String
    package let query: String?
    package let headers: [Header]
    /// Whether the client may send another request on the connection (RFC 9112 section 9.3).
    package var isPersistent: Bool { isHTTP11 && !connectionOptions.contains("close") }
    package let isHTTP11: Bool

    package static let maximumLength = 16 * 1024
    package static let maximumTargetLength = 8 * 1024
    package static let maximumHeaderCount = 100

    /// The status of the response to an invalid request.
    package enum Refusal: Int, Error {
        case badRequest = 400
        case contentTooLarge = 413
        case targetTooLong = 414
        case expectationFailed = 417
        case headersTooLarge = 431
        case versionNotSupported = 505
    }

    /// The offset after the empty line that ends the head; nil if it is not complete.
    ///
    /// - Parameter searched: the number of bytes in which an earlier search found no end.
    package static func end(in bytes: [UInt8], searched: Int = 0) -> Int? {
        var next = max(3, searched)
        while let index = bytes.firstIndex(of: 10, from: next) {
            if bytes[index - 3] == 13, bytes[index - 2] == 10, bytes[index - 1] == 13 { return index + 1 }
            next = index + 1
        }
        return nil
    }

    /// The refusal of an incomplete head that is too long or does not begin with a method; nil if it may become valid.
    package static func refusal(ofBeginning bytes: [UInt8], maximumLength: Int = maximumLength) -> Refusal? {
        // If the request line is not complete either, the target is too long.
        if bytes.count > maximumLength { return bytes.contains(10) ? .headersTooLarge : .targetTooLong }
        // Not HTTP, for example a TLS handshake.
        return bytes.prefix(8).allSatisfy({ (0x20...0x7E).contains($0) }) ? nil : .badRequest
    }

    package init(_ head: [UInt8], maximumLength: Int = RequestHead.maximumLength) throws(Refusal) {
        guard head.count <= maximumLength else { throw .headersTooLarge }
        guard let text = String(validating: head, as: UTF8.self), text.utf8.last == 10 else { throw .badRequest }
        var lines: [Substring.UTF8View] = []
        var rest = text.utf8[...]
        while let end = rest.firstIndex(of: 13) {
            // A bare LF inside a line, or CR without LF, allows request smuggling.
            guard !rest[..<end].contains(10), rest.index(after: end) < rest.endIndex, rest[rest.index(after: end)] == 10
            else { throw .badRequest }
            lines.append(Substring(rest[..<end]).utf8)
            rest = rest[rest.index(end, offsetBy: 2)...]
        }
        guard lines.count >= 2, lines.removeLast().isEmpty, lines.last?.isEmpty == false else { throw .badRequest }
        let words = Substring(lines.removeFirst()).split(separator: " ", omittingEmptySubsequences: false)
        guard words.count == 3, words[2] == "HTTP/1.1" || words[2] == "HTTP/1.0" else { throw .badRequest }
        let target = words[1]
        guard target.utf8.count <= RequestHead.maximumTargetLength else { throw .targetTooLong }
        guard target.hasPrefix("/") || target == "*", target.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }),
            !words[0].isEmpty, words[0].utf8.allSatisfy({ $0.isUppercaseLetter })
        else { throw .badRequest }
        guard lines.count <= RequestHead.maximumHeaderCount else { throw .headersTooLarge }
        headers = try RequestHead.headers(lines)
        method = String(words[0])
        path = String(target.prefix { $0 != "?" })
        query = target.firstIndex(of: "?").map { String(target[target.index(after: $0)...]) }
        isHTTP11 = words[2] == "HTTP/1.1"
    }

    package func header(_ name: String) -> String? { headers.last { $0.name == name }?.value }

    /// The length of the body in bytes. A body of unknown length is refused.
    package func contentLength(limit: Int) throws(Refusal) -> Int {
        guard case .length(let length) = try body() else { throw .badRequest }
        guard length <= limit else { throw .contentTooLarge }
        return Int(length)
    }

    private static func headers(_ lines: [Substring.UTF8View]) throws(Refusal) -> [Header] {
        var headers: [Header] = []
        for line in lines.map(Substring.init) {
            guard let colon = line.firstIndex(of: ":"), colon > line.startIndex else { throw .badRequest }
            let name = line[..<colon].lowercased()
            // A space before the colon, or a line that starts with one (obs-fold), is refused.
            guard line[..<colon].utf8.allSatisfy(\.isTokenCharacter) else { throw .badRequest }
            let value = String(line[line.index(after: colon)...]).trimmingSpaces()
            guard value.utf8.allSatisfy(\.isFieldCharacter) else { throw .badRequest }
            let isSingle = ["host", "content-length", "content-type", "transfer-encoding"].contains(name)
            guard !isSingle || !headers.contains(where: { $0.name == name }) else { throw .badRequest }
            headers.append(Header(name: name, value: value))
        }
        return headers
    }
}
