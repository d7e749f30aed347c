import COpenSSL

/// A password as it is stored: its scrypt hash (RFC 7914), with the salt and the cost.
package struct PasswordHash: Sendable, Equatable {
    package typealias Cost = ScryptCost

    package let cost: Cost
    package let salt: [UInt8]
    package let hash: [UInt8]

    package init(_ password: Password, cost: Cost = .current, random: RandomSource = .openSSL) throws {
        let salt = try random.bytes(16)
        self.cost = cost
        self.salt = salt
        hash = try Scrypt.key(of: password.revealed(), salt: salt, cost: cost)
    }

    package init?(text: String) {
        let parts = text.split(separator: "$", omittingEmptySubsequences: false)
        guard parts.count == 6, parts[0] == "scrypt", let iterations = UInt64(parts[1]), let size = UInt64(parts[2]),
            let parallelization = UInt64(parts[3]), let salt = [UInt8](hexadecimal: parts[4]),
            let hash = [UInt8](hexadecimal: parts[5]), hash.count == Scrypt.length, (8...64).contains(salt.count)
        else { return nil }
        cost = Cost(iterations: iterations, blockSize: size, parallelization: parallelization)
        guard cost.isSensible else { return nil }
        self.salt = salt
        self.hash = hash
    }

    package var text: String {
        "scrypt$\(cost.iterations)$\(cost.blockSize)$\(cost.parallelization)$\(salt.hexadecimal)$\(hash.hexadecimal)"
    }

    package func matches(_ password: Password) throws -> Bool {
        let other = try Scrypt.key(of: password.revealed(), salt: salt, cost: cost)
        return CRYPTO_memcmp(hash, other, hash.count) == 0
    }
}
