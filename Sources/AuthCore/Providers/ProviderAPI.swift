/// A provider's own API, with the credentials for its requests.
struct ProviderAPI: Sendable {
    let root: HTTPURL
    let clientID: String
    let secret: ClientSecret?
    let accessToken: AccessToken?
    var scopes: [String] = []
    var headers: [(name: String, value: String)] = []
    let transport: any HTTPTransport
    let clock: Clock

    /// How a request authenticates.
    enum Proof { case bearer, client, none }

    struct Page {
        fileprivate let response: HTTPResponse
        let json: JSONValue
        /// `rel="next"` of the Link header (RFC 8288), if it has the same origin.
        let next: HTTPURL?

        var status: Int { response.status }

        func header(_ name: String) -> String? { response.header(name) }

        func shown(_ text: String) -> ServerText { response.shown(text) }
    }

    func send(
        _ method: HTTPRequest.Method = .get, to path: String, query: [(String, String)] = [], body: JSONValue? = nil,
        proof: Proof = .bearer, at endpoint: OAuthError.Endpoint = .profile
    ) async throws -> Page {
        let url = try HTTPURL(try HTTPURL(root.textWithoutSlash + path).appending(query))
        return try await send(method, to: url, body: body, proof: proof, at: endpoint)
    }

    func send(
        _ method: HTTPRequest.Method = .get, to url: HTTPURL, body: JSONValue? = nil, proof: Proof = .bearer,
        at endpoint: OAuthError.Endpoint = .profile
    ) async throws -> Page {
        var headers = HTTPRequest.acceptJSON + headers
        // Declared, because they would not be recognized in a body or a composed parameter.
        let secrets: [String] = [accessToken?.revealed(), secret?.revealed()].compactMap { $0 }
        switch proof {
        case .bearer:
            if let accessToken { headers.append((name: "Authorization", value: "Bearer \(accessToken.revealed())")) }
        case .client:
            guard let secret else { throw CredentialError.secretNeeded }
            let proof = try ClientAuthentication.secret(secret, by: .clientSecretBasic).apply(
                clientID: clientID, audience: "", now: clock.now(), random: .openSSL)
            headers += proof.headers
        case .none: break
        }
        if body != nil { headers.append((name: "Content-Type", value: "application/json")) }
        var request = HTTPRequest(
            method, url, headers: headers, body: body.map { Array($0.text.utf8) }, secrets: secrets)
        if method == .get { request.repeats = clock }
        let response = try await transport.response(to: request)
        return try page(response, from: url, at: endpoint)
    }

    private func page(_ response: HTTPResponse, from url: HTTPURL, at endpoint: OAuthError.Endpoint) throws -> Page {
        let isLimited =
            response.status == 429
            || response.status == 403
                && (response.header("x-ratelimit-remaining") == "0" || response.header("retry-after") != nil)
        if isLimited {
            throw OAuthError.tooManyRequests(
                origin: url.origin, retryAfter: RetryAfter.seconds(response, now: clock.now()))
        }
        guard response.status < 500 else { throw OAuthError.unavailable(status: response.status, origin: url.origin) }
        let json = (try? StrictJSON.parse(response.body.withoutByteOrderMark)) ?? .null
        if let object = json.object, let error = object.optional("error"), error != false {
            throw OAuthError.refused(error, in: object, of: response, at: endpoint)
        }
        return Page(response: response, json: response.withoutSecrets(json), next: next(response, url))
    }

    private func next(_ response: HTTPResponse, _ url: HTTPURL) -> HTTPURL? {
        for link in response.header("link")?.split(separator: ",") ?? [] {
            let parts = link.split(separator: ";").map { String($0).trimmingSpaces() }
            guard let target = parts.first, target.hasPrefix("<"), target.hasSuffix(">"),
                parts.dropFirst().contains("rel=\"next\""),
                let next = try? url.resolving(String(target.dropFirst().dropLast()))
            else { continue }
            // A page at another origin would receive the token.
            return next.origin == url.origin ? next : nil
        }
        return nil
    }
}

extension ProviderAPI.Page {
    func object(at endpoint: OAuthError.Endpoint = .profile) throws(OAuthError) -> JSONObject {
        guard status == 200 else { throw .invalidResponse(.status(status), at: endpoint) }
        guard let object = json.object else { throw .invalidResponse(.noObject(status: nil), at: endpoint) }
        return object
    }
}
