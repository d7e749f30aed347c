import TestSupport
import Testing

@testable import AuthCore

@Suite struct `Base64url encoding` {
    @Test(arguments: [("", ""), ("f", "Zg"), ("fo", "Zm8"), ("foo", "Zm9v"), ("foob", "Zm9vYg"), ("\u{3FF}?", "z78_")])
    func `The RFC 4648 section 10 vectors are encoded and decoded without padding`(text: String, encoded: String) {
        #expect(Base64URL.encode(Array(text.utf8)) == encoded)
        #expect(Base64URL.decode(encoded) == Array(text.utf8))
    }

    @Test(arguments: ["A", "AAAAA", "Zg==", "Zg=", "Z+8", "Z/8", "Zm 9v", "Zm9v\n", "Zh", "Zm9", "AB", "é"])
    func `Padding, whitespace, other alphabets, bad lengths and nonzero trailing bits are rejected`(text: String) {
        #expect(Base64URL.decode(text) == nil)
    }

    @Test func `Random bytes round-trip, and each byte sequence has only one valid encoding`() {
        var random = SeededGenerator(seed: 1)
        let alphabet = Array("ABab01-_+/= ".utf8)
        var decodedCount = 0
        for _ in 0..<Fuzz.iterations(5_000) {
            let bytes = (0..<Int.random(in: 0..<70, using: &random)).map { _ in
                UInt8.random(in: 0...255, using: &random)
            }
            #expect(Base64URL.decode(Base64URL.encode(bytes)) == bytes)
            let text = (0..<Int.random(in: 0..<9, using: &random)).map { _ in alphabet.randomElement(using: &random)! }
            guard !text.isEmpty, let decoded = Base64URL.decode(text) else { continue }
            #expect(Array(Base64URL.encode(decoded).utf8) == text)
            decodedCount += 1
        }
        #expect(decodedCount > 100, "\(decodedCount)")
    }

    @Test func `Base64 with padding uses the alphabet of RFC 4648 section 4`() {
        #expect(Base64.encode([0xFB, 0xFF]) == "+/8=" && Base64.encode([0xFF, 0xFF, 0xFF]) == "////")
        #expect(Base64.decode("+/8=") == [0xFB, 0xFF])
    }
}
