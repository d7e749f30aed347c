import AuthCore

extension PrivateKeyProblem: Told {
    func told(_ task: Undertaking) -> Failure {
        error.told(in: "'\(file)'", task)
    }
}

extension InsecureFile: Told {
    func told(_ task: Undertaking) -> Failure {
        task.failure(.storeUnavailable, "'\(path)' contains a secret, but \(reason)", hint: hint)
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

extension CertificateProblem: Told {
    func told(_ task: Undertaking) -> Failure { error.told(in: "'\(file)'", task) }
}

extension CertificateError: Told {
    func told(_ task: Undertaking) -> Failure { told(in: "the certificate's text", task) }

    fileprivate func told(in place: String, _ task: Undertaking) -> Failure {
        switch self {
        case .malformed:
            return task.failure(
                .invalidConfiguration, "\(place) holds no certificate in PEM form, or one that cannot be read",
                hint: "a file that holds the key alone is named with --private-key")
        case .otherKey:
            return task.failure(
                .invalidConfiguration, "\(place): the private key is not that of its first certificate",
                hint:
                    "the client's own certificate stands first, those of its authorities behind it; of several keys in a file the first counts"
            )
        }
    }
}

extension KeyError: Told {
    func told(_ task: Undertaking) -> Failure { told(in: "the key's text", task) }

    fileprivate func told(in place: String, _ task: Undertaking) -> Failure {
        func make(_ message: String, _ hint: Hint?) -> Failure {
            task.failure(.invalidConfiguration, "\(place) \(message)", hint: hint)
        }
        let kinds: Hint = "RSA of 2048 bits or more, P-256, P-384, P-521 and Ed25519 keys can be used"
        switch self {
        case .malformed, .invalidPoint:
            return make(
                "holds no private key in PEM form", "a file that holds a certificate alone is named with --certificate")
        case .weakRSA(let bits): return make("holds an RSA key of \(bits) bits that cannot be used", kinds)
        case .unsupported(let kind): return make("holds a key of another kind: \(kind)", kinds)
        case .passphraseNeeded:
            return make("is encrypted", "name the file that holds its passphrase: --private-key-passphrase-file")
        case .wrongPassphrase: return make("does not open with that passphrase", nil)
        case .unsupportedEncryption:
            return make(
                "is encrypted in a way that OpenSSL does not read", "encrypt it anew, as openssl pkcs8 -topk8 does")
        }
    }
}

extension OpenSSLError: Told {
    func told(_ task: Undertaking) -> Failure { task.unexpected(self) }
}
