/// The error for a rejected ID token, with the seconds that this machine's clock is ahead of the server's.
package struct IDTokenRefused: CodedError, Sendable {
    package let rejection: IDTokenRejection
    package let issuer: HTTPURL
    package var provider: String?
    package var clockOffset: Int64?
    package var isClockAhead: Bool { clockOffset.map { $0 > ExpectedIDToken.clockSkew } ?? false }
    package var code: ErrorCode { rejection.code }
    package var libraryCode: ErrorCode { rejection.libraryCode }
    package var claim: String? { rejection.claim }
}
