import COpenSSL

/// A password as it is kept: its scrypt hash (RFC 7914) with the salt and the cost it was made with.
public struct PasswordHash: Sendable, Equatable {
    /// How much a hash costs: about 128 × N × r bytes of memory, p times.
    public struct Cost: Sendable, Equatable {
        /// N, a power of two.
        public let iterations: UInt64
        /// r.
        public let blockSize: UInt64
        /// p.
        public let parallelization: UInt64

        /// 64 MiB, twice: one of the choices of OWASP's Password Storage Cheat Sheet.
        public static let current = Cost(iterations: 1 << 16, blockSize: 8, parallelization: 2)

        public init(iterations: UInt64, blockSize: UInt64, parallelization: UInt64) {
            self.iterations = iterations
            self.blockSize = blockSize
            self.parallelization = parallelization
        }

        /// What a damaged or hostile file may ask for: 256 MiB at most, and four times the work of `current`.
        var isSensible: Bool {
            (2...(1 << 20)).contains(iterations) && iterations & (iterations - 1) == 0 && (1...32).contains(blockSize)
                && (1...16).contains(parallelization) && iterations * blockSize <= 1 << 21
                && iterations * blockSize * parallelization <= 1 << 22
        }
    }

    public let cost: Cost
    public let salt: [UInt8]
    public let hash: [UInt8]

    static let hashLength = 32

    /// Hashes a password with a new salt.
    /// - Throws: `OpenSSLError`.
    public init(_ password: Password, cost: Cost = .current, random: RandomSource = .openSSL) throws {
        let salt = try random.bytes(16)
        self.cost = cost
        self.salt = salt
        hash = try PasswordHash.scrypt(password, salt, cost)
    }

    /// Reads the text that `text` is.
    public init?(text: String) {
        let parts = text.split(separator: "$", omittingEmptySubsequences: false)
        guard parts.count == 6, parts[0] == "scrypt", let iterations = UInt64(parts[1]), let size = UInt64(parts[2]),
            let parallelization = UInt64(parts[3]), let salt = Hexadecimal.decode(parts[4]),
            let hash = Hexadecimal.decode(parts[5]), hash.count == PasswordHash.hashLength,
            (8...64).contains(salt.count)
        else { return nil }
        cost = Cost(iterations: iterations, blockSize: size, parallelization: parallelization)
        guard cost.isSensible else { return nil }
        self.salt = salt
        self.hash = hash
    }

    /// `scrypt$N$r$p$SALT$HASH`, salt and hash in lower-case hexadecimal.
    public var text: String {
        "scrypt$\(cost.iterations)$\(cost.blockSize)$\(cost.parallelization)$\(salt.hexadecimal)$\(hash.hexadecimal)"
    }

    /// Compares in constant time.
    /// - Throws: `OpenSSLError`.
    public func matches(_ password: Password) throws -> Bool {
        let other = try PasswordHash.scrypt(password, salt, cost)
        return CRYPTO_memcmp(hash, other, hash.count) == 0
    }

    private static func scrypt(_ password: Password, _ salt: [UInt8], _ cost: Cost) throws(OpenSSLError) -> [UInt8] {
        // However the cost came here: nothing is spent before it is known to be bearable.
        guard cost.isSensible else { throw OpenSSLError(operation: "scrypt", reasons: ["its cost is out of bounds"]) }
        var bytes = Array(password.revealed().utf8)
        defer { bytes.wipe() }
        var output = [UInt8](repeating: 0, count: hashLength)
        let memory = 128 * cost.blockSize * (cost.iterations + cost.parallelization + 2) + (1 << 20)
        let made = bytes.withUnsafeBytes { raw in
            EVP_PBE_scrypt(
                raw.baseAddress?.assumingMemoryBound(to: CChar.self), bytes.count, salt, salt.count, cost.iterations,
                cost.blockSize, cost.parallelization, memory, &output, output.count)
        }
        try check(made, "scrypt")
        return output
    }
}

/// Hexadecimal as bytes.
private enum Hexadecimal {
    static func decode(_ text: Substring) -> [UInt8]? {
        let digits = text.utf8.map { byte -> UInt8? in
            switch byte {
            case 0x30...0x39: byte - 0x30
            case 0x61...0x66: byte - 0x61 + 10
            default: nil
            }
        }
        guard digits.count.isMultiple(of: 2), !digits.contains(nil) else { return nil }
        let values = digits.compactMap { $0 }
        return stride(from: 0, to: values.count, by: 2).map { values[$0] << 4 | values[$0 + 1] }
    }
}
