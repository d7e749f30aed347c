/// Why text is not a URL this library would send a request to.
public enum HTTPURLError: Error, Sendable, Equatable {
    /// No `https:` or `http:` scheme, relative, or with characters no URL has.
    case malformed
    /// A user name before the host, as in `https://accounts.example@evil.example`.
    case userInfo
    /// A `#`, and what is behind it.
    case fragment
    /// An empty host, one with non-ASCII characters or a trailing dot, or an IP address in an odd spelling.
    case host
}

extension HTTPURLError: CodedError {
    package var code: ErrorCode { .invalidConfiguration }
}

/// An `https` or `http` URL, kept byte for byte: the standards compare issuers and redirect URIs as strings, so
/// nothing is ever normalised (RFC 8414 section 3.3, RFC 3986 section 6.2.1).
public struct HTTPURL: Sendable, Hashable, CustomStringConvertible {
    /// The URL as it was given.
    public let text: String
    package let isSecure: Bool
    /// In lower case; an IPv6 address without its brackets.
    public let host: String
    package let port: UInt16
    /// Starts with a slash unless it is empty.
    public let path: String
    /// The text after the question mark, undecoded.
    public let query: String?

    /// The URL as it was given.
    public var description: String { text }

    /// Reads a URL.
    /// - Throws: `HTTPURLError`.
    public init(_ text: String) throws(HTTPURLError) {
        let bytes = Array(text.utf8)
        guard bytes.count <= 8192, bytes.allSatisfy({ $0 > 0x20 && $0 != 0x7F && $0 != UInt8(ascii: "\\") }) else {
            throw .malformed
        }
        if text.contains("#") { throw .fragment }
        var rest: Substring
        if let after = HTTPURL.dropping("https://", from: text) {
            (isSecure, rest) = (true, after)
        } else if let after = HTTPURL.dropping("http://", from: text) {
            (isSecure, rest) = (false, after)
        } else {
            throw .malformed
        }
        let authority = rest.prefix { $0 != "/" && $0 != "?" }
        rest = rest.dropFirst(authority.count)
        if authority.contains("@") { throw .userInfo }
        (host, port) = try HTTPURL.hostAndPort(authority, defaultPort: isSecure ? 443 : 80)
        guard text.utf8.allSatisfy({ $0 < 0x80 && !"\"<>^`{|}".utf8.contains($0) }) else { throw .malformed }
        if let mark = rest.firstIndex(of: "?") {
            path = String(rest[..<mark])
            query = String(rest[rest.index(after: mark)...])
        } else {
            path = String(rest)
            query = nil
        }
        self.text = text
    }

    /// The server named by a host or `host:port`. Returns nil for any other text, so that two readers of it cannot
    /// understand different servers.
    package init?(scheme: String = "https", authority: String) {
        guard let url = try? HTTPURL("\(scheme)://\(authority)"), url.path.isEmpty, url.query == nil else { return nil }
        self = url
    }

    private static func dropping(_ scheme: String, from text: String) -> Substring? {
        text.prefix(scheme.count).lowercased() == scheme ? text.dropFirst(scheme.count) : nil
    }

    private static func hostAndPort(
        _ authority: Substring, defaultPort: UInt16
    ) throws(HTTPURLError) -> (String, UInt16) {
        var host = authority
        var port = defaultPort
        let colon = authority.lastIndex(of: ":")
        if let colon, !authority.hasSuffix("]") {
            host = authority[..<colon]
            let digits = authority[authority.index(after: colon)...]
            guard digits.hasOnlyDigits, let number = UInt16(digits), number > 0 else { throw .host }
            port = number
        }
        if host.hasPrefix("["), host.hasSuffix("]") {
            let address = String(host.dropFirst().dropLast())
            guard case .v6 = IPAddress(address) else { throw .host }
            return (address.lowercased(), port)
        }
        let labels = host.split(separator: ".", omittingEmptySubsequences: false)
        guard host.hasOnlyLettersAndDigits(or: "-._"), host.utf8.count <= 253, labels.allSatisfy({ !$0.isEmpty }),
            let last = labels.last
        else { throw .host }
        // If the last label is a number, resolvers parse the name as an IPv4 address (0x7f.1, 2130706433).
        let readsAsNumber = last.utf8.first.map { $0.isDigit } ?? false
        if readsAsNumber, IPAddress(String(host)) == nil { throw .host }
        return (host.lowercased(), port)
    }

    var textWithoutSlash: String { text.hasSuffix("/") ? String(text.dropLast()) : text }

    /// `scheme://host:port`, to compare origins (RFC 6454).
    package var origin: String { "\(isSecure ? "https" : "http")://\(bracketedHost):\(port)" }

    package var authority: String { port == (isSecure ? 443 : 80) ? bracketedHost : "\(bracketedHost):\(port)" }

    /// The host as it stands in a URL: an IPv6 address in brackets.
    var bracketedHost: String { host.contains(":") ? "[\(host)]" : host }

    /// Scheme and authority, without the port that is the scheme's own: what the URLs of one server begin with.
    package var root: String { "\(isSecure ? "https" : "http")://\(authority)" }

    /// True for `localhost` and the loopback addresses: the only hosts where plain http is fine.
    /// Others on the network cannot read what is sent.
    package var protectsSecrets: Bool { isSecure || isLoopback }

    package var isLoopback: Bool { host == "localhost" || IPAddress(host)?.zone == .loopback }

    var literalZone: NetworkZone? { host == "localhost" ? .loopback : IPAddress(host)?.zone }

    package func appending(_ parameters: [(String, String)]) -> String {
        guard !parameters.isEmpty else { return text }
        let added = FormURLEncoded.encode(parameters)
        guard let query else { return text + "?" + added }
        return text + (query.isEmpty || query.hasSuffix("&") ? "" : "&") + added
    }
}

/// How far an address reaches: a document from a wide zone must not send us to a narrower one.
package enum NetworkZone: Int, Sendable, Comparable {
    case loopback, privateNetwork, global

    package static func < (left: NetworkZone, right: NetworkZone) -> Bool { left.rawValue < right.rawValue }
}

/// An IP address in its strict spelling.
enum IPAddress: Equatable {
    case v4([UInt8])
    case v6([UInt8])

    init?(_ text: String) {
        if text.contains(":") {
            guard let bytes = IPAddress.parseV6(text) else { return nil }
            self = .v6(bytes)
        } else {
            guard let bytes = IPAddress.parseV4(text) else { return nil }
            self = .v4(bytes)
        }
    }

    private static func parseV4(_ text: String) -> [UInt8]? {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 4 else { return nil }
        var bytes: [UInt8] = []
        for part in parts {
            guard part.hasOnlyDigits, part == "0" || !part.hasPrefix("0"), let byte = UInt8(part) else { return nil }
            bytes.append(byte)
        }
        return bytes
    }

    private static func parseV6(_ text: String) -> [UInt8]? {
        let halves = text.split(separator: "::", maxSplits: 2, omittingEmptySubsequences: false)
        guard halves.count <= 2 else { return nil }
        func groups(_ half: Substring) -> [UInt8]? {
            guard !half.isEmpty else { return [] }
            var bytes: [UInt8] = []
            let parts = half.split(separator: ":", omittingEmptySubsequences: false)
            for (index, part) in parts.enumerated() {
                if index == parts.count - 1, part.contains(".") {
                    guard let tail = parseV4(String(part)) else { return nil }
                    bytes += tail
                    continue
                }
                guard (1...4).contains(part.utf8.count), !part.hasPrefix("+"), let group = UInt16(part, radix: 16)
                else { return nil }
                bytes += [UInt8(group >> 8), UInt8(group & 255)]
            }
            return bytes
        }
        guard let head = groups(halves[0]), let tail = halves.count == 2 ? groups(halves[1]) : [] else { return nil }
        let missing = 16 - head.count - tail.count
        guard halves.count == 2 ? missing >= 2 : missing == 0 else { return nil }
        return head + [UInt8](repeating: 0, count: max(0, missing)) + tail
    }

    var bytes: [UInt8] {
        switch self {
        case .v4(let bytes), .v6(let bytes): bytes
        }
    }

    var zone: NetworkZone {
        func isIn(_ networks: [IPNetwork]) -> Bool { networks.contains { $0.contains(self) } }
        if isIn(IPNetwork.loopback) { return .loopback }
        if isIn(IPNetwork.special) { return .privateNetwork }
        // The IPv4 address that a packet to this IPv6 address ends at.
        if isIn(IPNetwork.endingWithIPv4) { return IPAddress.v4(Array(bytes[12...])).zone }
        if isIn(IPNetwork.sixToFour) { return IPAddress.v4(Array(bytes[2..<6])).zone }
        // IPv4-compatible addresses, which are not routed any more.
        if isIn(IPNetwork.compatible) { return min(.privateNetwork, IPAddress.v4(Array(bytes[12...])).zone) }
        return .global
    }
}

/// An IP network in CIDR notation (RFC 4632, RFC 4291 section 2.3), or one address.
struct IPNetwork {
    private let address: IPAddress
    private let prefixLength: Int

    init?(_ text: String) {
        let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard let address = IPAddress(parts[0].filter { $0 != "[" && $0 != "]" }) else { return nil }
        let bits = address.bytes.count * 8
        guard let length = parts.count == 2 ? Int(parts[1]) : bits, (0...bits).contains(length) else { return nil }
        (self.address, prefixLength) = (address, length)
    }

    func contains(_ other: IPAddress) -> Bool {
        let (own, other) = (address.bytes, other.bytes)
        return own.count == other.count
            && (0..<prefixLength).allSatisfy { (own[$0 / 8] ^ other[$0 / 8]) & (0x80 >> UInt8($0 % 8)) == 0 }
    }

    private static func all(_ texts: String...) -> [IPNetwork] { texts.compactMap { IPNetwork($0) } }

    fileprivate static let loopback = all("127.0.0.0/8", "::1")
    /// RFC 6890's special addresses, as far as they matter to a client; NAT64 of one's own network (RFC 8215); Teredo.
    fileprivate static let special = all(
        "0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "169.254.0.0/16", "172.16.0.0/12", "192.0.0.0/24",
        "192.168.0.0/16", "198.18.0.0/15", "224.0.0.0/3",
        "::/120", "64:ff9b:1::/48", "2001::/32", "fc00::/7", "fe80::/9", "ff00::/8")
    /// Mapped (RFC 4291), and translated (RFC 2765, RFC 6052).
    fileprivate static let endingWithIPv4 = all("::ffff:0:0/96", "::ffff:0:0:0/96", "64:ff9b::/96")
    /// RFC 3056.
    fileprivate static let sixToFour = all("2002::/16")
    fileprivate static let compatible = all("::/96")
}
