/// Conversions between HTTP dates or RFC 3339 timestamps and seconds since 1970 (UTC).
package enum HTTPDate {
    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

    /// Reads `Sun, 06 Nov 1994 08:49:37 GMT`, the only form that senders may use (RFC 9110 section 5.6.7). The day of
    /// the week is not compared with the date.
    package static func parse(_ text: String) -> Int64? {
        let bytes = Array(text.utf8)
        guard let numbers = numbers(bytes, "???, ## ??? #### ##:##:## GMT"),
            let month = months.firstIndex(of: String(decoding: bytes[8..<11], as: UTF8.self))
        else { return nil }
        return seconds((numbers[1], month + 1, numbers[0]), (numbers[2], numbers[3], numbers[4]))
    }

    private static let earliest: Int64 = -62_167_219_200

    /// Returns `seconds` as `2026-11-21T08:00:00Z` (RFC 3339), limited to the years 0 to 9999.
    package static func rfc3339(_ seconds: Int64) -> String {
        let seconds = min(max(seconds, earliest), Seconds.latest)
        // From the earliest day on, because division rounds negative numbers up.
        let (days, second) = Int(seconds - earliest).quotientAndRemainder(dividingBy: 86400)
        let (year, month, day) = civil(days + Int(earliest / 86400))
        func pad(_ value: Int, _ width: Int = 2) -> String {
            let text = String(value)
            return String(repeating: "0", count: max(0, width - text.count)) + text
        }
        return
            "\(pad(year, 4))-\(pad(month))-\(pad(day))T\(pad(second / 3600)):\(pad(second / 60 % 60)):\(pad(second % 60))Z"
    }

    /// Reads `2026-11-21T08:00:00Z`, also with a fraction of a second, which is dropped, and with an offset (RFC 3339
    /// section 5.6).
    static func parseRFC3339(_ text: String) -> Int64? {
        let bytes = Array(text.utf8)
        guard bytes.count > 19, let numbers = numbers(bytes[..<19], "####-##-##T##:##:##") else { return nil }
        var zone = bytes[19...]
        if zone.first == UInt8(ascii: "."), bytes.count > 20, bytes[20].isDigit {
            zone = zone.dropFirst().drop(while: \.isDigit)
        }
        var offset = 0
        if !zone.elementsEqual("Z".utf8) {
            guard let sign = zone.first, "+-".utf8.contains(sign), let time = self.numbers(zone.dropFirst(), "##:##"),
                time[0] < 24, time[1] < 60
            else { return nil }
            offset = (time[0] * 60 + time[1]) * (sign == UInt8(ascii: "-") ? -60 : 60)
        }
        let local = seconds((numbers[0], numbers[1], numbers[2]), (numbers[3], numbers[4], numbers[5]))
        return local.map { $0 - Int64(offset) }
    }

    /// The numbers in a text of this form, in which `#` is a digit and `?` a letter; nil if it has another form.
    private static func numbers(_ bytes: some Collection<UInt8>, _ form: String) -> [Int]? {
        guard bytes.count == form.utf8.count else { return nil }
        for (byte, pattern) in zip(bytes, form.utf8) {
            switch pattern {
            case UInt8(ascii: "#"): guard byte.isDigit else { return nil }
            case UInt8(ascii: "?"): guard byte.isLetter else { return nil }
            default: guard byte == pattern else { return nil }
            }
        }
        return bytes.split { !$0.isDigit }.map { $0.reduce(0) { $0 * 10 + Int($1 & 15) } }
    }

    /// Seconds since 1970; nil if the date or the time of day does not exist. A leap second is accepted.
    private static func seconds(
        _ date: (year: Int, month: Int, day: Int), _ time: (hour: Int, minute: Int, second: Int)
    ) -> Int64? {
        guard (1...12).contains(date.month), (1...31).contains(date.day), time.hour < 24, time.minute < 60,
            time.second <= 60
        else { return nil }
        let days = days(year: date.year, month: date.month, day: date.day)
        guard civil(days) == date else { return nil }
        return Int64(days) * 86400 + Int64(time.hour * 3600 + time.minute * 60 + time.second)
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
