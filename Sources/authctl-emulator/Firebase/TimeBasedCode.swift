import COpenSSL

/// The code of an authenticator app: six digits of HMAC-SHA-1 over periods of 30 seconds (RFC 6238, RFC 4226 section
/// 5.3).
enum TimeBasedCode {
    /// The time step in seconds.
    static let period: Int64 = 30

    /// - Parameter time: seconds since 1970.
    static func code(of key: [UInt8], at time: Int64) -> String {
        let counter = UInt64(max(0, time / period))
        let bytes = (0..<8).map { UInt8(truncatingIfNeeded: counter >> (56 - 8 * $0)) }
        var hash = [UInt8](repeating: 0, count: 20)
        var length: UInt32 = 0
        HMAC(EVP_sha1(), key, Int32(key.count), bytes, bytes.count, &hash, &length)
        let start = Int(hash[19] & 15)
        let number = hash[start..<start + 4].reduce(UInt32(0)) { $0 << 8 | UInt32($1) } & 0x7FFF_FFFF
        let digits = String(number % 1_000_000)
        return String(repeating: "0", count: 6 - digits.count) + digits
    }
}
