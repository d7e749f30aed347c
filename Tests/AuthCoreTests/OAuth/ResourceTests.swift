import Testing

@testable import AuthCore

/// Resource URLs (RFC 8707) and protected resource metadata (RFC 9728).
@Suite struct `Protected resources` {
    private func read(
        _ change: (inout JSONObject) -> Void = { _ in }, of url: String = "https://api.example.com/v1",
        zone: NetworkZone? = .global
    ) throws -> ProtectedResource {
        var object: JSONObject = [
            "resource": .string(url), "authorization_servers": ["https://id.example.com"],
        ]
        change(&object)
        let (bytes, asked) = (Array(JSONValue.object(object).text.utf8), try HTTPURL(url))
        return try ProtectedResource(bytes, of: asked, at: asked, zone: zone)
    }

    @Test(arguments: [
        ("https://a.example/v1", "https://a.example/v1", true),
        ("https://a.example/v1", "https://a.example/v1/x", true),
        ("https://a.example/v1/", "https://a.example/v1/x", true), ("https://a.example", "https://a.example/", true),
        ("https://a.example/", "https://a.example", true), ("https://a.example", "https://a.example:443/v1?q", true),
        ("https://a.example/v1", "https://a.example/v12", false),
        ("https://a.example/v1/", "https://a.example/v1", false),
        ("https://a.example/v1", "https://a.example/V1", false), ("https://a.example/v1", "http://a.example/v1", false),
        ("https://a.example/v1", "https://b.example/v1", false), ("https://a.example", "https://a.example:8443", false),
        ("https://a.example/v1", "https://a.example/v1/../v2", false),
        ("https://a.example/v1", "https://a.example/v1/%2E%2e/v2", false),
        ("https://a.example/v1", "https://a.example/v1/..%2Fv2", false),
        ("https://a.example/v1?a=1", "https://a.example/v1?a=1", true),
        ("https://a.example/v1?a=1", "https://a.example/v1?a=2", false),
    ])
    func `A resource covers only its own path and the paths below it`(resource: String, url: String, isCovered: Bool)
        throws
    {
        #expect(try HTTPURL(resource).covers(try HTTPURL(url)) == isCovered)
    }

    @Test(arguments: [
        ("https://a.example", ["https://a.example/.well-known/oauth-protected-resource"]),
        ("https://a.example/", ["https://a.example/.well-known/oauth-protected-resource"]),
        (
            "https://a.example:8/b/c?d=e",
            [
                "https://a.example:8/.well-known/oauth-protected-resource/b/c?d=e",
                "https://a.example:8/.well-known/oauth-protected-resource",
            ]
        ),
    ])
    func `R1: Resource metadata is looked up for the path first, then for the host`(url: String, expected: [String])
        throws
    {
        #expect(try HTTPURL(url).resourceMetadataURLs.map(\.text) == expected)
    }

    @Test(
        arguments: [
            nil, .null, "https://other.example.com/v1", "https://api.example.com/v2", "https://api.example.com/v1/",
            "http://api.example.com/v1", "https://api.example.com:8443/v1", "api.example.com",
            "https://api.example.com/v1#a",
        ] as [JSONValue?])
    func `R2: Metadata that names another resource is rejected`(resource: JSONValue?) {
        let found = resource.map { ServerText($0.string ?? "null") }
        #expect(throws: ProtectedResourceError.otherResource(requested: "https://api.example.com/v1", found: found)) {
            try read { $0["resource"] = resource }
        }
    }

    @Test func `R2: Metadata that names a parent path is accepted, and its URL is kept unchanged`() throws {
        #expect(try read { $0["resource"] = "https://api.example.com" }.resource.text == "https://api.example.com")
    }

    @Test(
        arguments: [
            ("http://id.example.com", .plainHTTP), ("https://10.0.0.1", .privateNetwork),
            ("https://[::1]", .privateNetwork), ("https://169.254.169.254", .privateNetwork), ("x", .notAURL),
            ("https://a@b.example", .notAURL),
        ] as [(String, DiscoveryError.EndpointFault)])
    func `R3: A public resource cannot name an insecure or private authorization server`(
        server: String, fault: DiscoveryError.EndpointFault
    ) {
        let error = ProtectedResourceError.invalidURL("authorization_servers", ServerText(server), fault)
        #expect(throws: error) { try read { $0["authorization_servers"] = [.string(server)] } }
    }

    @Test func `R3: Metadata with too many or no authorization servers is rejected`() {
        #expect(throws: ProtectedResourceError.tooManyAuthorizationServers(50, resource: "https://api.example.com/v1"))
        {
            try read { $0["authorization_servers"] = JSONValue((1...50).map { "https://id\($0).example.com" }) }
        }
        for none in [[], nil, "https://id.example.com"] as [JSONValue?] {
            #expect(throws: ProtectedResourceError.noAuthorizationServer("https://api.example.com/v1")) {
                try read { $0["authorization_servers"] = none }
            }
        }
    }

    @Test func `A loopback resource can name a loopback authorization server`() throws {
        let found = try read(
            { $0["authorization_servers"] = ["http://127.0.0.1:2", "http://127.0.0.1:2"] }, of: "http://127.0.0.1:1/v1",
            zone: .loopback)
        #expect(found.authorizationServers.map(\.text) == ["http://127.0.0.1:2"])
    }
}
