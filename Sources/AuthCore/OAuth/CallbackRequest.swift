/// The head of one HTTP request at the loopback listener, read strictly (RFC 9112): what is not the awaited callback
/// gets a status and no more attention.
struct CallbackRequest: Sendable, Equatable {
    let method: String
    let path: String
    let query: String?
    let host: String
    let contentType: String?
    /// Bytes of the body that follow.
    let contentLength: Int
    let acceptsHTML: Bool

    static let maximumHeadLength = 16 * 1024
    static let maximumTargetLength = 8 * 1024
    static let maximumHeaderCount = 100
    static let maximumBodyLength = 64 * 1024

    /// The status of a response to a request that cannot be read.
    enum Refusal: Int, Error {
        case badRequest = 400
        case contentTooLarge = 413
        case targetTooLong = 414
        case headersTooLarge = 431
    }

    /// Where the head ends in `bytes`, behind its empty line; nil while it is not complete.
    static func endOfHead(_ bytes: [UInt8]) -> Int? {
        guard bytes.count >= 4 else { return nil }
        let end: [UInt8] = [13, 10, 13, 10]
        for index in 3..<bytes.count where bytes[index] == 10 && Array(bytes[(index - 3)...index]) == end {
            return index + 1
        }
        return nil
    }

    init(head: [UInt8]) throws(Refusal) {
        guard head.count <= CallbackRequest.maximumHeadLength else { throw .headersTooLarge }
        guard let text = String(validating: head, as: UTF8.self), text.utf8.last == 10 else { throw .badRequest }
        var lines: [Substring.UTF8View] = []
        var rest = text.utf8[...]
        while let end = rest.firstIndex(of: 13) {
            // A bare LF inside a line, or CR without LF, is how requests are smuggled.
            guard !rest[..<end].contains(10), rest.index(after: end) < rest.endIndex, rest[rest.index(after: end)] == 10
            else { throw .badRequest }
            lines.append(Substring(rest[..<end]).utf8)
            rest = rest[rest.index(end, offsetBy: 2)...]
        }
        guard lines.count >= 2, lines.removeLast().isEmpty, lines.last?.isEmpty == false else { throw .badRequest }
        let words = Substring(lines.removeFirst()).split(separator: " ", omittingEmptySubsequences: false)
        guard words.count == 3, words[2] == "HTTP/1.1" || words[2] == "HTTP/1.0" else { throw .badRequest }
        let target = words[1]
        guard target.utf8.count <= CallbackRequest.maximumTargetLength else { throw .targetTooLong }
        guard target.hasPrefix("/") || target == "*", target.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }),
            !words[0].isEmpty, words[0].utf8.allSatisfy({ $0.isUppercaseLetter })
        else { throw .badRequest }
        guard lines.count <= CallbackRequest.maximumHeaderCount else { throw .headersTooLarge }
        let headers = try CallbackRequest.headers(lines)
        method = String(words[0])
        path = String(target.prefix { $0 != "?" })
        query = target.firstIndex(of: "?").map { String(target[target.index(after: $0)...]) }
        guard let host = headers["host"] else { throw .badRequest }
        self.host = host.lowercased()
        contentType = headers["content-type"]?.split(separator: ";").first.map { $0.lowercased().trimmingSpaces() }
        acceptsHTML = headers["accept"]?.contains("text/html") ?? false
        guard headers["transfer-encoding"] == nil else { throw .badRequest }
        if let length = headers["content-length"] {
            guard !length.isEmpty, length.utf8.allSatisfy(\.isDigit) else { throw .badRequest }
            guard let count = Int(length), count <= CallbackRequest.maximumBodyLength else { throw .contentTooLarge }
            contentLength = count
        } else {
            contentLength = 0
        }
    }

    private static func headers(_ lines: [Substring.UTF8View]) throws(Refusal) -> [String: String] {
        var headers: [String: String] = [:]
        for line in lines.map(Substring.init) {
            guard let colon = line.firstIndex(of: ":"), colon > line.startIndex else { throw .badRequest }
            let name = line[..<colon].lowercased()
            // A space before the colon, or a line that starts with one (obs-fold), is refused.
            guard name.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else { throw .badRequest }
            let value = String(line[line.index(after: colon)...]).trimmingSpaces()
            guard value.utf8.allSatisfy({ $0 >= 0x20 || $0 == 9 }) else { throw .badRequest }
            let isSingle = ["host", "content-length", "content-type", "transfer-encoding"].contains(name)
            guard headers.updateValue(value, forKey: name) == nil || !isSingle else { throw .badRequest }
        }
        return headers
    }
}
