/// What a provider's entry names but does not hold, and proves who we are.
package struct ClientKeys: Sendable {
    package var secret: ClientSecret?
    package var privateKey: PrivateKey?

    package init(secret: ClientSecret? = nil, privateKey: PrivateKey? = nil) {
        self.secret = secret
        self.privateKey = privateKey
    }
}
