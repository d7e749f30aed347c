package typealias HTTPRequest = TransportRequest
package typealias HTTPResponse = TransportResponse

/// One request. Only `HTTPTransport` sends it.
public struct TransportRequest: Sendable {
    /// The method (RFC 9110 section 9.3), by its name on the wire.
    public enum Method: String, Sendable, CaseIterable {
        /// GET.
        case get = "GET"
        /// HEAD.
        case head = "HEAD"
        /// Used by all OAuth endpoints.
        case post = "POST"
        /// Creates or replaces a resource.
        case put = "PUT"
        /// Changes a resource.
        case patch = "PATCH"
        /// Deletes a resource.
        case delete = "DELETE"
    }

    /// The request method.
    public var method: Method
    /// The URL of the request.
    public var url: HTTPURL
    /// The header fields, in the order in which they are sent. Names may be repeated.
    public var headers: [(name: String, value: String)]
    /// The content; nil for none.
    public var body: [UInt8]?
    /// The maximum length of the decoded response body in bytes. A longer body is an error.
    public var maximumResponseLength: Int
    package var narrowestZone: NetworkZone
    package var allowsPlainHTTP: Bool
    package var bypassesProxy = false
    /// The clock for further tries after a temporary failure (`Repetition`); nil for a request that is sent once. Only
    /// for requests that a server may get twice. Each try has the same header fields.
    var repeats: Clock?
    /// Seconds for the whole request: nil for the transport's default, 0 for no limit.
    package var timeout: Int?
    /// Receives the parts of a successful `text/event-stream` on the transport's thread, with the response's head. If
    /// it returns false, the request ends with `cancelled`. If it is nil, the events are the response's body.
    package var eventPart: (@Sendable (_ head: HTTPResponse, _ part: [UInt8]) -> Bool)?
    /// The client certificate, if the server requests one (RFC 8705). Never used over plain http.
    package var clientCertificate: ClientCertificate?
    /// Secrets that `carriedSecrets` does not find, for example in a JSON body.
    package var secrets: [String]

    /// Whether an eavesdropper would learn a secret. Any method other than GET and HEAD counts as secret.
    var isConfidential: Bool {
        ![.get, .head].contains(method) || !secrets.isEmpty
            || headers.contains { $0.name.lowercased() == "authorization" }
    }

    package init(
        _ method: Method = .get, _ url: HTTPURL, headers: [(name: String, value: String)] = [], body: [UInt8]? = nil,
        maximumResponseLength: Int = 1 << 20, narrowestZone: NetworkZone = .loopback, allowsPlainHTTP: Bool = false,
        secrets: [String] = []
    ) {
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
        self.maximumResponseLength = maximumResponseLength
        self.narrowestZone = narrowestZone
        self.allowsPlainHTTP = allowsPlainHTTP
        self.secrets = secrets
    }

    static let acceptJSON = [(name: "Accept", value: "application/json")]

    package static func form(
        _ url: HTTPURL, with parameters: [(String, String)], headers: [(name: String, value: String)] = [],
        secrets: [String] = []
    ) -> HTTPRequest {
        HTTPRequest(
            .post, url,
            headers: [(name: "Content-Type", value: "application/x-www-form-urlencoded")] + acceptJSON + headers,
            body: Array(FormURLEncoded.encode(parameters).utf8), secrets: secrets)
    }
}

/// A server's response.
public struct TransportResponse: Sendable {
    /// The status code (RFC 9110 section 15).
    public var status: Int
    /// The header fields, in the order of the response.
    public var headers: [(name: String, value: String)]
    /// The content, decoded.
    public var body: [UInt8]
    package var remoteAddress: String?
    var secrets: [String] = []

    /// Creates a response; `remoteAddress` is the server's IP address, if the transport knows it.
    public init(
        status: Int, headers: [(name: String, value: String)] = [], body: [UInt8] = [], remoteAddress: String? = nil
    ) {
        self.status = status
        self.headers = headers
        self.body = body
        self.remoteAddress = remoteAddress
    }

    /// The first header field with this name, compared without case.
    public func header(_ name: String) -> String? { headers.first { $0.name.lowercased() == name.lowercased() }?.value }

    /// The media type without parameters, in lower case.
    package var mediaType: String? {
        header("content-type")?.split(separator: ";").first.map { $0.lowercased().trimmingSpaces() }
    }

    package var isEventStream: Bool { (200...299).contains(status) && mediaType == "text/event-stream" }

    /// The server's clock (`Date`), in seconds since 1970.
    package var serverTime: Int64? { header("date").flatMap(HTTPDate.parse) }

    var zone: NetworkZone? { remoteAddress.flatMap(IPAddress.init)?.zone }
}

/// The reason why a request has no usable response.
public enum HTTPError: Error, Sendable, Equatable {
    /// The name was not resolved, or the server did not accept the connection.
    case cannotConnect(origin: String, reason: String)
    /// The proxy did not connect to the server. Nothing was sent to the server.
    case proxyFailed(origin: String, proxy: String, fault: ProxyFault)
    /// The certificate is not trusted, or no common TLS version.
    case untrusted(origin: String, reason: Distrust)
    /// The response was not complete before the timeout.
    case timedOut(origin: String)
    /// The body, decoded, is longer than the request allowed; or there are too many headers.
    case tooLarge(origin: String)
    /// The connection was closed before the response was complete.
    case connectionLost(origin: String, reason: String)
    /// The connection was closed after the request, without a byte of a response (RFC 9112 section 9.5).
    case noResponse(origin: String, reason: String)
    /// The response is not HTTP.
    case malformedResponse(origin: String, reason: String)
    /// Plain http to a host that is not loopback.
    case plainHTTP(origin: String)
    /// Plain http with a secret, which the proxy could read.
    case plainHTTPThroughProxy(origin: String)
    /// A header field is invalid (RFC 9110 section 5).
    case invalidField(HTTPFieldProblem)
    /// A document from a public host pointed into a private network.
    case forbiddenAddress(origin: String)
    /// The server requires a client certificate, and none is configured.
    case certificateRequired(origin: String)
    /// The TLS library does not accept the client certificate's chain or key.
    case certificateUnusable(origin: String, reason: String)
    /// The server ended the handshake because of the client's certificate.
    case certificateRefused(origin: String, reason: CertificateAlert)
    /// libcurl is not installed.
    case clientUnavailable
    /// The task that sent the request was cancelled.
    case cancelled
}

extension HTTPError: CodedError {
    package var code: ErrorCode {
        switch self {
        case .cannotConnect, .proxyFailed, .untrusted, .timedOut, .connectionLost, .noResponse, .malformedResponse,
            .clientUnavailable:
            .networkFailed
        case .tooLarge, .forbiddenAddress: .invalidResponse
        case .plainHTTP, .plainHTTPThroughProxy, .certificateRequired, .certificateUnusable, .certificateRefused:
            .invalidConfiguration
        case .invalidField(let problem): problem.code
        case .cancelled: .cancelled
        }
    }
}

extension HTTPError {
    /// Whether nothing was sent because no connection was accepted, and a later try may succeed.
    package var mayConnectLater: Bool {
        switch self {
        case .proxyFailed(_, _, .untrusted), .proxyFailed(_, _, .status(407)): false
        case .cannotConnect, .proxyFailed: true
        default: false
        }
    }
}

extension HTTPResponse {
    /// Text of this response that can be printed: values of the request are redacted.
    func shown(_ text: String) -> ServerText { ServerText(text, secrets: secrets) }

    /// A value of this response that can be printed: secrets of the request are redacted.
    func withoutSecrets(_ value: JSONValue) -> JSONValue { Redaction(secrets).applied(to: value) }
}

extension Redaction {
    func applied(to value: JSONValue) -> JSONValue {
        guard !needles.isEmpty else { return value }
        switch value {
        case .null, .bool, .number: return value
        case .string(let text): return .string(applied(to: text))
        case .array(let values): return .array(values.map(applied(to:)))
        case .object(let object):
            let cleaned = object.members.map { member in
                JSONObject.Member(name: applied(to: member.name), value: applied(to: member.value))
            }
            // After the redaction, two names may be equal, but names in an object are unique.
            guard cleaned.contains(where: { $0.name.contains(Redaction.shown) }) else {
                return .object(JSONObject(members: cleaned))
            }
            var merged = JSONObject()
            merged.merge(JSONObject(members: cleaned))
            return .object(merged)
        }
    }
}

/// The reason why a server's certificate is not trusted.
public enum Distrust: Sendable, Equatable {
    /// The certificate is self-signed.
    case selfSigned
    /// The certificate was not signed by a trusted CA.
    case unknownAuthority
    /// The certificate has expired.
    case expired
    /// The certificate is not valid yet.
    case notYetValid
    /// The certificate is for other hosts.
    case otherName
    /// The certificate has no host name in `subjectAltName` (RFC 9525 section 6.3).
    case noName
    /// The server ended the handshake without a reason.
    case handshakeRefused
    /// The response to the handshake is not TLS.
    case noTLS
    /// Another reason, in the words of the TLS library.
    case other(String)
}

/// Why a proxy did not connect to a server.
public enum ProxyFault: Sendable, Equatable {
    /// Its host name is unknown.
    case unknownName
    /// It did not accept the connection.
    case unreachable
    /// It gave no valid response to CONNECT.
    case noResponse
    /// It is a SOCKS proxy, and refused the connection.
    case refused
    /// It responded to CONNECT with this status (RFC 9110 section 9.3.6).
    case status(Int)
    /// It is an https proxy, and the TLS handshake with it failed.
    case untrusted(Distrust)
}

/// Why a request's header field is invalid.
public enum HTTPFieldProblem: Error, Sendable, Equatable {
    /// The name is not a token (RFC 9110 section 5.1).
    case name(String)
    /// Its value has a control character, which could begin another field (RFC 9110 section 5.5).
    case value(name: String)

    package static func check(name: String, value: String) throws(HTTPFieldProblem) {
        guard !name.isEmpty, name.utf8.allSatisfy(\.isTokenCharacter) else { throw .name(name) }
        guard value.utf8.allSatisfy(\.isFieldCharacter) else { throw .value(name: name) }
    }
}

extension HTTPFieldProblem {
    /// Header fields that the caller cannot set: those of the token, and those that change the target host or the
    /// message framing (RFC 9110 sections 7.2, 7.6.1, 8.6; RFC 9112 section 6).
    private static let reserved: Set<String> = [
        "authorization", "host", "content-length", "transfer-encoding", "connection", "keep-alive", "te", "trailer",
        "upgrade", "expect", "http2-settings", "proxy-connection", "proxy-authorization", "dpop",
    ]

    package static func isReserved(_ name: String) -> Bool { reserved.contains(name.lowercased()) }

    /// Whether a setting can add this field to requests.
    static func isSettable(_ name: String, _ value: String) -> Bool {
        (try? check(name: name, value: value)) != nil && !isReserved(name)
    }
}

extension HTTPFieldProblem: CodedError {
    package var code: ErrorCode { .usage }
}

/// Sends requests. It never follows redirects and never stores cookies. Only the library's own transport presents a
/// client certificate (RFC 8705), or trusts the CA file of a provider.
public protocol HTTPTransport: Sendable {
    /// Sends one request and returns the whole response, independent of its status. Redirects are returned, not
    /// followed.
    ///
    /// - Throws: `HTTPError` if there is no response, or if it is longer than the request allows.
    func send(_ request: TransportRequest) async throws(HTTPError) -> TransportResponse
}

extension HTTPTransport {
    /// Sends a request, again if it may be repeated, and stores its secrets with the response for redaction. The only
    /// caller of `send`.
    package func response(to request: HTTPRequest) async throws(HTTPError) -> HTTPResponse {
        var result = await result(of: request)
        if let clock = request.repeats {
            var repetition = Repetition(began: clock.now())
            while let pause = repetition.pause(after: result, now: clock.now()) {
                do { try await clock.sleep(pause) } catch { throw .cancelled }
                result = await self.result(of: request)
            }
        }
        var response = try result.get()
        response.secrets = request.carriedSecrets
        return response
    }

    private func result(of request: HTTPRequest) async -> Result<HTTPResponse, HTTPError> {
        do { return .success(try await send(request)) } catch { return .failure(error) }
    }
}
