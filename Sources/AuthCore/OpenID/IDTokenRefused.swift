/// An ID token that was refused, and how far this machine's clock is ahead of the server's, in seconds.
package struct IDTokenRefused: Error, Sendable {
    package let rejection: IDTokenRejection
    package let issuer: HTTPURL
    package let clockOffset: Int64?
}
