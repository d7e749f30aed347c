/// What a provider's entry names but does not hold, and proves who we are.
public struct ClientKeys: Sendable {
    public var secret: ClientSecret?
    public var privateKey: PrivateKey?

    public init(secret: ClientSecret? = nil, privateKey: PrivateKey? = nil) {
        self.secret = secret
        self.privateKey = privateKey
    }
}
