/// Limits for times in claims, responses, headers and database rows. A time is clamped when it is read, so that sums
/// and differences cannot overflow.
package enum Seconds {
    static let latest: Int64 = 253_402_300_799
    static let longest: Int64 = 365 * 86400

    /// A point in time, in seconds since 1970.
    package static func time(_ seconds: Int64) -> Int64 { min(max(seconds, 0), latest) }
}
