import AuthCore

extension HTTPError: UserFacingError {
    func explanation(_ context: ErrorContext) -> Explanation {
        switch self {
        case .cannotConnect(let origin, let reason):
            "cannot reach '\(origin)': \(reason)".hint("check the network, and HTTPS_PROXY where you need one")
        case .untrusted(let origin, let reason): "cannot reach '\(origin)': \(reason.message)".hint(reason.hint)
        case .timedOut(let origin): "'\(origin)' did not answer in time".hint("try again")
        case .tooLarge(let origin): "the answer of '\(origin)' is too long".hint(.issuer)
        case .connectionLost(let origin, let reason):
            "'\(origin)' closed the connection before its answer was whole: \(reason)".hint("try again")
        case .malformedResponse(let origin, let reason):
            "the answer of '\(origin)' is broken: \(reason)".hint("try again")
        case .plainHTTP(let origin):
            "'\(origin)' is plain http, where anybody can read along"
                .hint("use https; for a trusted network only: --allow-http")
        case .plainHTTPThroughProxy(let origin):
            "'\(origin)' is plain http, and the proxy that http_proxy names could read the secrets sent there"
                .hint("use https, or name the host in no_proxy")
        case .invalidField(let problem): problem.explanation(context)
        case .forbiddenAddress(let origin):
            "'\(origin)' leads into a private network, where its issuer is not"
                .hint("tell the provider's administrator")
        case .certificateWanted(let origin):
            "'\(origin)' wants a certificate of the client".hint(
                "name it and its key with --certificate: \(run: "authctl providers set --help"); it is presented at the endpoints that know clients, and never for discovery or keys"
            )
        case .certificateUnusable(let origin, let reason):
            "the client's certificate cannot be presented to '\(origin)': \(shown: reason)"
                .hint("OpenSSL here does not take its signature, its key or its chain: have a new one issued")
        case .certificateRefused(let origin, let alert):
            "'\(origin)' does not take the client's certificate: \(alert.message)".hint(
                "its administrator knows which authorities and clients it takes; to name another one, with --certificate: \(run: "authctl providers set --help")"
            )
        case .clientUnavailable:
            "libcurl, in its build with OpenSSL, cannot be loaded".hint(run: "apt-get install libcurl4")
        case .cancelled: "cancelled"
        }
    }
}

extension CertificateAlert {
    fileprivate var message: String {
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

extension HTTPFieldProblem: UserFacingError {
    func explanation(_ context: ErrorContext) -> Explanation { message.hint(run: "authctl request --help") }

    var message: String {
        switch self {
        case .name(let name): "'\(name)' is no name of a header"
        case .value(let name): "the value of header '\(name)' holds a line break or another control character"
        }
    }
}

extension HTTPURLError: UserFacingError {
    func explanation(_ context: ErrorContext) -> Explanation {
        "a URL that was made of the settings is none".hint(run: context.settings)
    }
}

extension Distrust {
    fileprivate var message: String {
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
        case .selfSigned, .unknownAuthority: "name the CA's file in SSL_CERT_FILE, if it is the right server"
        case .expired, .notYetValid: "compare this machine's clock; else the server needs a new certificate"
        case .otherName, .noName: "the server needs a certificate with its name in subjectAltName"
        case .handshakeRefused:
            "to name a certificate of the client, with --certificate: \(run: "authctl providers set --help")"
        case .other: "name the CA's file in SSL_CERT_FILE, or mend the server's certificate"
        }
    }
}

extension DocumentError: UserFacingError {
    func explanation(_ context: ErrorContext) -> Explanation {
        switch self {
        case .status(let status, let url):
            "'\(url)' answered with status \(status)".hint(status >= 500 ? .again : .issuer)
        case .redirect(let url): "'\(url)' redirects to another place, which is not followed".hint(.issuer)
        case .tooManyRequests(let origin, let seconds): .slowDown(origin, seconds)
        }
    }
}

extension ListenerError: UserFacingError {
    func explanation(_ context: ErrorContext) -> Explanation {
        switch self {
        case .portInUse(let port):
            "port \(port) is in use by another program".hint("choose another one with --port")
        case .noLoopback(let reason): "no loopback address can be used: \(reason)".hint(run: "ip addr show lo")
        }
    }
}

extension Explanation {
    /// A server asks for fewer requests.
    static func slowDown(_ origin: String, _ seconds: Int64?) -> Explanation {
        "'\(origin)' asks to slow down".hint(seconds.map { "try again in \($0) seconds" } ?? .again)
    }
}
