/// Times on the wire: HTTP dates and RFC 3339, both in seconds since 1970 (UTC).
public enum HTTPDate {
    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

    /// Reads `Sun, 06 Nov 1994 08:49:37 GMT`, the one form senders may make (RFC 9110 section 5.6.7).
    public static func parse(_ text: String) -> Int64? {
        let parts = text.split(separator: " ")
        guard parts.count == 6, parts[5] == "GMT", let day = Int(parts[1]), let year = Int(parts[3]),
            let month = months.firstIndex(of: String(parts[2]))
        else { return nil }
        let clock = parts[4].split(separator: ":").compactMap { Int($0) }
        guard clock.count == 3, (1...31).contains(day), (1970...9999).contains(year), (0...23).contains(clock[0]),
            (0...59).contains(clock[1]), (0...60).contains(clock[2])
        else { return nil }
        return Int64(days(year: year, month: month + 1, day: day)) * 86400 + Int64(clock[0] * 3600)
            + Int64(clock[1] * 60 + clock[2])
    }

    /// Returns `seconds` as `2026-11-21T08:00:00Z` (RFC 3339).
    public static func rfc3339(_ seconds: Int64) -> String {
        let (year, month, day) = civil(Int(seconds.floorDivided(by: 86400)))
        let second = Int(seconds - seconds.floorDivided(by: 86400) * 86400)
        func pad(_ value: Int, _ width: Int = 2) -> String {
            let text = String(value)
            return String(repeating: "0", count: max(0, width - text.count)) + text
        }
        return
            "\(pad(year, 4))-\(pad(month))-\(pad(day))T\(pad(second / 3600)):\(pad(second / 60 % 60)):\(pad(second % 60))Z"
    }

    /// Reads `2026-11-21T08:00:00Z` (RFC 3339 in UTC, whole seconds).
    static func parseRFC3339(_ text: String) -> Int64? {
        let parts = text.split { "-T:Z".contains($0) }.compactMap { Int($0) }
        guard text.utf8.count == 20, text.hasSuffix("Z"), parts.count == 6, (1...12).contains(parts[1]),
            (1...31).contains(parts[2]), (0...23).contains(parts[3]), (0...59).contains(parts[4]),
            (0...60).contains(parts[5])
        else { return nil }
        return Int64(days(year: parts[0], month: parts[1], day: parts[2])) * 86400
            + Int64(parts[3] * 3600 + parts[4] * 60 + parts[5])
    }

    /// Days since 1970-01-01 of a date in the Gregorian calendar (Howard Hinnant's algorithm, public domain).
    private static func days(year: Int, month: Int, day: Int) -> Int {
        let shifted = month <= 2 ? year - 1 : year
        let era = (shifted >= 0 ? shifted : shifted - 399) / 400
        let yearOfEra = shifted - era * 400
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        return era * 146097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719468
    }

    private static func civil(_ days: Int) -> (Int, Int, Int) {
        let shifted = days + 719468
        let era = (shifted >= 0 ? shifted : shifted - 146096) / 146097
        let dayOfEra = shifted - era * 146097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36524 - dayOfEra / 146096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthIndex = (5 * dayOfYear + 2) / 153
        let month = monthIndex < 10 ? monthIndex + 3 : monthIndex - 9
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * monthIndex + 2) / 5 + 1)
    }
}

extension Int64 {
    fileprivate func floorDivided(by divisor: Int64) -> Int64 {
        self >= 0 ? self / divisor : (self - divisor + 1) / divisor
    }
}
