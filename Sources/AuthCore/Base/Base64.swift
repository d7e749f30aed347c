/// Base64 with padding (RFC 4648 section 4), for example for HTTP Basic.
package enum Base64 {
    package static func encode(_ bytes: [UInt8]) -> String {
        let text = Base64URL.encode(bytes).map { $0 == "-" ? "+" : $0 == "_" ? "/" : $0 }
        return String(text) + String(repeating: "=", count: (4 - text.count % 4) % 4)
    }

    /// The bytes of `text`, whose padding is optional; nil if it is not Base64.
    static func decode(_ text: String) -> [UInt8]? { decode(Array(text.utf8)) }

    static func decode(_ text: [UInt8]) -> [UInt8]? {
        Base64URL.decode(text.dropLast(text.reversed().prefix { $0 == UInt8(ascii: "=") }.count), by: values)
    }

    private static let values = Base64URL.values(of: Base64URL.alphabet.dropLast(2) + "+/".utf8)
}
