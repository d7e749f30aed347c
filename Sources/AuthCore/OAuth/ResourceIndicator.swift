/// Resources by their URLs (RFC 8707 section 2, RFC 9728 section 1.2): sent byte for byte as they were named, and compared
/// as requests to them are.
extension HTTPURL {
    /// Whether a request to `url` is one to this resource: the same origin, and its path or one below it.
    ///
    /// RFC 9728 section 3.3 wants both to be identical. That a resource also stands for what is below it is from
    /// draft-mcguinness-oauth-rfc9728bis, and what servers do that protect a whole host by one document.
    package func covers(_ url: HTTPURL) -> Bool {
        guard origin == url.origin, !url.hasAmbiguousPath, !hasAmbiguousPath else { return false }
        if let query, url.path != path || url.query != query { return false }
        // An empty path is sent as a slash (RFC 9110 section 4.2.3).
        let own = path.isEmpty ? "/" : path
        let other = url.path.isEmpty ? "/" : url.path
        return own == other || other.utf8.starts(with: (own.hasSuffix("/") ? own : own + "/").utf8)
    }

    func isSameResource(as other: HTTPURL) -> Bool { textWithoutSlash.hasSameBytes(as: other.textWithoutSlash) }

    /// Whether servers can disagree about which path this is: dot segments, also with path parameters (`..;`) and percent-encoded
    /// any number of times; encoded separators and control characters; bytes that are not UTF-8, overlong forms among them;
    /// `%` without two hexadecimal digits.
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
            // A separator that decoding adds.
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

    /// Where this resource's own metadata may be, the narrowest first: inserted before the path, then for the whole host
    /// (RFC 9728 section 3.1).
    var resourceMetadataURLs: [HTTPURL] {
        let wellKnown = "/.well-known/oauth-protected-resource"
        let tail = path + (query.map { "?" + $0 } ?? "")
        let head = text.dropLast(tail.count) + wellKnown
        let narrow = path == "/" ? String(tail.dropFirst()) : tail
        return (narrow.isEmpty ? [""] : [narrow, ""]).compactMap { try? HTTPURL(head + $0) }
    }
}
