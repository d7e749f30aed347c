/// What a provider's entry names but does not hold, and proves who we are.
package struct ClientKeys: Sendable {
    package var secret: ClientSecret?
    package var privateKey: PrivateKey?
    /// With its own key.
    package var certificate: ClientCertificate?

    package init(
        secret: ClientSecret? = nil, privateKey: PrivateKey? = nil, certificate: ClientCertificate? = nil
    ) {
        self.certificate = certificate
        self.secret = secret
        self.privateKey = privateKey
    }
}
