import AuthCore

extension OpenSSLError: UserFacingError {
    func explanation(_ context: ErrorContext) -> Explanation { UnexpectedError(error: self).explanation(context) }
}

extension InsecureFile: UserFacingError {
    func explanation(_ context: ErrorContext) -> Explanation {
        "'\(path)' contains a secret, but \(reason)".hint(hint)
    }

    /// A clause about the file.
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

extension CertificateProblem: UserFacingError {
    func explanation(_ context: ErrorContext) -> Explanation { error.explanation(in: "'\(file)'") }
}

extension CertificateError: UserFacingError {
    func explanation(_ context: ErrorContext) -> Explanation { explanation(in: "the certificate's text") }

    fileprivate func explanation(in place: String) -> Explanation {
        switch self {
        case .malformed:
            "\(place) holds no certificate in PEM form, or one that cannot be read"
                .hint("a file that holds the key alone is named with --private-key")
        case .otherKey:
            "\(place): the private key is not that of its first certificate".hint(
                "the client's own certificate stands first, those of its authorities behind it; of several keys in a file the first counts"
            )
        }
    }
}

extension PrivateKeyProblem: UserFacingError {
    func explanation(_ context: ErrorContext) -> Explanation { error.explanation(in: "'\(file)'") }
}

extension KeyError: UserFacingError {
    func explanation(_ context: ErrorContext) -> Explanation { explanation(in: "the key's text") }

    fileprivate func explanation(in place: String) -> Explanation {
        let kinds: Hint = "RSA of 2048 bits or more, P-256, P-384, P-521 and Ed25519 keys can be used"
        return switch self {
        case .malformed, .invalidPoint:
            "\(place) holds no private key in PEM form"
                .hint("a file that holds a certificate alone is named with --certificate")
        case .weakRSA(let bits): "\(place) holds an RSA key of \(bits) bits that cannot be used".hint(kinds)
        case .unsupported(let kind): "\(place) holds a key of another kind: \(kind)".hint(kinds)
        case .passphraseNeeded:
            "\(place) is encrypted".hint("name the file that holds its passphrase: --private-key-passphrase-file")
        case .wrongPassphrase: "\(place) does not open with that passphrase"
        case .unsupportedEncryption:
            "\(place) is encrypted in a way that OpenSSL does not read"
                .hint("encrypt it anew, as openssl pkcs8 -topk8 does")
        }
    }
}
