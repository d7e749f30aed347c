/// The client secret, the private key and the certificate of a provider configuration.
package struct ClientKeys: Sendable {
    package var secret: ClientSecret?
    package var privateKey: PrivateKey?
    package var certificate: ClientCertificate?

    func isSigner(where offered: [ClientAuthentication.Method]) -> Bool {
        privateKey != nil && (privateKey !== certificate?.key || offered.contains(.privateKeyJWT))
    }

    package init(secret: ClientSecret? = nil, privateKey: PrivateKey? = nil, certificate: ClientCertificate? = nil) {
        self.certificate = certificate
        self.secret = secret
        self.privateKey = privateKey
    }
}
