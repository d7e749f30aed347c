import Testing

@testable import AuthCore

@Suite struct `Times in JSON and HTTP fields` {
    static let extremes: [Int64] = [
        .min, .min + 1, -253_402_300_800, -1, 0, 1, 253_402_300_799, 253_402_300_800, .max - 1, .max,
    ]

    @Test(arguments: extremes)
    func `An integer time or duration is clamped to the supported range`(number: Int64) {
        #expect((0...Seconds.latest).contains(Seconds.time(number)))
        for value in [JSONValue(number), .string(String(number))] {
            #expect(Seconds.time(of: value).map { (0...Seconds.latest).contains($0) } == true)
            #expect(Seconds.span(of: value).map { (0...Seconds.longest).contains($0) } == true)
        }
    }

    @Test(arguments: ["1e308", "-1e308", "9999999999999999999999", "0.5", "-0"])
    func `A time in any JSON number format is clamped to the supported range`(text: String) throws {
        let object = try StrictJSON.object(Array("{\"n\":\(text)}".utf8))
        #expect(Seconds.time(of: object["n"]).map { (0...Seconds.latest).contains($0) } == true)
        #expect(object["n"].flatMap(Seconds.span(of:)).map { (0...Seconds.longest).contains($0) } == true)
    }

    @Test(arguments: ["", "x", "1x", "--1", "+1", "1.5", "0x10", "nan", "inf", "１"])
    func `A string that is not a decimal integer is rejected as a time or duration`(text: String) {
        #expect(Seconds.time(of: .string(text)) == nil && Seconds.span(of: .string(text)) == nil)
    }

    @Test func `A time or duration within the supported range is returned unchanged`() {
        #expect(Seconds.time(of: "1795248000") == 1_795_248_000 && Seconds.span(of: 3600) == 3600)
        #expect(Seconds.time(of: nil) == nil && Seconds.time(of: .null) == nil && Seconds.span(of: true) == nil)
    }

    @Test(arguments: extremes)
    func `Extreme numbers in Retry-After, dates and responses are clamped and do not crash`(number: Int64) throws {
        let now: Int64 = 1_795_248_000
        let response = HTTPResponse(status: 429, headers: [(name: "Retry-After", value: String(number))])
        #expect(RetryAfter.seconds(response, now: now).map { (0...86400).contains($0) } ?? true)
        _ = HTTPDate.rfc3339(number)
        for text in ["999999999999-1-1T1Z", "99999999-01-01T0:0Z", "Sun, 06 Nov \(number) 08:49:37 GMT"] {
            _ = HTTPDate.parseRFC3339(text)
            _ = HTTPDate.parse(text)
        }
        let members: JSONObject = [
            "access_token": "a", "token_type": "Bearer", "expires_in": JSONValue(number), "device_code": "d",
            "user_code": "u", "verification_uri": "https://example.com/", "interval": JSONValue(number),
        ]
        let tokens = try TokenResponse(
            HTTPResponse(
                status: 200, headers: [(name: "Content-Type", value: "application/json")],
                body: Array(JSONValue.object(members).text.utf8)), origin: "https://example.com", at: .token, now: now)
        #expect(tokens.expiresIn.map { (0...Seconds.longest).contains($0) } == true)
        let device = try DeviceAuthorization(members, nameOfURL: "verification_uri")
        #expect((1...Seconds.longest).contains(device.interval))
    }
}
