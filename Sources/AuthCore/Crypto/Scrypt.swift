import COpenSSL

/// How much scrypt (RFC 7914) costs: about 128 × N × r bytes of memory, p times.
package struct ScryptCost: Sendable, Equatable {
    package let iterations: UInt64
    package let blockSize: UInt64
    package let parallelization: UInt64

    package static let current = ScryptCost(iterations: 1 << 16, blockSize: 8, parallelization: 2)

    static let wrapping = ScryptCost(iterations: 1 << 17, blockSize: 8, parallelization: 1)

    var isSensible: Bool {
        (2...(1 << 20)).contains(iterations) && iterations & (iterations - 1) == 0 && (1...32).contains(blockSize)
            && (1...16).contains(parallelization) && iterations * blockSize <= 1 << 21
            && iterations * blockSize * parallelization <= 1 << 22
            // RFC 7914 section 2: N is less than 2^(128 × r / 8).
            && (blockSize > 1 || iterations < 1 << 16)
    }
}

/// scrypt (RFC 7914), within the bounds of `ScryptCost`.
enum Scrypt {
    /// Length of the derived key in bytes.
    static let length = 32

    static func key(of text: String, salt: [UInt8], cost: ScryptCost) throws(OpenSSLError) -> [UInt8] {
        guard cost.isSensible else { throw OpenSSLError(operation: "scrypt", reasons: ["its cost is out of bounds"]) }
        var bytes = Array(text.utf8)
        defer { bytes.wipe() }
        var output = [UInt8](repeating: 0, count: length)
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
