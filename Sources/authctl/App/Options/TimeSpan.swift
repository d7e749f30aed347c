import ArgumentParser

/// A span of time as the user writes it: `90`, `90s`, `30m`, `8h`, `2d`.
struct TimeSpan: ExpressibleByArgument, OptionValue, Equatable {
    let seconds: Int64

    var defaultValueDescription: String { String(seconds) }

    init(seconds: Int64) { self.seconds = seconds }

    var texts: [String?] { [String(seconds)] }

    init?(argument: String) {
        let units: [Character: Int64] = ["s": 1, "m": 60, "h": 3600, "d": 86400]
        let unit = argument.last.flatMap { units[$0] }
        let digits = unit == nil ? argument[...] : argument.dropLast()
        guard digits.utf8.count <= 9, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let count = Int64(digits)
        else { return nil }
        seconds = count * (unit ?? 1)
        guard (0...315_360_000).contains(seconds) else { return nil }
    }
}
