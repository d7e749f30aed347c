import AuthCore

/// A provider's settings and clock, and counts of its requests.
final class Site {
    let settings: Settings
    let now: @Sendable () -> Int64
    private var counts: [String: Int64] = [:]

    init(_ settings: Settings, now: @escaping @Sendable () -> Int64) {
        self.settings = settings
        self.now = now
    }

    func has(_ fault: Fault) -> Bool { settings.faults.contains(fault) }

    func token(_ prefix: String = "") throws -> String { prefix + (try RandomSource.openSSL.token(bytes: 24)) }

    func recorded(_ secret: String) -> String {
        settings.record?.add(secret)
        return secret
    }

    func count(_ name: String) { counts[name, default: 0] += 1 }

    func number(of name: String) -> Int64 { counts[name] ?? 0 }

    func requests(_ request: Request) -> Reply {
        var object = JSONObject()
        for (name, count) in counts.sorted(by: { $0.key < $1.key }) { object[name] = JSONValue(count) }
        return .json(.object(object))
    }
}
