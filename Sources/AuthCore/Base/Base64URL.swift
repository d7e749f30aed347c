/// Base64url without padding (RFC 4648 section 5, RFC 7515 section 2). Only the canonical encoding is accepted.
package enum Base64URL {
    static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

    /// Four tables in a row: the value of a byte as first, second, third or last of the 24 bits that four characters
    /// encode. Bits above those mark an invalid byte.
    static func values(of alphabet: [UInt8]) -> [UInt32] {
        (0..<4).flatMap { place in
            var table = [UInt32](repeating: .max, count: 256)
            for (value, character) in alphabet.enumerated() {
                table[Int(character)] = UInt32(value) << (18 - 6 * place)
            }
            return table
        }
    }

    private static let values = values(of: alphabet)

    /// Returns the text of `bytes`, without padding.
    package static func encode(_ bytes: some Collection<UInt8>) -> String {
        var output: [UInt8] = []
        output.reserveCapacity((bytes.count * 4 + 2) / 3)
        var buffer: UInt32 = 0
        var bits = 0
        for byte in bytes {
            buffer = buffer << 8 | UInt32(byte)
            bits += 8
            while bits >= 6 {
                bits -= 6
                output.append(alphabet[Int(buffer >> UInt32(bits) & 63)])
            }
        }
        if bits > 0 { output.append(alphabet[Int(buffer << UInt32(6 - bits) & 63)]) }
        return String(decoding: output, as: UTF8.self)
    }

    /// Returns the bytes of `text`, or nil if `encode` cannot have produced it: it has padding, characters of another
    /// alphabet, white space, an impossible length, or unused bits that are set.
    package static func decode(_ text: some Collection<UInt8>) -> [UInt8]? { decode(text, by: values) }

    static func decode(_ text: some Collection<UInt8>, by values: [UInt32]) -> [UInt8]? {
        // In place: the four characters of a group are read before its three bytes are written.
        var bytes = Array(text)
        guard let length = bytes.withUnsafeMutableBufferPointer({ decode(inPlace: &$0, by: values) }) else {
            return nil
        }
        bytes.removeLast(bytes.count - length)
        return bytes
    }

    /// Returns the bytes of `text`, or nil; see `decode(_:)`.
    package static func decode(_ text: String) -> [UInt8]? { decode(text.utf8) }

    /// Replaces the beginning of `text` by the decoded bytes, and returns their number.
    private static func decode(inPlace text: inout UnsafeMutableBufferPointer<UInt8>, by values: [UInt32]) -> Int? {
        let rest = text.count & 3
        guard rest != 1 else { return nil }
        return values.withUnsafeBufferPointer { table in
            var written = 0
            var seen: UInt32 = 0
            var index = 0
            func bits(_ place: Int) -> UInt32 { table[place &<< 8 &+ Int(text[index &+ place])] }
            func group() -> UInt32 {
                let group = bits(0) | bits(1) | bits(2) | bits(3)
                seen |= group
                index &+= 4
                return group
            }
            // Stores two groups in one write. The two extra bytes are overwritten or cut later.
            while index &+ 8 <= text.count {
                let bytes = UInt64(group()) << 40 | UInt64(group()) << 16
                UnsafeMutableRawBufferPointer(text).storeBytes(
                    of: bytes.bigEndian, toByteOffset: written, as: UInt64.self)
                written &+= 6
            }
            if index &+ 4 <= text.count {
                let group = group()
                text[written] = UInt8(truncatingIfNeeded: group >> 16)
                text[written &+ 1] = UInt8(truncatingIfNeeded: group >> 8)
                text[written &+ 2] = UInt8(truncatingIfNeeded: group)
                written &+= 3
            }
            if rest >= 2 {
                let group = bits(0) | bits(1) | (rest == 3 ? bits(2) : 0)
                seen |= group
                // The unused bits of the last character must be zero.
                guard group & (rest == 3 ? 0xFF : 0xFFFF) == 0 else { return nil }
                text[written] = UInt8(truncatingIfNeeded: group >> 16)
                if rest == 3 { text[written &+ 1] = UInt8(truncatingIfNeeded: group >> 8) }
                written &+= rest &- 1
            }
            return seen >> 24 == 0 ? written : nil
        }
    }
}
