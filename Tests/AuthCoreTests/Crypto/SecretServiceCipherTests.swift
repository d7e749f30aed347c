import TestSupport
import Testing

@testable import AuthCore

/// The vectors were made with python3-cryptography (DH numbers, HKDF, AES-CBC, PKCS7) from the exponents below: the Secret
/// Storage API does not publish any.
@Suite struct `Encryption of secrets on the session bus` {
    struct Agreement: Sendable {
        let exponent: [UInt8]
        let publicKey: [UInt8]
    }

    /// The private exponents are the bytes 01 to 20, and 40 to 5f.
    static let ours = Agreement(
        exponent: Array(1...32),
        publicKey: bytes(
            "457120764f3a1e6fd58103e41a4093a6c8bc1d97cb8759de41c21afdd2d3048a5ef3d88ce24aa6ba4fe30bcfb0b0f75abf1a8aeaff37"
                + "23f1bf53740c902005e1199fabad7c538e94a7034fd585339a02f3634893f748929d2a7257643e398130541ae64124c17d4507"
                + "a97f1cbebeb7b933642b8df479eb59e36cfeffbf1671dd"))
    static let theirs = Agreement(
        exponent: Array(0x40...0x5F),
        publicKey: bytes(
            "a5a28c20c27ed26c4b0244f4f8fcd2a1ce89bfec768fcdb4e404cc7040f1d86644af268e691ad7d583cecddf2f860e190ef201f96053"
                + "2e0b50607e8bb98499af0077d7232178519aba72053921c51b7f69e25f81231c1e73e9622343d3c7b67baeeb7365c26bc24bf3a2"
                + "7532420280549774581cace753d89c4ad597fa8445ed"))
    /// With this key the shared secret starts with a zero byte.
    static let shorter = Agreement(
        exponent: Array(0x40...0x5D) + [0x60, 0x8A],
        publicKey: bytes(
            "502d6656f35ca10abc95496068703c2a827624ea182a30589024ba9a5e09e057526015270888b5f2a0ce8df7d03753032a76ad1544a5"
                + "595af26085b09210d48acb5a94ff2bf6539ce9592bc1a3cd523e327e1f0349b88b2413166c40325763b9ef6e8f8004c99784aa14"
                + "22de46b6367bb86985c71dca110a7bac05aae4d3cffb"))

    static func bytes(_ hexadecimal: String) -> [UInt8] {
        let digits = Array(hexadecimal)
        return stride(from: 0, to: digits.count, by: 2).compactMap { UInt8(String(digits[$0...($0 + 1)]), radix: 16) }
    }

    static func pair(_ agreement: Agreement) throws -> SecretServiceKeyPair {
        try SecretServiceKeyPair(random: RandomSource { _ in agreement.exponent })
    }

    static func sealed(with cipher: SecretServiceCipher) throws -> String {
        var secret = Array(UInt8(0xA0)...0xBF)
        let sealed = try SecretBytes(moving: &secret).withUnsafeBytes {
            try cipher.seal($0, random: RandomSource { _ in Array(0x80...0x8F) })
        }
        #expect(sealed.parameters == Array(0x80...0x8F))
        return sealed.value.hexadecimal
    }

    @Test func `The Diffie-Hellman public key is 2 to the exponent, padded to 128 bytes`() throws {
        let pair = try Self.pair(Self.ours)
        #expect(pair.publicKey == Self.ours.publicKey)
    }

    @Test(
        arguments: [
            (
                Self.theirs,
                "f3d8b728a8a4fee7e439cf0b95444d1e7145a893bffd15a92f2bf8ac4e56ebf94ca8cb7043e2ff9c7058f45ff8b532f0"
            ),
            (
                Self.shorter,
                "60d43a3aa9c164b07f0045f707c9371800daaeb9d4e8178112bf63dae594a3aa0fdd8d491332b9a7d5251274affc8486"
            ),
        ])
    func `Both sides derive the expected key, even if the shared secret starts with a zero byte`(
        other: Agreement, ciphertext: String
    ) throws {
        for cipher in [
            try Self.pair(Self.ours).cipher(with: other.publicKey),
            try Self.pair(other).cipher(with: Self.ours.publicKey),
        ] {
            #expect(try Self.sealed(with: cipher) == ciphertext)
            let opened = try cipher.open(parameters: Array(0x80...0x8F), value: Self.bytes(ciphertext))
            #expect(opened == Array(0xA0...0xBF))
        }
    }

    @Test func `A public key that makes the shared secret predictable is rejected`() throws {
        let pair = try Self.pair(Self.ours)
        let prime = Self.bytes(
            "ffffffffffffffffc90fdaa22168c234c4c6628b80dc1cd129024e088a67cc74020bbea63b139b22514a08798e3404ddef9519b3cd3a"
                + "431b302b0a6df25f14374fe1356d6d51c245e485b576625e7ec6f44c42e9a637ed6b0bff5cb6f406b7edee386bfb5a899fa5ae9f"
                + "24117c4b1fe649286651ece65381ffffffffffffffff")
        let last = prime.dropLast() + [0xFE]
        for key in [[], [0], [1], [UInt8](repeating: 0, count: 128), Array(last), prime, [1] + prime] {
            let error = #expect(throws: OpenSSLError.self) { _ = try pair.cipher(with: key) }
            #expect(error?.description == "OpenSSL: Diffie-Hellman: no key of the group")
        }
        // A key without leading zeros is valid, and so is a small key.
        #expect(throws: Never.self) { _ = try pair.cipher(with: [2]) }
    }

    @Test func `A truncated ciphertext, a partial block or missing padding does not decrypt`() throws {
        let cipher = try Self.pair(Self.ours).cipher(with: Self.theirs.publicKey)
        let value = Self.bytes(
            "f3d8b728a8a4fee7e439cf0b95444d1e7145a893bffd15a92f2bf8ac4e56ebf94ca8cb7043e2ff9c7058f45ff8b532f0")
        let vector = Array<UInt8>(0x80...0x8F)
        let (noVector, partial) = ("no initialization vector", "wrong final block length")
        for (vector, value, reason) in [
            (Array(vector.dropLast()), value, noVector), ([], value, noVector), (vector, [], partial),
            (vector, Array(value.dropLast()), partial), (vector, Array(value.dropLast(16)), "bad decrypt"),
            (vector, value + [0], partial),
        ] {
            let error = #expect(throws: OpenSSLError.self) { _ = try cipher.open(parameters: vector, value: value) }
            #expect(error?.operation == "open" && error?.reasons.first?.contains(reason) == true)
        }
    }

    @Test func `Each session has a new key pair, and each secret a new initialization vector`() throws {
        let pair = try SecretServiceKeyPair(random: .openSSL)
        let other = try SecretServiceKeyPair(random: .openSSL)
        #expect(pair.publicKey != other.publicKey)
        let cipher = try pair.cipher(with: other.publicKey)
        var secret = Array<UInt8>(0...31)
        let stored = SecretBytes(moving: &secret)
        let first = try stored.withUnsafeBytes { try cipher.seal($0, random: .openSSL) }
        let second = try stored.withUnsafeBytes { try cipher.seal($0, random: .openSSL) }
        #expect(first.parameters != second.parameters && first.value != second.value)
        let opened = try other.cipher(with: pair.publicKey).open(parameters: first.parameters, value: first.value)
        #expect(opened == Array(0...31))
    }
}
