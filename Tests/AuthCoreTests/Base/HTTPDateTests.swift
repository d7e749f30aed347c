import Testing

@testable import AuthCore

@Suite struct `HTTP and RFC 3339 dates` {
    @Test(
        arguments: [
            ("Sun, 06 Nov 1994 08:49:37 GMT", 784_111_777), ("Thu, 01 Jan 1970 00:00:00 GMT", 0),
            ("Tue, 29 Feb 2028 23:59:59 GMT", 1_835_481_599), ("Tue, 29 Feb 2028 23:59:60 GMT", 1_835_481_600),
        ] as [(String, Int64)])
    func `HTTP dates (IMF-fixdate) are parsed`(text: String, seconds: Int64) {
        #expect(HTTPDate.parse(text) == seconds)
    }

    @Test(arguments: [
        "", "now", "Sun, 06 Nov 1994 08:49:37", "Sun, 32 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT",
        "Sun, 06 Foo 1994 08:49:37 GMT",
    ])
    func `Text that is not an IMF-fixdate is rejected`(text: String) {
        #expect(HTTPDate.parse(text) == nil)
    }

    @Test(
        arguments: [
            (0, "1970-01-01T00:00:00Z"), (1_795_248_000, "2026-11-21T08:00:00Z"), (951_782_400, "2000-02-29T00:00:00Z"),
            (253_402_300_799, "9999-12-31T23:59:59Z"), (-1, "1969-12-31T23:59:59Z"),
        ] as [(Int64, String)])
    func `Times are formatted as RFC 3339 dates`(seconds: Int64, text: String) {
        #expect(HTTPDate.rfc3339(seconds) == text)
    }

    @Test(arguments: [
        "Sun, 6 Nov 1994 08:49:37 GMT", "Sun,  06 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 8:49:37 GMT",
        "Sun, 06 Nov 1994 08:49:37 UTC", "Sun, 06 Nov +994 08:49:37 GMT", "Sun, 31 Feb 2021 00:00:00 GMT",
        "Sun, 06 Nov 1994 24:00:00 GMT",
    ])
    func `HTTP dates with invalid values, spacing or time zones are rejected`(text: String) {
        #expect(HTTPDate.parse(text) == nil)
    }

    @Test(arguments: [
        "2026-11-21T08:00:00Z", "2026-11-21T08:00:00.123456Z", "2026-11-21T10:30:00+02:30",
        "2026-11-20T23:00:00.5-09:00", "2026-11-21T08:00:00+00:00",
    ])
    func `RFC 3339 times may have a fraction and an offset`(text: String) {
        #expect(HTTPDate.parseRFC3339(text).map(HTTPDate.rfc3339) == "2026-11-21T08:00:00Z")
    }

    @Test(arguments: [
        "20261-11-2T08:00:00Z", "2026-11-21T08:00:00", "2026-11-31T08:00:00Z", "2026-02-29T08:00:00Z",
        "2026-11-21 08:00:00Z", "2026-11-21T08:0:000Z", "2026-11-21T08:00:61Z", "2026-11-21T24:00:00Z",
        "2026-11-21T08:00:00.Z", "2026-11-21T08:00:00+01", "2026-11-21T08:00:00+0100", "2026-11-21T08:00:00 01:00",
    ])
    func `Invalid and incomplete RFC 3339 times are rejected`(text: String) {
        #expect(HTTPDate.parseRFC3339(text) == nil)
    }

    @Test func `A formatted RFC 3339 time is parsed back to the second, for each day of 500 years`() {
        for day in stride(from: Int64(-60_000), to: 125_000, by: 1) {
            let time = day * 86400 + (day &* 7919) % 43_200 + 43_200
            #expect(HTTPDate.parseRFC3339(HTTPDate.rfc3339(time)) == time)
        }
    }
}
