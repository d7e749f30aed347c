/// Times as a person reads them.
enum Relative {
    /// `expires in 54 min`, `expired 3 h ago`.
    static func expiry(_ seconds: Int64?, now: Int64) -> String {
        guard let seconds else { return "no expiry known" }
        let left = seconds - now
        return left > 0 ? "expires in \(span(left))" : "expired \(span(-left)) ago"
    }

    static func span(_ seconds: Int64) -> String {
        switch seconds {
        case ..<120: "\(seconds) s"
        case ..<7200: "\(seconds / 60) min"
        case ..<172_800: "\(seconds / 3600) h"
        default: "\(seconds / 86400) days"
        }
    }
}
