import AuthCore

extension HTTPError: Told {
    func told(_ task: Undertaking) -> Failure {
        func network(_ message: String, _ hint: Hint) -> Failure {
            task.failure(.networkRequestFailed, message, hint: hint)
        }
        switch self {
        case .cannotConnect(let origin, let reason):
            return network(
                "cannot reach '\(origin)': \(reason)", "check the network, and HTTPS_PROXY where you need one")
        case .untrusted(let origin, let reason):
            return network("cannot reach '\(origin)': \(reason.words)", reason.hint)
        case .timedOut(let origin): return network("'\(origin)' did not answer in time", "try again")
        case .tooLarge(let origin):
            return task.failure(
                .invalidResponse, "the answer of '\(origin)' is too long", hint: "check the issuer's URL"
            )
        case .connectionLost(let origin, let reason):
            return network("'\(origin)' closed the connection before its answer was whole: \(reason)", "try again")
        case .malformedResponse(let origin, let reason):
            return network("the answer of '\(origin)' is broken: \(reason)", "try again")
        case .plainHTTP(let origin):
            return task.failure(
                .invalidConfiguration, "'\(origin)' is plain http, where anybody can read along",
                hint: "use https; for a trusted network only: --allow-http")
        case .plainHTTPThroughProxy(let origin):
            return task.failure(
                .invalidConfiguration,
                "'\(origin)' is plain http, and the proxy that http_proxy names could read the secrets sent there",
                hint: "use https, or name the host in no_proxy")
        case .invalidField(let problem): return problem.told(task)
        case .forbiddenAddress(let origin):
            return task.failure(
                .invalidResponse, "'\(origin)' leads into a private network, where its issuer is not",
                hint: "tell the provider's administrator")
        case .certificateWanted(let origin):
            return task.failure(
                .invalidConfiguration, "'\(origin)' wants a certificate of the client",
                hint:
                    "name it and its key with --certificate: \(run: "authctl providers set --help"); it is presented at the endpoints that know clients, and never for discovery or keys"
            )
        case .certificateUnusable(let origin, let reason):
            return task.failure(
                .invalidConfiguration,
                "the client's certificate cannot be presented to '\(origin)': \(ServerText.shown(reason))",
                hint: "OpenSSL here does not take its signature, its key or its chain: have a new one issued")
        case .certificateRefused(let origin, let alert):
            return task.failure(
                .invalidConfiguration, "'\(origin)' does not take the client's certificate: \(alert.words)",
                hint:
                    "its administrator knows which authorities and clients it takes; to name another one, with --certificate: \(run: "authctl providers set --help")"
            )
        case .clientUnavailable:
            return network("libcurl, in its build with OpenSSL, cannot be loaded", .run("apt-get install libcurl4"))
        case .cancelled: return task.failure(.userCancelled, "cancelled", hint: nil)
        }
    }
}

extension CertificateAlert {
    fileprivate var words: String {
        switch self {
        case .required: "it wants another one"
        case .bad: "it cannot be read there, or is not that of the key"
        case .unsupported: "it is of a kind that is not taken there"
        case .revoked: "its authority has revoked it"
        case .expired: "it has expired, by the clock there"
        case .unknown: "what is wrong with it is not said"
        case .unknownAuthority: "its authority is not known there"
        case .accessDenied: "it may not come in there"
        }
    }
}

extension HTTPFieldProblem: Told {
    func told(_ task: Undertaking) -> Failure { task.usage(words, hint: .run("authctl request --help")) }

    var words: String {
        switch self {
        case .name(let name): "'\(name)' is no name of a header"
        case .value(let name): "the value of header '\(name)' holds a line break or another control character"
        }
    }
}

extension HTTPURLError: Told {
    func told(_ task: Undertaking) -> Failure {
        task.failure(
            .invalidConfiguration, "a URL that was made of the settings is none", hint: .run(task.settings))
    }
}

extension Distrust {
    fileprivate var words: String {
        switch self {
        case .selfSigned: "its certificate is self-signed, or signed by an authority of its own"
        case .unknownAuthority: "its certificate is of an authority that is not known here"
        case .expired: "its certificate has expired"
        case .notYetValid: "its certificate is not valid yet"
        case .otherName: "its certificate is for another name"
        case .handshakeRefused:
            "it ended the handshake: it may want a certificate of the client, or has no cipher in common with this machine"
        case .noName: "its certificate names no host in subjectAltName"
        case .other(let text): text
        }
    }

    fileprivate var hint: Hint {
        switch self {
        case .selfSigned, .unknownAuthority:
            "name the CA's file in SSL_CERT_FILE, if it is the right server"
        case .expired, .notYetValid: "compare this machine's clock; else the server needs a new certificate"
        case .otherName, .noName: "the server needs a certificate with its name in subjectAltName"
        case .handshakeRefused:
            "to name a certificate of the client, with --certificate: \(run: "authctl providers set --help")"
        case .other: "name the CA's file in SSL_CERT_FILE, or mend the server's certificate"
        }
    }
}

extension DocumentError: Told {
    func told(_ task: Undertaking) -> Failure {
        switch self {
        case .status(let status, let url) where status >= 500:
            return task.failure(
                .providerUnavailable, "'\(url)' answered with status \(status)", hint: "try again later")
        case .status(let status, let url):
            return task.failure(
                .invalidResponse, "'\(url)' answered with status \(status)",
                hint: "check the issuer's URL")
        case .redirect(let url):
            return task.failure(
                .invalidResponse, "'\(url)' redirects to another place, which is not followed",
                hint: "check the issuer's URL")
        case .tooManyRequests(let origin, let seconds): return task.slowDown(origin, seconds)
        }
    }
}

extension Undertaking {
    /// A server asks for fewer requests.
    func slowDown(_ origin: String, _ seconds: Int64?) -> Failure {
        failure(
            .tooManyRequests, "'\(origin)' asks to slow down",
            hint: seconds.map { "try again in \($0) seconds" } ?? "try again later")
    }
}
