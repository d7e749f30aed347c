import COpenSSL
import Glibc

/// A source of random bytes, for every state, nonce, verifier and key of this library.
package struct RandomSource: Sendable {
    private let fill: @Sendable (Int) throws -> [UInt8]

    package init(_ fill: @escaping @Sendable (Int) throws -> [UInt8]) { self.fill = fill }

    /// OpenSSL's generator (`RAND_bytes`).
    package static let openSSL = RandomSource { count in
        var bytes = [UInt8](repeating: 0, count: count)
        try check(RAND_bytes(&bytes, Int32(count)), "random bytes")
        return bytes
    }

    /// The kernel's generator (`getentropy(3)`, at most 256 bytes). OpenSSL's generator takes 0.2 milliseconds to
    /// start.
    static let kernel = RandomSource { count in
        var bytes = [UInt8](repeating: 0, count: count)
        guard getentropy(&bytes, count) == 0 else { throw OpenSSLError(operation: "random bytes", reasons: []) }
        return bytes
    }

    /// Returns `count` random bytes.
    package func bytes(_ count: Int) throws -> [UInt8] { try fill(count) }

    /// Returns `count` random bytes as base64url text: 32 bytes are 43 characters.
    package func token(bytes count: Int = 32) throws -> String { Base64URL.encode(try bytes(count)) }
}
