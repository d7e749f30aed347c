/// Base64url without padding (RFC 4648 section 5, RFC 7515 section 2), in its one canonical spelling.
public enum Base64URL {
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

    /// 255 marks a byte outside the alphabet.
    private static let values: [UInt8] = {
        var table = [UInt8](repeating: 255, count: 256)
        for (value, character) in alphabet.enumerated() { table[Int(character)] = UInt8(value) }
        return table
    }()

    /// Returns the text of `bytes`, without padding.
    public static func encode(_ bytes: some Collection<UInt8>) -> String {
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

    /// Returns the bytes of `text`, or nil for any spelling that `encode` would not have made: padding, another
    /// alphabet, white space, an impossible length, or unused bits that are set.
    public static func decode(_ text: some Collection<UInt8>) -> [UInt8]? {
        let decoded = text.withContiguousStorageIfAvailable { decode(buffer: $0) }
        if let decoded { return decoded }
        return Array(text).withUnsafeBufferPointer { decode(buffer: $0) }
    }

    /// Returns the bytes of `text`, or nil; see `decode(_:)`.
    public static func decode(_ text: String) -> [UInt8]? { decode(text.utf8) }

    private static func decode(buffer text: UnsafeBufferPointer<UInt8>) -> [UInt8]? {
        let rest = text.count & 3
        guard rest != 1 else { return nil }
        let length = text.count / 4 * 3 + (rest == 0 ? 0 : rest - 1)
        var isCanonical = true
        let bytes = [UInt8](unsafeUninitializedCapacity: length) { output, count in
            values.withUnsafeBufferPointer { table in
                var written = 0
                var seen: UInt8 = 0
                var index = 0
                while index + 4 <= text.count {
                    let (a, b) = (table[Int(text[index])], table[Int(text[index + 1])])
                    let (c, d) = (table[Int(text[index + 2])], table[Int(text[index + 3])])
                    seen |= a | b | c | d
                    output[written] = a << 2 | b >> 4
                    output[written + 1] = b << 4 | c >> 2
                    output[written + 2] = c << 6 | d
                    index += 4
                    written += 3
                }
                if rest >= 2 {
                    let (a, b) = (table[Int(text[index])], table[Int(text[index + 1])])
                    seen |= a | b
                    output[written] = a << 2 | b >> 4
                    written += 1
                    if rest == 3 {
                        let c = table[Int(text[index + 2])]
                        seen |= c
                        output[written] = b << 4 | c >> 2
                        written += 1
                        isCanonical = c & 3 == 0
                    } else {
                        isCanonical = b & 15 == 0
                    }
                }
                isCanonical = isCanonical && seen & 0xC0 == 0
                count = written
            }
        }
        return isCanonical ? bytes : nil
    }
}

extension RandomSource {
    /// Returns `count` random bytes as base64url text: 32 bytes make 43 characters.
    /// - Throws: `OpenSSLError` when the generator cannot be seeded.
    public func token(bytes count: Int = 32) throws -> String { Base64URL.encode(try bytes(count)) }
}
