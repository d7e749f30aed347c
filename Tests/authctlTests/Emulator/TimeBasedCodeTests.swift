import Testing

@testable import authctl_emulator

@Suite struct `TOTP codes` {
    @Test(arguments: [
        (Int64(59), "287082"), (1_111_111_109, "081804"), (1_111_111_111, "050471"), (1_234_567_890, "005924"),
        (2_000_000_000, "279037"), (20_000_000_000, "353130"),
    ])
    func `A TOTP code is the last six digits of the value in RFC 6238 appendix B`(time: Int64, code: String) {
        #expect(TimeBasedCode.code(of: Array("12345678901234567890".utf8), at: time) == code)
    }
}
