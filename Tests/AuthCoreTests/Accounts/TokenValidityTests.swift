import Testing

@testable import AuthCore

@Suite struct `Token validity` {
    private let now: Int64 = 1_795_000_000

    private func isValid(_ remaining: Int64, of lifetime: Int64?, for minimum: Int64? = nil) -> Bool {
        TokenValidity(expiresAt: now + remaining, lifetime: lifetime).isValid(for: minimum, at: now)
    }

    @Test(
        arguments: [
            (lifetime: nil, margin: 60), (3600, 60), (240, 60), (200, 50), (60, 15), (45, 11), (30, 7), (5, 1), (1, 0),
            (0, 0),
        ] as [(lifetime: Int64?, margin: Int64)])
    func `By default a token is refreshed 60 seconds, or a quarter of its lifetime, before it expires`(
        lifetime: Int64?, margin: Int64
    ) {
        #expect(isValid(margin + 1, of: lifetime))
        #expect(!isValid(margin, of: lifetime))
    }

    @Test func `A requested minimum lifetime replaces the default margin`() {
        #expect(isValid(601, of: 3600, for: 600) && !isValid(600, of: 3600, for: 600))
        #expect(isValid(51, of: 60, for: 50) && !isValid(50, of: 60, for: 50))
        #expect(isValid(1, of: 60, for: 0) && !isValid(0, of: 60, for: 0))
        #expect(!isValid(3600, of: nil, for: 999_999))
    }

    @Test(arguments: [5, 30, 45, 60, 3600] as [Int64])
    func `A minimum above the lifetime of new tokens does not cause a refresh each time`(lifetime: Int64) {
        for minimum in [lifetime, 999_999] {
            #expect(isValid(lifetime, of: lifetime, for: minimum))
            #expect(!isValid(1, of: lifetime, for: minimum))
        }
    }

    @Test func `A token whose remaining time exceeds its lifetime by over a minute is not valid`() {
        #expect(isValid(3660, of: 3600), "clocks differ a little")
        #expect(!isValid(3661, of: 3600))
        #expect(!isValid(400 * 86400 + 3600, of: 3600, for: 0))
        #expect(isValid(400 * 86400, of: nil))
    }

    @Test func `A token without an expiry is always valid`() {
        #expect(TokenValidity(expiresAt: nil, lifetime: nil).isValid(for: 999_999, at: now))
        #expect(TokenValidity(expiresAt: nil, lifetime: nil).timeUntilRefresh(nil, at: now) == nil)
    }

    @Test func `The time until refresh ends when the token stops being valid`() {
        for (lifetime, minimum) in [(3600, nil), (30, nil), (5, 999_999), (60, 50)] as [(Int64, Int64?)] {
            let validity = TokenValidity(expiresAt: now + lifetime, lifetime: lifetime)
            let end = now + (validity.timeUntilRefresh(minimum, at: now) ?? 0)
            #expect(validity.isValid(for: minimum, at: end - 1) && !validity.isValid(for: minimum, at: end))
        }
    }
}
