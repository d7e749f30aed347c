import AuthCore

extension OpenSSLError: UserFacingError {
    func explanation(_ context: ErrorContext) -> Explanation { UnexpectedError(error: self).explanation(context) }
}

extension InsecureFile: UserFacingError {
    func explanation(_ context: ErrorContext) -> Explanation { "'\(path)' contains a secret, but \(reason)".hint(hint) }

    var reason: String {
        switch fault {
        case .owner(let user): "belongs to user \(user)"
        case .mode(let mode, _): "can be read or written by other users (mode 0\(String(mode, radix: 8)))"
        }
    }

    var hint: Hint {
        if case .mode(_, isOwn: true) = fault { return .run("chmod 600 \(path)") }
        return .run("sudo chown \"$(id -u)\" \(path)")
    }
}

extension KeyFileProblem: UserFacingError {
    func explanation(_ context: ErrorContext) -> Explanation { error.explanation(in: "'\(file)'") }
}

extension KeyError: UserFacingError {
    func explanation(_ context: ErrorContext) -> Explanation {
        let isOfCertificate = self == .notACertificate || self == .otherKey
        return explanation(in: isOfCertificate ? "the certificate's text" : "the key's text")
    }

    fileprivate func explanation(in place: String) -> Explanation {
        let kinds: Hint = "RSA of 2048 bits or more, P-256, P-384, P-521 and Ed25519 keys can be used"
        return switch self {
        case .malformed, .invalidPoint:
            "\(place) does not contain a private key in PEM format"
        case .weakRSA(let bits): "\(place) contains an RSA key of \(bits) bits that cannot be used".hint(kinds)
        case .unsupported(let kind): "\(place) contains an unsupported kind of key: \(kind)".hint(kinds)
        case .passphraseNeeded: "\(place) is encrypted".hint("add --private-key-passphrase-file FILE")
        case .wrongPassphrase: "\(place) cannot be decrypted with that passphrase"
        case .unsupportedEncryption:
            "\(place) uses an encryption method that OpenSSL does not support".hint(
                "encrypt it again with openssl pkcs8 -topk8")
        case .notACertificate: "\(place) does not contain a readable certificate in PEM format"
        case .otherKey:
            "\(place): the private key does not match the first certificate".hint(
                "put the client certificate first, followed by its CA certificates")
        }
    }
}
