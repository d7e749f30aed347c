enum RelativeTime {
    static func expiry(_ seconds: Int64?, now: Int64) -> String {
        guard let seconds else { return "no expiry known" }
        let left = seconds - now
        return left > 0 ? "expires in \(span(left))" : "expired \(span(-left)) ago"
    }

    static func clock(_ seconds: Int64) -> String {
        func two(_ number: Int64) -> String { number < 10 ? "0\(number)" : String(number) }
        let (hours, minutes) = (seconds / 3600, seconds / 60 % 60)
        return hours > 0 ? "\(hours):\(two(minutes)):\(two(seconds % 60))" : "\(minutes):\(two(seconds % 60))"
    }

    /// How far this clock is ahead of another one, before the name of the other one.
    static func ahead(_ seconds: Int64) -> String { "\(span(abs(seconds))) \(seconds > 0 ? "ahead of" : "behind")" }

    static func span(_ seconds: Int64) -> String {
        func rounded(_ unit: Int64) -> Int64 { (seconds + unit / 2) / unit }
        return switch seconds {
        case ..<120: "\(seconds) s"
        case ..<7170: "\(rounded(60)) min"
        case ..<171_000: "\(rounded(3600)) h"
        default: "\(rounded(86400)) days"
        }
    }
}
