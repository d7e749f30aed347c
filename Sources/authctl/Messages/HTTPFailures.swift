import AuthCore
import Glibc

extension HTTPError: UserFacingError {
    func explanation(_ context: ErrorContext) -> Explanation {
        let certificate = context.setting(["--certificate": "FILE", "--private-key": "FILE"])
        return switch self {
        case .cannotConnect(let origin, let reason):
            "cannot reach '\(origin)': \(reason)".hint(
                (try? HTTPURL(origin))?.isLoopback == true ? nil : "if this network requires a proxy: set HTTPS_PROXY")
        case .proxyFailed(let origin, let proxy, let fault):
            "cannot reach '\(origin)': the proxy '\(proxy)' \(fault.message)".hint(fault.hint)
        case .untrusted(let origin, let reason):
            "cannot reach '\(origin)': \(reason.message)".hint(
                reason == .handshakeRefused ? certificate : reason.hint(context))
        case .timedOut(let origin): "'\(origin)' did not respond in time"
        case .tooLarge(let origin) where context.purpose == .request:
            "the response of '\(origin)' is longer than \(APIRequest.maximumResponseLength >> 20) MiB"
                .hint("for longer responses, use another program with the output of: \(run: "authctl token --header")")
        case .tooLarge(let origin): "the response of '\(origin)' is too long"
        case .connectionLost(let origin, let reason), .noResponse(let origin, let reason):
            "'\(origin)' closed the connection before the response was complete: \(reason)"
        case .malformedResponse(let origin, let reason): "the response of '\(origin)' is invalid: \(reason)"
        case .plainHTTP(let origin):
            "'\(origin)' is plain http, which others on the network can read".hint(
                context.resource != nil || context.purpose == .setUp
                    ? "use https"
                    : context.setting(["--allow-http": true], if: "use https; for a trusted network only: ")
                        ?? "use https")
        case .plainHTTPThroughProxy(let origin):
            "'\(origin)' is plain http, and the proxy in http_proxy could read the secrets"
                .hint("use https, or add the host to no_proxy")
        case .invalidField(let problem): problem.explanation(context)
        case .forbiddenAddress(let origin):
            "'\(origin)' resolves to a private network address, but the issuer does not"
        case .certificateRequired(let origin): "'\(origin)' requires a client certificate".hint(certificate)
        case .certificateUnusable(let origin, let reason):
            "the client certificate cannot be presented to '\(origin)': \(shown: reason)"
                .hint("OpenSSL on this machine rejects its signature, key or chain")
        case .certificateRefused(let origin, let alert):
            "'\(origin)' rejects the client certificate: \(alert.message)".hint(certificate)
        case .clientUnavailable:
            "libcurl, in its build with OpenSSL, cannot be loaded".hint(run: "apt-get install libcurl4")
        case .cancelled: "cancelled"
        }
    }
}

extension CertificateAlert {
    fileprivate var message: String {
        switch self {
        case .required: "it requires another certificate"
        case .bad: "it is unreadable or does not match the key"
        case .unsupported: "its type is not accepted"
        case .revoked: "its CA has revoked it"
        case .expired: "it has expired by the server's clock"
        case .unknown: "no reason is given"
        case .unknownAuthority: "its CA is not trusted by the server"
        case .accessDenied: "it is not allowed to access the server"
        }
    }
}

extension HTTPFieldProblem: UserFacingError {
    func explanation(_ context: ErrorContext) -> Explanation { Explanation(message: message) }

    var message: String {
        switch self {
        case .name(let name): "'\(name)' is not a valid header name"
        case .value(let name): "the value of header '\(name)' contains a line break or another control character"
        }
    }
}

extension HTTPURLError: UserFacingError {
    func explanation(_ context: ErrorContext) -> Explanation {
        "the settings result in an invalid URL".hint(context.settings)
    }

    /// The message, without a URL that contains a password.
    func message(_ text: String) -> String {
        switch self {
        case .malformed:
            text.hasPrefix("https://") || text.hasPrefix("http://")
                ? "'\(text)' has a space or another character that must be percent-encoded"
                : "'\(text)' is not an http or https URL"
        case .userInfo: "a URL must not have a user name or password before its host"
        case .fragment: "'\(text)' has a fragment, after '#'"
        case .host: "'\(text)' has an invalid host"
        }
    }
}

extension Distrust {
    fileprivate var message: String {
        switch self {
        case .selfSigned: "its certificate is self-signed or signed by a private authority"
        case .unknownAuthority: "its certificate was signed by an unknown CA"
        case .expired: "its certificate has expired"
        case .notYetValid: "its certificate is not valid yet"
        case .otherName: "its certificate has another host name"
        case .handshakeRefused: "it ended the handshake: it may require a client certificate, or has no common cipher"
        case .noName: "its certificate has no host name in subjectAltName"
        case .noTLS: "it does not use TLS"
        case .other(let text): text
        }
    }

    fileprivate func hint(_ context: ErrorContext) -> Hint? {
        switch self {
        case .selfSigned, .unknownAuthority:
            [.setUp, .request, .bridge].contains(context.purpose) || context.resource != nil
                ? Distrust.allHosts
                : context.setting(["--ca-file": "FILE"], if: "if it is the right server: ").map {
                    "\($0); for all hosts, set SSL_CERT_FILE to its CA's file"
                } ?? Distrust.allHosts
        case .expired, .notYetValid: "if this machine's clock is right, the server requires a new certificate"
        case .otherName, .noName: "the server requires a certificate with its name in subjectAltName"
        case .handshakeRefused, .noTLS, .other: nil
        }
    }

    fileprivate static var allHosts: Hint { "if it is the right server, set SSL_CERT_FILE to its CA's file" }
}

extension ProxyFault {
    fileprivate var message: String {
        switch self {
        case .unknownName: "has an unknown host name"
        case .unreachable: "does not accept the connection"
        case .noResponse: "did not respond to CONNECT"
        case .refused: "refuses the connection"
        case .status(let status): "refuses the connection with status \(status)"
        case .untrusted(let reason): "is not trusted: \(reason.message)"
        }
    }

    /// The CA file of a provider does not count for a proxy.
    fileprivate var hint: Hint? {
        switch self {
        case .status(407): "for a proxy with passwords: write USER:PASSWORD@ before the host in its URL"
        case .untrusted(.noTLS): "for an http proxy: write http:// at the start of its URL"
        case .untrusted(.selfSigned), .untrusted(.unknownAuthority): Distrust.allHosts
        case .untrusted: nil
        default: "if this host requires no proxy: add it to NO_PROXY"
        }
    }
}

extension DocumentError: UserFacingError {
    func explanation(_ context: ErrorContext) -> Explanation {
        switch self {
        case .status(let status, let url): "'\(url)' responded with status \(status)"
        case .redirect(let url, let target):
            "'\(url)' redirects to '\(target)', but authctl follows at most three redirects, within one origin"
                .hint(DocumentError.hint(target.description, context))
        case .tooManyRequests(let origin, let seconds): .slowDown(origin, seconds)
        }
    }

    /// How to use the issuer whose discovery document has this URL.
    private static func hint(_ document: String, _ context: ErrorContext) -> Hint? {
        let issuer = document.withoutDiscoveryPath
        return issuer == document ? nil : context.setting(["--issuer": issuer], if: "if that issuer is correct: ")
    }
}

extension ListenerError: UserFacingError {
    func explanation(_ context: ErrorContext) -> Explanation {
        switch self {
        case .portInUse(let port): "port \(port) is in use by another program".hint("choose another port with --port")
        case .otherMachine(let address):
            "'\(shown: address)' is not an address of this machine".hint(run: "ip address")
        case .noLoopback(EMFILE): "no loopback port can be opened: \(SystemText.of(EMFILE))".hint(.raiseFileLimit)
        case .noLoopback(let code):
            "no loopback address is available: \(SystemText.of(code))".hint(run: "ip addr show lo")
        }
    }
}

extension Explanation {
    static func slowDown(_ origin: String, _ seconds: Int64?) -> Explanation {
        "'\(origin)' has reached its rate limit".hint(seconds.map(Hint.again))
    }
}
