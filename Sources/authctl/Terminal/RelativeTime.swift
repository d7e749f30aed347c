import AuthCore
import Glibc

enum RelativeTime {
    static func validity(until end: Int64, now: Int64) -> String {
        end - now < 86400 ? "valid for \(span(end - now))" : "valid until \(date(end, now: now))"
    }

    /// A day in the user's time zone, for example `12 Jan`, with the year if it is not this one or the next few months.
    static func date(_ seconds: Int64, now: Int64? = nil) -> String {
        local(seconds, now.map { seconds - $0 < 300 * 86400 } == true ? "%-d %b" : "%-d %b %Y")
    }

    /// The time of day if it is within 24 hours, otherwise the day.
    static func deadline(_ end: Int64, now: Int64) -> String {
        end - now < 86400 ? timeOfDay(end) : date(end, now: now)
    }

    static func timeOfDay(_ seconds: Int64) -> String { local(seconds, "%H:%M") }

    private static func local(_ seconds: Int64, _ format: String) -> String {
        var (time, parts) = (time_t(Seconds.time(seconds)), tm())
        localtime_r(&time, &parts)
        return withUnsafeTemporaryAllocation(of: CChar.self, capacity: 32) { text in
            let count = strftime(text.baseAddress, 32, format, &parts)
            return String(decoding: text.prefix(count).map(UInt8.init(bitPattern:)), as: UTF8.self)
        }
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
