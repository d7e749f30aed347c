import AuthCore

/// A request path that all servers interpret in the same way. Paths are not normalized: other spellings of a path are
/// rejected.
struct ProxiedPath {
    /// The texts between the slashes. The last one is empty if the path ends with a slash.
    let segments: [Substring]

    /// Returns nil if a server could interpret a segment as `.` or `..`, or decode a character twice or to a separator.
    /// Empty segments, path parameters (`;`) and characters that are invalid in a URL are also rejected.
    init?(_ path: String) {
        guard path.hasPrefix("/"), path.hasOnlyLettersAndDigits(or: "-._~!$&'()*+,=:@/%"),
            let decoded = ProxiedPath.decoded(path)
        else { return nil }
        segments = path.dropFirst().split(separator: "/", omittingEmptySubsequences: false)
        // Split by bytes, because a slash and a combining accent are one character in Swift.
        let names = decoded.dropFirst().split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        for (index, name) in names.enumerated() {
            // Some servers ignore spaces at the ends of a name. A few decode a plus as a space.
            let isOnlyDots = name.allSatisfy(". +".utf8.contains)
            guard !isOnlyDots || (name.isEmpty && index == names.count - 1) else { return nil }
        }
    }

    /// Returns nil if the path has an encoded character that is not allowed, or bytes that are not UTF-8.
    private static func decoded(_ path: String) -> [UInt8]? {
        var (bytes, rest) = ([UInt8](), Array(path.utf8)[...])
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            let digits = String(decoding: rest.prefix(2), as: UTF8.self)
            guard digits.utf8.count == 2, digits.utf8.allSatisfy({ $0.isLetterOrDigit }),
                let byte = UInt8(digits, radix: 16), byte >= 0x20, byte != 0x7F, !"./\\%?#;".utf8.contains(byte)
            else { return nil }
            bytes.append(byte)
            rest = rest.dropFirst(2)
        }
        // Overlong forms (`%c0%ae`) are not UTF-8.
        guard let text = String(validating: bytes, as: UTF8.self),
            !text.unicodeScalars.contains(where: { scalar in lookalikes.contains { $0.contains(scalar.value) } })
        else { return nil }
        return bytes
    }

    /// Characters that some servers replace with `.`, `/`, `\`, `%`, `?`, `#`, `;` or nothing: control characters, spaces, and
    /// compatibility forms such as the fullwidth full stop (U+FF0E).
    private static let lookalikes: [ClosedRange<UInt32>] = [
        0x80...0xA0, 0xAD...0xAD, 0x37E...0x37E, 0x1680...0x1680, 0x180E...0x180E, 0x2000...0x200F, 0x2024...0x202F,
        0x2044...0x2044, 0x2047...0x2049, 0x205F...0x206F, 0x2100...0x2106, 0x2215...0x2216, 0x2488...0x249B,
        0x29F5...0x29F9, 0x3000...0x3002, 0xFE10...0xFE6F, 0xFEFF...0xFFFF,
    ]
}

/// A value of `serve --allow` with `--upstream`: the requests that are forwarded, such as `GET /repos/corp/**`.
struct ProxyRule: Sendable, Equatable {
    let text: String
    /// Nil if the rule allows every method.
    private let method: HTTPRequest.Method?
    private let segments: [String]
    /// Whether the pattern ends with `**`.
    private let isOpen: Bool

    /// Reads a method or `*`, a space, and a path. In the path, `*` matches one segment, and `**` at the end matches
    /// one or more.
    init(_ text: String) throws(UsageProblem) {
        self.text = text
        func invalid(_ problem: String) -> UsageProblem {
            .other(
                "invalid value of --allow '\(shown: text)': \(shown: problem)",
                hint: "the form is a method and a path, such as 'GET /repos/**'")
        }
        let words = text.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
        guard words.count == 2 else { throw invalid("it is not a method and a path") }
        method = HTTPRequest.Method(rawValue: words[0])
        guard method != nil || words[0] == "*" else {
            throw invalid("the method is not GET, HEAD, POST, PUT, PATCH, DELETE or *")
        }
        guard !words[1].contains("?") else { throw invalid("a rule has no query") }
        guard let path = ProxiedPath(words[1]) else {
            throw invalid(
                "'\(words[1])' is not a path that starts with a slash, without '.', '..', '//', ';' and encoded separators"
            )
        }
        isOpen = path.segments.last == "**"
        segments = (isOpen ? path.segments.dropLast() : path.segments).map(String.init)
        guard segments.allSatisfy({ $0 == "*" || !$0.contains("*") }) else {
            throw invalid("* must be a whole segment, and ** the last one")
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
