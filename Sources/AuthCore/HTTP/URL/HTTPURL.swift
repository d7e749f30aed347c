import Glibc

/// The reason why a text is not a valid `HTTPURL`.
public enum HTTPURLError: Error, Sendable, Equatable {
    /// The text has another scheme than `https:` and `http:`, is relative, or has characters that a URL cannot have.
    case malformed
    /// The URL has a user name before the host, as in `https://accounts.example@evil.example`.
    case userInfo
    /// The URL has a fragment.
    case fragment
    /// The host is empty, has non-ASCII characters or a trailing dot, or is an IP address in a non-standard form.
    case host
}

extension HTTPURLError: CodedError {
    package var code: ErrorCode { .invalidConfiguration }
}

/// An `https` or `http` URL. Its text is never normalized, because the standards compare issuers and redirect URIs as
/// strings (RFC 8414 section 3.3, RFC 3986 section 6.2.1).
public struct HTTPURL: Sendable, Hashable, CustomStringConvertible {
    /// The text of the URL, unchanged.
    public let text: String
    package let isSecure: Bool
    /// The host in lower case; an IPv6 address has no brackets.
    public let host: String
    package let port: UInt16
    /// The path. It starts with a slash or is empty.
    public let path: String
    /// The text after the question mark, percent-encoded as in the URL; nil if there is none.
    public let query: String?

    /// The text of the URL, unchanged.
    public var description: String { text }

    /// Creates a URL from its text.
    /// - Throws: `HTTPURLError` if the text is not a valid URL.
    public init(_ text: String) throws(HTTPURLError) {
        let bytes = Array(text.utf8)
        guard bytes.count <= 8192, bytes.allSatisfy({ $0 > 0x20 && $0 != 0x7F && $0 != UInt8(ascii: "\\") }) else {
            throw .malformed
        }
        if text.contains("#") { throw .fragment }
        let secure = HTTPURL.dropping("https://", from: text)
        guard var rest = secure ?? HTTPURL.dropping("http://", from: text) else { throw .malformed }
        isSecure = secure != nil
        let authority = rest.prefix { $0 != "/" && $0 != "?" }
        rest = rest.dropFirst(authority.count)
        if authority.contains("@") { throw .userInfo }
        (host, port) = try HTTPURL.hostAndPort(authority, defaultPort: isSecure ? 443 : 80)
        guard text.utf8.allSatisfy({ $0 < 0x80 && !"\"<>^`{|}".utf8.contains($0) }) else { throw .malformed }
        path = String(rest.prefix { $0 != "?" })
        query = rest.firstIndex(of: "?").map { String(rest[rest.index(after: $0)...]) }
        self.text = text
    }

    /// The URL of a server, from a host or `host:port`. Returns nil for any other text, so that another parser cannot
    /// read another server in it.
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
            guard IPAddress(address)?.bytes.count == 16 else { throw .host }
            return (address.lowercased(), port)
        }
        let labels = host.split(separator: ".", omittingEmptySubsequences: false)
        guard host.hasOnlyLettersAndDigits(or: "-._"), host.utf8.count <= 253, labels.allSatisfy({ !$0.isEmpty }),
            let last = labels.last
        else { throw .host }
        // If the last label is a number, resolvers parse the name as an IPv4 address (0x7f.1, 2130706433).
        let readsAsNumber = last.hasOnlyDigits || last.hasPrefix("0")
        if readsAsNumber, IPAddress(String(host)) == nil { throw .host }
        return (host.lowercased(), port)
    }

    var textWithoutSlash: String { text.hasSuffix("/") ? String(text.dropLast()) : text }

    /// The query with its question mark; empty if there is none.
    var queryWithMark: String { query.map { "?" + $0 } ?? "" }

    /// The URL without its default port and a trailing slash, and with its host in lower case, to compare settings.
    package var normalized: String {
        let rest = path + queryWithMark
        return root + (rest.hasSuffix("/") ? String(rest.dropLast()) : rest)
    }

    /// `scheme://host:port`, always with the port, to compare origins (RFC 6454).
    package var origin: String { "\(isSecure ? "https" : "http")://\(bracketedHost):\(port)" }

    package var authority: String { port == (isSecure ? 443 : 80) ? bracketedHost : "\(bracketedHost):\(port)" }

    /// The host as in a URL: an IPv6 address has brackets.
    var bracketedHost: String { host.contains(":") ? "[\(host)]" : host }

    /// Scheme and authority, without the scheme's default port: the beginning of all URLs of a server.
    package var root: String { "\(isSecure ? "https" : "http")://\(authority)" }

    /// Whether others on the network cannot read the request: it uses https, or the host is `localhost` or a loopback
    /// address.
    package var protectsSecrets: Bool { isSecure || isLoopback }

    package var isLoopback: Bool { host == "localhost" || IPAddress(host)?.zone == .loopback }

    var literalZone: NetworkZone? { host == "localhost" ? .loopback : IPAddress(host)?.zone }

    /// The URL with these parameters. Others in its query are retained, and those with the same name are replaced,
    /// because parameters must not be repeated (RFC 6749 section 3.1).
    package func appending(_ parameters: [(String, String)]) -> String {
        guard !parameters.isEmpty else { return text }
        let own = (query ?? "").split(separator: "&").filter { pair in
            let name = FormURLEncoded.decodeEach(pair.utf8).first?.name
            return !parameters.contains { $0.0 == name }
        }
        return textWithoutQuery + "?" + (own + [FormURLEncoded.encode(parameters)[...]]).joined(separator: "&")
    }

    private var textWithoutQuery: Substring { text.prefix { $0 != "?" } }
    private var server: Substring { textWithoutQuery.dropLast(path.count) }

    /// The port if the URL names it.
    var explicitPort: UInt16? { server.hasSuffix(":\(port)") ? port : nil }

    /// The URL of a reference in the response of this URL (RFC 3986 section 5.2), without its fragment.
    func resolving(_ reference: String) throws(HTTPURLError) -> HTTPURL {
        let reference = reference.prefix { $0 != "#" }
        let target =
            switch reference.first {
            case nil: text[...]
            case "?": textWithoutQuery + reference
            case "/": (reference.hasPrefix("//") ? text.prefix { $0 != "/" } : server) + reference
            case _ where reference.prefix(while: { !"/?".contains($0) }).contains(":"): reference
            default: server + (path.lastIndex(of: "/").map { path[...$0] } ?? "/") + reference
            }
        let url = try HTTPURL(String(target))
        let segments = url.path.split(separator: "/", omittingEmptySubsequences: false)
        var kept: [Substring] = []
        for segment in segments where segment != "." {
            if segment != ".." { kept.append(segment) } else if kept.count > 1 { kept.removeLast() }
        }
        if segments.last == "." || segments.last == ".." { kept.append("") }
        return try HTTPURL(url.server + kept.joined(separator: "/") + url.queryWithMark)
    }
}

/// The part of the network that an address belongs to. URLs in a document from a wider zone must not point into a
/// narrower one.
package enum NetworkZone: Int, Sendable, Comparable {
    case loopback, privateNetwork, global

    package static func < (left: NetworkZone, right: NetworkZone) -> Bool { left.rawValue < right.rawValue }
}

/// An IP address, read from its standard form only.
package struct IPAddress: Equatable {
    /// Four or 16.
    private(set) var bytes: [UInt8]

    /// The zone of the address, by the special-purpose addresses of RFC 6890.
    var zone: NetworkZone {
        func isIn(_ networks: [IPNetwork]) -> Bool { networks.contains { $0.contains(self) } }
        if isIn(IPNetwork.loopback) { return .loopback }
        if isIn(IPNetwork.special) { return .privateNetwork }
        // IPv6 addresses that contain an IPv4 address.
        if isIn(IPNetwork.endingWithIPv4) { return IPAddress(bytes: Array(bytes[12...])).zone }
        if isIn(IPNetwork.sixToFour) { return IPAddress(bytes: Array(bytes[2..<6])).zone }
        // IPv4-compatible addresses (deprecated by RFC 4291 section 2.5.5.1).
        if isIn(IPNetwork.compatible) { return min(.privateNetwork, IPAddress(bytes: Array(bytes[12...])).zone) }
        return .global
    }
}

extension IPAddress {
    package init?(_ text: String) {
        let isIPv6 = text.contains(":")
        bytes = [UInt8](repeating: 0, count: isIPv6 ? 16 : 4)
        // inet_pton(3) reads a text up to its first zero.
        guard !text.utf8.contains(0), inet_pton(isIPv6 ? AF_INET6 : AF_INET, text, &bytes) == 1 else { return nil }
    }
}

/// An IP network in CIDR notation (RFC 4632, RFC 4291 section 2.3), or one address.
struct IPNetwork {
    private let address: [UInt8]
    private let prefixLength: Int

    init?(_ text: String) {
        let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard let address = IPAddress(parts[0].filter { $0 != "[" && $0 != "]" })?.bytes else { return nil }
        let bits = address.count * 8
        guard let length = parts.count == 2 ? Int(parts[1]) : bits, (0...bits).contains(length) else { return nil }
        (self.address, prefixLength) = (address, length)
    }

    func contains(_ other: IPAddress) -> Bool {
        let other = other.bytes
        return address.count == other.count
            && (0..<prefixLength).allSatisfy { (address[$0 / 8] ^ other[$0 / 8]) & (0x80 >> UInt8($0 % 8)) == 0 }
    }

    private static func all(_ texts: String...) -> [IPNetwork] { texts.compactMap { IPNetwork($0) } }

    fileprivate static let loopback = all("127.0.0.0/8", "::1")
    /// Among them local-use NAT64 (RFC 8215) and Teredo.
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

extension String {
    /// A host as a URL: the default scheme is https.
    package var withDefaultScheme: String { contains("://") ? self : "https://\(self)" }
}
