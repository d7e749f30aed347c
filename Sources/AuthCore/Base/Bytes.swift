import Glibc

// The C library compares 32 bytes per step, and Swift one. This saves a tenth of the time of checking a token without
// its signature.

extension [UInt8] {
    /// The first index of `byte` at or after `start`.
    package func firstIndex(of byte: UInt8, from start: Int) -> Int? {
        start < count ? firstIndex(of: byte, in: start..<count) : nil
    }

    /// The first index of `byte` in `range`.
    package func firstIndex(of byte: UInt8, in range: Range<Int>) -> Int? {
        withUnsafeBytes { bytes in
            let part = UnsafeRawBufferPointer(rebasing: bytes[range])
            guard let base = part.baseAddress else { return nil }
            return memchr(base, Int32(byte), part.count).map {
                range.lowerBound + base.distance(to: UnsafeRawPointer($0))
            }
        }
    }

    /// The bytes without a byte order mark of UTF-8, which some editors and servers put before text.
    package var withoutByteOrderMark: [UInt8] { starts(with: [0xEF, 0xBB, 0xBF]) ? Array(dropFirst(3)) : self }
}

// The character classes of protocols (RFC 5234 appendix B.1): only ASCII, independent of the locale.
extension UInt8 {
    package var isDigit: Bool { (0x30...0x39).contains(self) }
    package var isUppercaseLetter: Bool { (0x41...0x5A).contains(self) }
    package var isLetter: Bool { isUppercaseLetter || (0x61...0x7A).contains(self) }
    package var isLetterOrDigit: Bool { isLetter || isDigit }
    /// A token character of HTTP (RFC 9110 section 5.6.2).
    var isTokenCharacter: Bool { isLetterOrDigit || "!#$%&'*+-.^_`|~".utf8.contains(self) }
    /// A character of a header field's value (RFC 9110 section 5.5).
    var isFieldCharacter: Bool { self == 0x09 || self >= 0x20 && self != 0x7F }
}

extension StringProtocol {
    /// Whether the text contains only ASCII letters, digits and these marks. True for an empty text.
    package func hasOnlyLettersAndDigits(or marks: String = "") -> Bool {
        utf8.allSatisfy { $0.isLetterOrDigit || marks.utf8.contains($0) }
    }

    /// Whether it has one ASCII digit or more, and nothing else.
    var hasOnlyDigits: Bool { !isEmpty && utf8.allSatisfy(\.isDigit) }
}

extension UnsafeBufferPointer<UInt8> {
    /// Whether both hold the same bytes.
    func hasSameBytes(as other: UnsafeBufferPointer<UInt8>) -> Bool {
        guard count == other.count else { return false }
        guard let own = baseAddress, let others = other.baseAddress else { return true }
        return memcmp(own, others, count) == 0
    }
}

extension ArraySlice<UInt8> {
    func hasSameBytes(as other: ArraySlice<UInt8>) -> Bool {
        withUnsafeBufferPointer { own in other.withUnsafeBufferPointer { own.hasSameBytes(as: $0) } }
    }
}

extension String {
    /// The text without a byte order mark, which is invisible, and never a part of a token or a client secret.
    package var withoutByteOrderMark: String {
        unicodeScalars.first == "\u{FEFF}" ? String(unicodeScalars.dropFirst()) : self
    }

    /// The text without spaces and tabs at both ends.
    package func trimmingSpaces() -> String {
        var rest = utf8[...]
        while rest.first == UInt8(ascii: " ") || rest.first == UInt8(ascii: "\t") { rest.removeFirst() }
        while rest.last == UInt8(ascii: " ") || rest.last == UInt8(ascii: "\t") { rest.removeLast() }
        return String(Substring(rest))
    }

    /// Whether two texts have the same bytes. `==` also compares texts as equal that are canonically equivalent in
    /// Unicode.
    package func hasSameBytes(as other: String) -> Bool {
        guard utf8.count == other.utf8.count else { return false }
        let isSame = utf8.withContiguousStorageIfAvailable { own in
            other.utf8.withContiguousStorageIfAvailable { own.hasSameBytes(as: $0) }
        }
        return (isSame ?? nil) ?? utf8.elementsEqual(other.utf8)
    }

    /// The length and the first seven bytes in one number. It identifies short names, and few longer names share one.
    var mark: UInt64 {
        func mark(_ bytes: UnsafeBufferPointer<UInt8>) -> UInt64 {
            var mark = UInt64(truncatingIfNeeded: min(bytes.count, 255))
            for index in 0..<min(7, bytes.count) { mark = mark &<< 8 | UInt64(bytes[index]) }
            return mark
        }
        return utf8.withContiguousStorageIfAvailable(mark) ?? Array(utf8).withUnsafeBufferPointer(mark)
    }

    static func isWhole(mark: UInt64) -> Bool { mark >> 56 < 8 }
}

extension String? {
    /// Whether both have the same bytes, or both are nil.
    func hasSameBytes(as other: String?) -> Bool {
        guard let self, let other else { return self == nil && other == nil }
        return self.hasSameBytes(as: other)
    }
}

extension Sequence<String> {
    /// Whether one of the texts has the same bytes as `text`.
    func containsBytes(of text: String) -> Bool { contains { $0.hasSameBytes(as: text) } }
}
