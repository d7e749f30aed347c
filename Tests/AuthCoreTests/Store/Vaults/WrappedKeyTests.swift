import FoundationEssentials
import TestSupport
import Testing

@testable import AuthCore

extension ScryptCost {
    /// A low cost, for fast tests.
    static let cheap = ScryptCost(iterations: 16, blockSize: 8, parallelization: 1)
}

extension DataKey {
    /// 00 01 … 1f, each plus `first`.
    static func fixed(_ first: UInt8 = 0) throws -> DataKey {
        var bytes = (0..<32).map { first &+ $0 }
        return try #require(DataKey(moving: &bytes))
    }
}

@Suite struct `A wrapped key` {
    private static let passphrase = VaultPassphrase("correct horse battery staple")

    private func wrapped(_ cost: ScryptCost = .cheap) throws -> WrappedKey {
        try WrappedKey.wrapping(.fixed(), with: Self.passphrase, cost: cost, random: .openSSL).wrapped
    }

    /// The line with `from` replaced by `to` and a correct checksum, as an attacker would write it.
    private func changed(_ key: WrappedKey, _ from: String, _ to: String) throws -> [UInt8] {
        let text = String(decoding: key.bytes.dropLast(), as: UTF8.self)
        let body = try #require(text.lastIndex(of: "$").map { String(text[..<$0]) })
        let other = body.replacing(from, with: to, maxReplacements: 1)
        try #require(other != body)
        return Array("\(other)$\(Base64URL.encode(try HashFunction.sha256.digest(other.utf8)))\n".utf8)
    }

    @Test func `A wrapped key is one short line, and only its passphrase decrypts it`() throws {
        let key = try wrapped()
        #expect(key.bytes.count < 256 && key.bytes.last == 10 && key.bytes.filter { $0 == 10 }.count == 1)
        let again = try WrappedKey(key.bytes)
        #expect(again == key && again.bytes == key.bytes)
        #expect(try again.opened(with: again.wrappingKey(Self.passphrase)) == .fixed())
        for other in ["correct horse battery stapl", "Correct horse battery staple", "", " "] {
            #expect(try again.opened(with: again.wrappingKey(VaultPassphrase(other))) == nil, "'\(other)'")
        }
    }

    @Test func `Each wrapped key has a new salt, and scrypt uses 64 MiB by default`() throws {
        let (first, second) = (try wrapped(), try wrapped())
        #expect(first.salt != second.salt && first.box != second.box)
        #expect(ScryptCost.wrapping == ScryptCost(iterations: 131_072, blockSize: 8, parallelization: 1))
        #expect(try WrappedKey(try changed(try wrapped(), "$16$8$1$", "$131072$8$1$")).cost == .wrapping)
    }

    @Test func `Each changed bit, truncation or suffix is reported as damage`() throws {
        let whole = try wrapped().bytes
        for index in whole.indices {
            for bit in 0..<8 {
                var changed = whole
                changed[index] ^= 1 << bit
                #expect(throws: WrappedKey.Fault.damaged, "byte \(index)") { try WrappedKey(changed) }
            }
            var cut = whole
            cut.remove(at: index)
            #expect(throws: WrappedKey.Fault.damaged, "without \(index)") { try WrappedKey(cut) }
            #expect(throws: WrappedKey.Fault.damaged, "up to \(index)") { try WrappedKey(Array(whole[..<index])) }
        }
        for more in ["\n", " ", "$", "x\n"] {
            #expect(throws: WrappedKey.Fault.damaged) { try WrappedKey(whole + Array(more.utf8)) }
        }
        #expect(throws: WrappedKey.Fault.damaged) { try WrappedKey([]) }
        #expect(throws: WrappedKey.Fault.damaged) { try WrappedKey([UInt8](repeating: 0x61, count: 5000)) }
    }

    @Test func `A wrapped key in another spelling is rejected even if its checksum is correct`() throws {
        let key = try wrapped()
        for spelling in ["$+16$8$1$", "$016$8$1$", "$16$ 8$1$", "$16$8$-1$", "$16$8$$", "$0x10$8$1$", "$16$8$1$$"] {
            let bytes = try changed(key, "$16$8$1$", spelling)
            #expect(throws: WrappedKey.Fault.damaged, "\(spelling)") { try WrappedKey(bytes) }
        }
        for (from, to) in [("authctl-key$", "Authctl-key$"), ("scrypt", "argon2"), ("$scrypt$", "$")] {
            let bytes = try changed(key, from, to)
            #expect(throws: WrappedKey.Fault.damaged, "\(to)") { try WrappedKey(bytes) }
        }
        // A salt or box of another length.
        let salt = Base64URL.encode(key.salt)
        for other in ["", "AAAA", salt + "AAAA", salt + "="] {
            let bytes = try changed(key, salt, other)
            #expect(throws: WrappedKey.Fault.damaged, "salt '\(other)'") { try WrappedKey(bytes) }
        }
        let box = Base64URL.encode(key.box)
        let short = try changed(key, box, Base64URL.encode(key.box.dropLast()))
        #expect(throws: WrappedKey.Fault.damaged) { try WrappedKey(short) }
    }

    @Test func `A wrapped key in a newer format is reported as newer, not as damaged`() throws {
        let bytes = try changed(try wrapped(), "authctl-key$1$scrypt", "authctl-key$2$argon2id")
        #expect(throws: WrappedKey.Fault.newer) { try WrappedKey(bytes) }
    }

    @Test func `A wrapped key with an excessive or invalid scrypt cost is rejected when it is read`() throws {
        let key = try wrapped()
        for cost in [
            "1048576$8$1", "1048576$8$16", "524288$8$1", "65536$32$16", "131072$32$1", "262144$8$16", "15$8$1", "1$8$1",
            "0$8$1", "16$0$1", "16$8$0", "65536$1$1", "18446744073709551615$8$1", "9223372036854775808$8$1",
            "16$18446744073709551615$18446744073709551615",
        ] {
            let bytes = try changed(key, "$16$8$1$", "$\(cost)$")
            #expect(throws: WrappedKey.Fault.tooExpensive, "\(cost)") { try WrappedKey(bytes) }
        }
        for cost in ["65536$8$1", "65536$8$2", "262144$8$1", "32768$1$1", "2$1$1"] {
            _ = try WrappedKey(try changed(key, "$16$8$1$", "$\(cost)$"))
        }
    }

    @Test func `A wrapped key with a changed cost or salt does not decrypt, because its header is authenticated`()
        throws
    {
        let key = try wrapped()
        let salt = (Base64URL.encode(key.salt), Base64URL.encode(key.salt.map { $0 ^ 1 }))
        for (from, to) in [("$16$8$1$", "$32$8$1$"), ("$16$8$1$", "$16$8$2$"), salt] {
            let other = try WrappedKey(try changed(key, from, to))
            #expect(try other.opened(with: other.wrappingKey(Self.passphrase)) == nil)
            // The correct wrapping key does not help, because the header is authenticated too.
            #expect(other.opened(with: try key.wrappingKey(Self.passphrase)) == nil)
        }
    }

    @Test func `Printing a wrapping key or a wrapped key does not reveal the key or the passphrase`() throws {
        let (key, wrappingKey) = try WrappedKey.wrapping(.fixed(), with: Self.passphrase, cost: .cheap, random: .openSSL)
        let raw = [UInt8](0..<32)
        for shown in ["\(wrappingKey)", String(reflecting: wrappingKey), String(decoding: key.bytes, as: UTF8.self)] {
            #expect(!shown.contains(Base64URL.encode(raw)) && !shown.contains(raw.hexadecimal))
            #expect(!shown.contains("horse"))
        }
    }

    @Test func `A wrapped key that a Python implementation wrote is decrypted`() throws {
        // Created with Python's hashlib.scrypt, and AES-GCM of the Python package cryptography.
        let line = """
            authctl-key$1$scrypt$1024$8$1$ZGVmZ2hpamtsbW5vcHFycw$yMnKy8zNzs_Q0dLTlET2lzltb8AIhLsVdNQ7YUe3CEseUW_YxVqo\
            AGaDrI0sey29Zai93Q-AVwXrZUgT$rwWJIENJQtbtCJj-I2zOWNyWU-4ZM_1U9VgOG-KNIqI

            """
        let key = try WrappedKey(Array(line.utf8))
        #expect(try key.opened(with: key.wrappingKey(Self.passphrase)) == .fixed())
        #expect(key.bytes == Array(line.utf8))
    }
}
