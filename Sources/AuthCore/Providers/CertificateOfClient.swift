extension ProviderClient {
    /// The client certificate for TLS (RFC 8705); nil if none is configured.
    func certificate() throws(ProviderError) -> ClientCertificate? {
        guard let certificate = clientKeys.certificate else { return nil }
        if let fault = certificate.chain.fault(at: services.clock.now()) {
            throw provider.invalid("certificate", fault)
        }
        return certificate
    }

    /// Throws if the certificate has expired or is not valid yet, before the configuration is stored.
    package func checkCertificate() throws(ProviderError) { _ = try certificate() }

    /// The certificate that an access token is bound to (RFC 8705 section 3); nil for other tokens. If the token is
    /// opaque, the server's metadata decides.
    func certificate(binding token: AccessToken) throws -> ClientCertificate? {
        let certificate = try certificate()
        switch token.certificateBinding {
        case .to(let thumbprint):
            guard let certificate, thumbprint.hasSameBytes(as: certificate.chain.thumbprint) else {
                throw OAuthError.invalidResponse(.otherCertificate, at: .token)
            }
            return certificate
        // Over plain http, no certificate was presented.
        case .unreadable: return metadata.bindsToCertificates && metadata.tokenEndpoint.isSecure ? certificate : nil
        case .none: return nil
        }
    }
}

extension Services {
    /// These services with the CA file of a provider, if there is one, for the hosts that are known before its metadata.
    package func trusting(_ provider: Provider?) throws -> Services {
        guard let provider, let path = provider.authorityFile else { return self }
        let setting = "\(provider.id): ca_file"
        let pem = try CertificateFile.bytes(at: path, of: setting)
        guard !CertificateAuthorities(pem: pem).places.isEmpty else {
            throw CertificateFileError(path: path, fault: nil, setting: setting)
        }
        return try trusting(pem, at: Set([provider.issuer, try provider.apiRoot()].compactMap { $0?.origin }))
    }
}

extension CertificateChain {
    /// Why the certificate is not valid at a time in seconds since 1970; nil if it is.
    func fault(at now: Int64) -> SettingFault? {
        // The server's clock decides, so a small difference is allowed.
        let skew = ExpectedIDToken.clockSkew
        if now - skew > notAfter { return .certificateExpired(at: notAfter) }
        return now + skew < notBefore ? .certificateNotYetValid(from: notBefore) : nil
    }
}
