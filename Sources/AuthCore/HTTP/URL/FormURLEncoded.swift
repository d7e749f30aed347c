/// `application/x-www-form-urlencoded` (RFC 6749 appendix B, WHATWG URL section 5).
package enum FormURLEncoded {
    package static func encode(_ parameters: [(String, String)]) -> String {
        parameters.map { "\(encode($0.0))=\(encode($0.1))" }.joined(separator: "&")
    }

    package static func encode(_ text: String) -> String {
        let digits = Array("0123456789ABCDEF".utf8)
        var output: [UInt8] = []
        for byte in text.utf8 {
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F, 0x7E: output.append(byte)
            default: output += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: output, as: UTF8.self)
    }

    /// Returns the pairs of `text`, or nil if an escape is invalid or the bytes are not UTF-8. A `+` is a space.
    package static func decode(_ text: some Collection<UInt8>) -> [(name: String, value: String)]? {
        var pairs: [(name: String, value: String)] = []
        for pair in decodeEach(text) {
            guard let name = pair.name, let value = pair.value else { return nil }
            pairs.append((name, value))
        }
        return pairs
    }

    /// Returns the pairs of `text`, with nil for a name or value that cannot be decoded.
    package static func decodeEach(_ text: some Collection<UInt8>) -> [(name: String?, value: String?)] {
        text.split(separator: UInt8(ascii: "&")).map { part in
            let sides = part.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            return (unescape(sides[0]), sides.count == 2 ? unescape(sides[1]) : "")
        }
    }

    private static func unescape(_ text: some Collection<UInt8>) -> String? {
        var bytes: [UInt8] = []
        var iterator = text.makeIterator()
        while let byte = iterator.next() {
            switch byte {
            case UInt8(ascii: "+"): bytes.append(0x20)
            case UInt8(ascii: "%"):
                guard let high = iterator.next()?.hexadecimalDigit, let low = iterator.next()?.hexadecimalDigit
                else { return nil }
                bytes.append(high << 4 | low)
            default: bytes.append(byte)
            }
        }
        return String(validating: bytes, as: UTF8.self)
    }
}
