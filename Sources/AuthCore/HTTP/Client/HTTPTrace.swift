/// The trace of a request for `--verbose`. It contains names, but no bodies and no values that may be secret.
struct HTTPTrace {
    let request: HTTPRequest
    let write: @Sendable (String) -> Void

    func sent() {
        write("> \(request.method.rawValue) \(request.url.origin)\(request.url.path)")
        if let certificate = request.clientCertificate, request.url.isSecure {
            write("> client certificate of \(ServerText.shown(certificate.chain.subject)), if the server requests one")
        }
        for header in request.headers {
            let isShown = HTTPRequest.isHarmless(header: header.name)
            write("> \(header.name): \(isShown ? ServerText.shown(header.value) : "<redacted>")")
        }
        let form = request.form
        if !form.isEmpty {
            let fields = form.map {
                "\($0.name)=\(HTTPRequest.isHarmless(parameter: $0.name) ? ServerText.shown($0.value) : "<redacted>")"
            }
            write("> [\(fields.joined(separator: " "))]")
        }
    }

    func received(_ result: Result<HTTPResponse, HTTPError>) {
        switch result {
        case .success(let response):
            write(
                "< \(response.status), \(response.body.count) bytes, \(ServerText.shown(response.mediaType ?? "no content type"))"
            )
        case .failure(let error): write("< no response: \(error)")
        }
    }
}
