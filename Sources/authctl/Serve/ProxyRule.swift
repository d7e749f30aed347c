import AuthCore

/// A request's path, if all servers understand it in the same way. Nothing is normalised: another spelling of a path is
/// refused, not corrected.
struct ProxiedPath {
    /// Between the slashes. The last one is empty if the path ends with a slash.
    let segments: [Substring]

    /// Nil for `.` and `..`, empty segments, characters that a URL does not have, and encoded characters that a server could
    /// take for a separator or decode twice.
    init?(_ path: String) {
        guard path.hasPrefix("/"), path.hasOnlyLettersAndDigits(or: "-._~!$&'()*+,;=:@/%") else { return nil }
        var rest = Array(path.utf8)[...]
        while let percent = rest.firstIndex(of: UInt8(ascii: "%")) {
            rest = rest[(percent + 1)...]
            let digits = String(decoding: rest.prefix(2), as: UTF8.self)
            guard digits.utf8.count == 2, digits.utf8.allSatisfy({ $0.isLetterOrDigit }),
                let byte = UInt8(digits, radix: 16), byte >= 0x20, byte != 0x7F, !"./\\%?#;".utf8.contains(byte)
            else { return nil }
        }
        segments = path.dropFirst().split(separator: "/", omittingEmptySubsequences: false)
        for (index, segment) in segments.enumerated() {
            // Some servers ignore what is after a semicolon: `..;x` is `..` for them.
            let name = segment.prefix { $0 != ";" }
            guard name != ".", name != "..", !name.isEmpty || (segment.isEmpty && index == segments.count - 1) else {
                return nil
            }
        }
    }
}

/// A value of `serve --allow` with `--upstream`: the requests that are forwarded, such as `GET /repos/corp/**`.
struct ProxyRule: Sendable, Equatable {
    let text: String
    /// Nil for every method.
    private let method: HTTPRequest.Method?
    private let segments: [String]
    /// Whether the pattern ends with `**`.
    private let isOpen: Bool

    /// Reads a method or `*`, a space, and a path in which `*` is one segment, and a last `**` is one or more.
    init(_ text: String) throws(CommandError) {
        self.text = text
        let words = text.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
        guard words.count == 2 else { throw .invalidProxyRule(text, "it is not a method and a path") }
        method = HTTPRequest.Method(rawValue: words[0])
        guard method != nil || words[0] == "*" else {
            let upper = HTTPRequest.Method(rawValue: words[0].uppercased())
            throw .invalidProxyRule(
                text, "the method is not GET, HEAD, POST, PUT, PATCH, DELETE or *",
                corrected: upper.map { "\($0.rawValue) \(words[1])" })
        }
        guard let path = ProxiedPath(words[1]) else {
            throw .invalidProxyRule(
                text,
                "'\(words[1])' is not a path that starts with a slash, without '.', '..', '//' and encoded separators")
        }
        isOpen = path.segments.last == "**"
        segments = (isOpen ? path.segments.dropLast() : path.segments).map(String.init)
        guard segments.allSatisfy({ $0 == "*" || !$0.contains("*") }) else {
            throw .invalidProxyRule(text, "* must be a whole segment, and ** the last one")
        }
    }

    /// A rule for GET also allows HEAD.
    func allows(_ method: HTTPRequest.Method, _ path: ProxiedPath) -> Bool {
        guard self.method == nil || self.method == method || (self.method == .get && method == .head),
            isOpen ? path.segments.count > segments.count : path.segments.count == segments.count
        else { return false }
        return zip(segments, path.segments).allSatisfy { $0 == "*" ? !$1.isEmpty : $0 == $1 }
    }
}
