/// An ID token that was refused, and how far this machine's clock is ahead of the server's, in seconds.
public struct IDTokenRefused: Error, Sendable {
    public let rejection: IDTokenRejection
    public let issuer: HTTPURL
    public let clockOffset: Int64?
}
