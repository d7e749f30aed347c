import AuthCoreTesting
import Testing

@testable import AuthCore

/// Authorization server discovery with hostile responses.
@Suite struct `Discovery of a resource's authorization server` {
    private static let document: JSONObject = [
        "resource": "https://api.example.com/v1", "authorization_servers": ["https://id.example.com"],
    ]

    private func discover(_ double: TestProvider, _ url: String = "https://api.example.com/v1") async throws
        -> ResourceDiscovery.Found
    {
        let services = Services(transport: double, clock: Clock(now: { TestProvider.now }, sleep: { _ in }))
        return try await ResourceDiscovery(services: services).run(try HTTPURL(url))
    }

    private func challenged(_ challenge: String, from address: String? = nil) throws -> TestProvider {
        let double = try TestProvider()
        double.on("/v1") { _ throws(HTTPError) in
            HTTPResponse(
                status: 401, headers: [(name: "WWW-Authenticate", value: challenge)], remoteAddress: address)
        }
        return double
    }

    @Test func `R1: if a challenge contains the metadata URL, the well-known URL is not requested`() async throws {
        let double = try challenged(#"Bearer resource_metadata="https://api.example.com/meta", scope="a b""#)
        double.on("/meta") { _ throws(HTTPError) in .json(Self.document) }
        let found = try await discover(double)
        #expect(found.metadataURL?.text == "https://api.example.com/meta")
        #expect(found.scopes == ["a", "b"])
        #expect(double.requests(to: "/.well-known/oauth-protected-resource/v1").isEmpty)
    }

    @Test func `R1: the well-known URLs are requested in order, without a token, until one has JSON`() async throws {
        let double = try challenged("Bearer")
        double.on("/.well-known/oauth-protected-resource/v1") { _ throws(HTTPError) in
            .text("<html>", type: "text/html")
        }
        double.on("/.well-known/oauth-protected-resource") { _ throws(HTTPError) in .json(Self.document) }
        let found = try await discover(double)
        #expect(found.metadataURL?.path == "/.well-known/oauth-protected-resource")
        for path in ["/v1", "/.well-known/oauth-protected-resource/v1", "/.well-known/oauth-protected-resource"] {
            let requests = double.requests(to: path)
            #expect(requests.count == 1 && requests.allSatisfy { $0.headers.allSatisfy { $0.name == "Accept" } })
        }
    }

    @Test(arguments: [200, 401, 404, 405])
    func `the challenge is read from a POST without a token if the GET has none`(status: Int) async throws {
        let double = try TestProvider()
        let challenge = #"Bearer resource_metadata="https://api.example.com/meta", scope="a""#
        double.on("/v1") { request throws(HTTPError) in
            guard request.method == .post else { return HTTPResponse(status: status) }
            return HTTPResponse(status: 401, headers: [(name: "WWW-Authenticate", value: challenge)])
        }
        double.on("/meta") { _ throws(HTTPError) in .json(Self.document) }
        let found = try await discover(double)
        #expect(found.metadataURL?.text == "https://api.example.com/meta" && found.scopes == ["a"])
        let sent = double.requests(to: "/v1")
        #expect(sent.map(\.method) == [.get, .post])
        #expect(sent.allSatisfy { $0.headers.allSatisfy { $0.name != "Authorization" } })
    }

    @Test func `R1: discovery of a URL without resource metadata finds nothing`() async throws {
        let found = try await discover(try TestProvider())
        #expect(found.resource == nil && found.metadataURL == nil)
    }

    @Test(arguments: [
        "http://api.example.com/meta", "https://127.0.0.1/meta", "https://169.254.169.254/meta",
        "https://[fd00::1]/meta",
        "javascript:alert(1)", "/meta",
    ])
    func `R3: a public resource's metadata URL is refused if it is not https or in a private network`(place: String)
        async throws
    {
        let double = try challenged("Bearer resource_metadata=\"\(place)\"", from: "93.184.216.34")
        let fault: DiscoveryError.EndpointFault =
            place.hasPrefix("http:") ? .plainHTTP : place.hasPrefix("https:") ? .privateNetwork : .notAURL
        await #expect(throws: ProtectedResourceError.invalidURL("resource_metadata", ServerText(place), fault)) {
            try await discover(double)
        }
        #expect(double.requests(to: "/meta").isEmpty)
    }

    @Test func `R3: the metadata request of a public resource may connect only to public addresses`() async throws {
        let double = try challenged(
            #"Bearer resource_metadata="https://inside.example.com/meta""#, from: "93.184.216.34")
        double.on("/meta") { _ throws(HTTPError) in .json(Self.document) }
        _ = try await discover(double)
        #expect(double.requests(to: "/meta").map(\.narrowestZone) == [.global])
        #expect(double.requests(to: "/meta").allSatisfy { $0.maximumResponseLength <= 256 << 10 })
    }

    @Test func `R1: a well-known URL that redirects to another origin is skipped`() async throws {
        let redirect = HTTPResponse(
            status: 302, headers: [(name: "Location", value: "https://login.example.com/?next=x")])
        let double = try challenged("Bearer")
        double.on("/.well-known/oauth-protected-resource/v1") { _ throws(HTTPError) in redirect }
        double.on("/.well-known/oauth-protected-resource") { _ throws(HTTPError) in .json(Self.document) }
        #expect(try await discover(double).metadataURL?.path == "/.well-known/oauth-protected-resource")
        double.on("/.well-known/oauth-authorization-server") { _ throws(HTTPError) in redirect }
        let services = Services(transport: double, clock: Clock(now: { TestProvider.now }, sleep: { _ in }))
        let found = try await Discovery(fetcher: services.fetcher).authorizationServer(HTTPURL(TestProvider.issuer))
        #expect(found.document == .openID)
    }

    @Test func `R3: a redirect of resource metadata to another origin is refused`() async throws {
        let double = try challenged("Bearer")
        double.on("/.well-known/oauth-protected-resource/v1") { _ throws(HTTPError) in
            HTTPResponse(status: 302, headers: [(name: "Location", value: "http://169.254.169.254/")])
        }
        let url = "https://api.example.com/.well-known/oauth-protected-resource/v1"
        await #expect(throws: DocumentError.redirect(url: url, to: ServerText("http://169.254.169.254/"))) {
            try await discover(double)
        }
    }

    @Test(arguments: [
        ("https://id.example.com", ["/.well-known/oauth-authorization-server", "/.well-known/openid-configuration"]),
        (
            "https://id.example.com/t",
            [
                "/.well-known/oauth-authorization-server/t", "/.well-known/openid-configuration/t",
                "/t/.well-known/openid-configuration",
            ]
        ),
    ])
    func `R1: the metadata URLs of an authorization server are requested in the order of RFC 8414`(
        issuer: String, places: [String]
    ) async throws {
        for (index, place) in places.enumerated() {
            let double = try TestProvider()
            var metadata = double.metadata
            metadata["issuer"] = .string(issuer)
            metadata["jwks_uri"] = nil
            let found = metadata
            double.on("/.well-known/openid-configuration") { _ throws(HTTPError) in HTTPResponse(status: 404) }
            double.on(place) { _ throws(HTTPError) in .json(found) }
            let discovery = Discovery(
                fetcher: DocumentFetcher(
                    transport: double, cache: nil, clock: Clock(now: { 0 }, sleep: { _ in })))
            let server = try await discovery.authorizationServer(try HTTPURL(issuer))
            #expect(!server.metadata.issuesIDTokens)
            for earlier in places.prefix(index) { #expect(double.requests(to: earlier).count == 1) }
            #expect(double.requests(to: place).count == 1)
        }
    }

    @Test func `R2: authorization server metadata with a different issuer is refused`() async throws {
        for named in ["https://other.example.com", "https://id.example.com/tenant", "https://ID.example.com"] {
            let double = try TestProvider()
            var metadata = double.metadata
            metadata["issuer"] = .string(named)
            let found = metadata
            for place in ["/.well-known/oauth-authorization-server", "/.well-known/openid-configuration"] {
                double.on(place) { _ throws(HTTPError) in .json(found) }
            }
            let discovery = Discovery(
                fetcher: DocumentFetcher(
                    transport: double, cache: nil, clock: Clock(now: { 0 }, sleep: { _ in })))
            let error = DiscoveryError.issuerMismatch(expected: "https://id.example.com", found: ServerText(named))
            await #expect(throws: error) {
                _ = try await discovery.authorizationServer(try HTTPURL("https://id.example.com"))
            }
        }
    }
}
