/// Resources, identified by URLs (RFC 8707 section 2, RFC 9728 section 1.2). The URL is sent unchanged.
extension HTTPURL {
    /// Whether `url` belongs to this resource: it has the same origin, and the same path or one below it.
    ///
    /// RFC 9728 section 3.3 requires identical URLs. Paths below the resource are from
    /// draft-mcguinness-oauth-rfc9728bis, and servers with one document for the whole host require them.
    package func covers(_ url: HTTPURL) -> Bool {
        guard origin == url.origin, !url.hasAmbiguousPath, !hasAmbiguousPath else { return false }
        if let query, url.path != path || url.query != query { return false }
        // An empty path is sent as a slash (RFC 9110 section 4.2.3).
        let own = path.isEmpty ? "/" : path
        let other = url.path.isEmpty ? "/" : url.path
        return own == other || other.utf8.starts(with: (own.hasSuffix("/") ? own : own + "/").utf8)
    }

    func isSameResource(as other: HTTPURL) -> Bool { textWithoutSlash.hasSameBytes(as: other.textWithoutSlash) }

    /// Whether servers may resolve this path differently. It has dot segments, also with path parameters (`..;`) or
    /// percent-encoded any number of times, encoded separators or control characters, bytes that are not UTF-8
    /// (overlong forms included), or `%` without two hexadecimal digits.
    var hasAmbiguousPath: Bool {
        var bytes = Array(path.utf8)
        var decoded = HTTPURL.percentDecoded(bytes)
        guard decoded.isWellFormed else { return true }
        while true {
            guard let text = String(validating: bytes, as: UTF8.self),
                !text.unicodeScalars.contains(where: { $0.value < 0x20 || $0.value == 0x7F || $0 == "\\" })
            else { return true }
            let isDotSegment = text.split(separator: "/").contains { segment in
                let name = segment.prefix { $0 != ";" }
                return !name.isEmpty && name.allSatisfy { $0 == "." || $0 == " " }
            }
            guard !isDotSegment else { return true }
            guard decoded.bytes != bytes else { return false }
            // Decoding must not add separators.
            let isSlash = { (byte: UInt8) in byte == UInt8(ascii: "/") }
            guard decoded.bytes.count(where: isSlash) == bytes.count(where: isSlash) else { return true }
            bytes = decoded.bytes
            decoded = HTTPURL.percentDecoded(bytes)
        }
    }

    private static func percentDecoded(_ bytes: [UInt8]) -> (bytes: [UInt8], isWellFormed: Bool) {
        var (decoded, isWellFormed, index) = ([UInt8](), true, 0)
        decoded.reserveCapacity(bytes.count)
        while index < bytes.count {
            if bytes[index] == UInt8(ascii: "%") {
                let digits = bytes[(index + 1)...].prefix(2).compactMap(\.hexadecimalDigit)
                if digits.count == 2 {
                    decoded.append(digits[0] << 4 | digits[1])
                    index += 3
                    continue
                }
                isWellFormed = false
            }
            decoded.append(bytes[index])
            index += 1
        }
        return (decoded, isWellFormed)
    }

    /// The URLs of this resource's metadata, the most specific first: the well-known path before the resource's path,
    /// then the one of the whole host (RFC 9728 section 3.1).
    var resourceMetadataURLs: [HTTPURL] {
        let wellKnown = "/.well-known/oauth-protected-resource"
        let tail = path + queryWithMark
        let head = text.dropLast(tail.count) + wellKnown
        let narrow = path == "/" ? String(tail.dropFirst()) : tail
        return (narrow.isEmpty ? [""] : [narrow, ""]).compactMap { try? HTTPURL(head + $0) }
    }
}
