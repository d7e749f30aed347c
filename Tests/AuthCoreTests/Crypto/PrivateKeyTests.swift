import TestSupport
import Testing

@testable import AuthCore

@Suite struct `Private keys` {
    static let families: [SignatureAlgorithm.Family] = [
        .rsa, .ellipticCurve(.p256), .ellipticCurve(.p384), .ellipticCurve(.p521), .ed25519,
    ]

    /// Only for this test: PKCS#8 with PBES2, and OpenSSL's traditional format.
    static let encrypted = [
        """
        -----BEGIN ENCRYPTED PRIVATE KEY-----
        MIGaMFYGCSqGSIb3DQEFDTBJMCgGCSqGSIb3DQEFDDAbBAgQmX1CmKdA6wIBZDAM
        BggqhkiG9w0CCQUAMB0GCWCGSAFlAwQBAgQQJ6qbmYsh1wJaJQ5NgBBAIARAc858
        Dy86f7mBszUC9vx+OTBMmkEFgoNCa6RJWZS35KNrCHr1wdoY7tIF8HZrLWsuseWf
        pPPRUXqv8UQbf8DIlg==
        -----END ENCRYPTED PRIVATE KEY-----

        """,
        """
        -----BEGIN EC PRIVATE KEY-----
        Proc-Type: 4,ENCRYPTED
        DEK-Info: AES-128-CBC,BF5895695B4DC7B973EF8A373E34DA3C

        D/jfZCw5zPE985mRjGm03JTiRfkFrZM3iAoyVP4aMIEu1moZp24dm4ur8ZcAxfxy
        ivfJkXg6QgpMNheqr5+5YzjN3XbpCNdiW0+CVFPmRbP2va8tBt4LcoBKH8wVY+nS
        FleKmFNyT5MtmIj1jPK0G5luiChCHzrEfOgwyoWeEDY=
        -----END EC PRIVATE KEY-----

        """,
    ]
    static let passphrase = KeyPassphrase("open-sesame")

    private func signs(_ key: PrivateKey, _ message: [UInt8] = Array("a message".utf8)) throws -> Bool {
        return try key.publicKey.family.algorithms.allSatisfy { algorithm in
            let signature = try key.signature(over: message, algorithm: algorithm)
            return try SignatureVerifier(key: key.publicKey, algorithm: algorithm).isValid(signature, for: message[...])
        }
    }

    @Test(arguments: families)
    func `A key is read after other text in its file, and signs with each of its algorithms`(
        family: SignatureAlgorithm.Family
    ) throws {
        let generated = try PrivateKey.generate(family)
        // Large enough that its memory is unmapped when it is freed, so that a dangling pointer crashes.
        let comment = Array(String(repeating: "# a comment\n", count: 100_000).utf8)
        for prefix in [[], Array("Bag Attributes\n    friendlyName: x\n".utf8), comment] {
            let read = try PrivateKey(pem: prefix + generated.pem())
            #expect(read.publicKey.material == generated.publicKey.material)
            #expect(try signs(read))
        }
    }

    @Test(arguments: families)
    func `A key signs messages of any length with each of its algorithms`(family: SignatureAlgorithm.Family) throws {
        let key = try PrivateKey.generate(family)
        // Around the block lengths of SHA-256 and SHA-512, which are 64 and 128 bytes.
        for length in [0, 1, 55, 56, 63, 64, 65, 111, 112, 127, 128, 129, 100_000] {
            let message = (0..<length).map { UInt8(truncatingIfNeeded: $0) }
            #expect(try signs(key, message), "\(length) bytes")
        }
    }

    @Test func `A key is read correctly from buffers of different lengths`() throws {
        let generated = try PrivateKey.generate(.rsa)
        let pem = try generated.pem()
        for round in 0..<50 {
            let read = try PrivateKey(pem: Array(repeating: UInt8(ascii: "\n"), count: round * 97) + pem)
            #expect(read.publicKey.material == generated.publicKey.material)
        }
    }

    @Test(arguments: encrypted)
    func `An encrypted key requires its passphrase`(pem: String) throws {
        let bytes = Array(pem.utf8)
        #expect(try signs(PrivateKey(pem: bytes, passphrase: Self.passphrase)))
        #expect(throws: KeyError.passphraseNeeded) { try PrivateKey(pem: bytes) }
        for wrong in ["", "open-sesam", "open-sesame ", String(repeating: "x", count: 5000)] {
            #expect(throws: KeyError.wrongPassphrase) {
                try PrivateKey(pem: bytes, passphrase: KeyPassphrase(wrong))
            }
        }
    }

    @Test func `Text without a private key is rejected`() throws {
        for text in ["", "hello", "-----BEGIN PRIVATE KEY-----\n-----END PRIVATE KEY-----\n"] {
            #expect(throws: KeyError.malformed) { try PrivateKey(pem: Array(text.utf8)) }
        }
        #expect(throws: KeyError.malformed) { try PrivateKey(pem: [0, 1, 2, 255]) }
    }

    @Test func `A modified PEM file does not crash the reader or the use of an accepted key`() throws {
        var random = SeededGenerator(seed: 77)
        let texts = try Self.families.map { try PrivateKey.generate($0).pem() } + Self.encrypted.map { Array($0.utf8) }
        var acceptedCount = 0
        for _ in 0..<Fuzz.iterations(2000) {
            var text = texts[Int.random(in: 0..<texts.count, using: &random)]
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                let place = Int.random(in: 0..<text.count, using: &random)
                switch Int.random(in: 0..<5, using: &random) {
                case 0: text[place] = UInt8.random(in: 0...255, using: &random)
                // Another Base64 letter: the text is still Base64, but its DER is different.
                case 1: text[place] = UInt8.random(in: 0x41...0x5A, using: &random)
                case 2: text.remove(at: place)
                case 3: text.removeSubrange(place..<min(text.count, place + 64))
                default: text.insert(contentsOf: text[place..<min(text.count, place + 64)], at: place)
                }
                if text.isEmpty { text = [0x2D] }
            }
            do {
                let key = try PrivateKey(pem: text, passphrase: Self.passphrase)
                // Its public and private parts may no longer match. Signing must still return.
                _ = try? signs(key)
                acceptedCount += 1
            } catch {
                // The initializer throws only `KeyError`.
            }
        }
        #expect(acceptedCount > 40, "\(acceptedCount)")
    }

    @Test func `A password hash with an excessive scrypt cost is rejected`() throws {
        let rest = "$" + String(repeating: "00", count: 16) + "$" + String(repeating: "00", count: 32)
        for cost in ["1048576$8$16", "1048576$8$1", "524288$8$1", "65536$32$16", "131072$32$1", "262144$8$16"] {
            #expect(PasswordHash(text: "scrypt$" + cost + rest) == nil, "\(cost)")
        }
        for cost in ["65536$8$2", "131072$8$1", "262144$8$2", "16384$8$5"] {
            #expect(PasswordHash(text: "scrypt$" + cost + rest) != nil, "\(cost)")
        }
        // The limit also applies to costs that were not parsed.
        let giant = PasswordHash.Cost(iterations: 1 << 20, blockSize: 8, parallelization: 16)
        let endless = PasswordHash.Cost(iterations: 1 << 63, blockSize: .max, parallelization: .max)
        for cost in [giant, endless] {
            let error = #expect(throws: OpenSSLError.self) { try PasswordHash(Password("a long password"), cost: cost) }
            #expect(error?.description == "OpenSSL: scrypt: its cost is out of bounds")
        }
    }

    @Test func `Printing or dumping a key does not reveal it`() throws {
        var bytes = Array(UInt8(100)..<132)
        let key = try #require(DataKey(moving: &bytes))
        for value in [try PrivateKey.generate(.ed25519), key, key.bytes] as [any CustomReflectable] {
            var text = "\(value)"
            dump(value, to: &text)
            #expect(text.hasPrefix("<redacted>") && !text.contains("101") && !text.contains("pkey"))
        }
        #expect(bytes.isEmpty)
    }

    @Test func `A key signs and verifies only with the algorithms of its family`() throws {
        let key = try PrivateKey.generate(.ed25519)
        #expect(throws: KeyError.malformed) { try key.signature(over: [1], algorithm: .es256) }
        #expect(throws: KeyError.malformed) { try SignatureVerifier(key: key.publicKey, algorithm: .rs256) }
    }

    @Test func `A public key is not a private key`() {
        let text = """
            -----BEGIN PUBLIC KEY-----
            MCowBQYDK2VwAyEA11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwaaPJHURoU=
            -----END PUBLIC KEY-----

            """
        #expect(throws: KeyError.malformed) { try PrivateKey(pem: Array(text.utf8)) }
        #expect(throws: KeyError.malformed) { try PrivateKey(pem: []) }
    }

    @Test func `A random source that returns a wrong number of bytes is an error`() {
        let short = #expect(throws: OpenSSLError.self) { try DataKey.new(random: RandomSource { _ in [1] }) }
        #expect(short?.operation == "make a key")
        let failed = #expect(throws: OpenSSLError.self) { try RandomSource.kernel.bytes(257) }
        #expect(failed?.operation == "random bytes")
    }
}
