/// The server's response to a pushed authorization request (RFC 9126 section 2.2).
struct PushedRequest: Sendable {
    let requestURI: String
    /// Seconds within which the browser must open the URL.
    let expiresIn: Int64

    private static let maximumLength = 4096

    init(_ response: HTTPResponse, origin: String, now: Int64) throws(OAuthError) {
        func invalid(_ fault: ResponseFault) -> OAuthError { .invalidResponse(fault, at: .pushedAuthorization) }
        let object = try TokenResponse.object(response, origin: origin, at: .pushedAuthorization, now: now)
        guard response.status == 201 else { throw invalid(.status(response.status)) }
        guard let uri = object["request_uri"]?.string else { throw invalid(.missing("request_uri")) }
        guard (1...PushedRequest.maximumLength).contains(uri.utf8.count),
            uri.isVisibleASCII
        else { throw invalid(.malformed("request_uri", isNot: .token)) }
        guard let seconds = object["expires_in"].flatMap(Seconds.span(of:)), seconds > 0 else {
            throw invalid(.malformed("expires_in", isNot: .span))
        }
        requestURI = uri
        expiresIn = seconds
    }
}

extension TokenEndpoint {
    /// Pushes an authorization request (RFC 9126 section 2.1). If that fails, the sign-in fails: an attacker who can
    /// block the request must not get its parameters into the browser's URL.
    func push(_ request: AuthorizationRequest, to url: HTTPURL) async throws -> PushedRequest {
        // A pushed request that names another request (`request_uri`) could be an attacker's.
        if let name = request.parameters.first(where: { ["request_uri", "request"].contains($0.0) })?.0 {
            throw OAuthError.reservedParameter(name)
        }
        let response = try await send(request.parameters, to: url)
        try checkCertificate(response, at: .pushedAuthorization)
        return try PushedRequest(response, origin: url.origin, now: services.clock.now())
    }
}
