/// An ID token that was refused, and how far this machine's clock is ahead of the server's, in seconds.
package struct IDTokenRefused: CodedError, Sendable {
    package let rejection: IDTokenRejection
    package let issuer: HTTPURL
    package var clockOffset: Int64?
    package var isClockAhead: Bool { clockOffset.map { $0 > ExpectedIDToken.clockSkew } ?? false }
    package var code: ErrorCode { rejection.code }
    package var libraryCode: ErrorCode { rejection.libraryCode }
    package var claim: String? { rejection.claim }
}
