import Testing

@testable import AuthCore

/// Resources by their URLs, and what they say of themselves (RFC 8707, RFC 9728).
@Suite struct `A protected resource` {
    private func read(
        _ change: (inout JSONObject) -> Void = { _ in }, of asked: String = "https://api.example.com/v1",
        zone: NetworkZone? = .global
    ) throws -> ProtectedResource {
        var object: JSONObject = [
            "resource": .string(asked), "authorization_servers": ["https://id.example.com"],
        ]
        change(&object)
        return try ProtectedResource(Array(JSONValue.object(object).text.utf8), of: try HTTPURL(asked), zone: zone)
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
    func `covers its path and the paths below it only`(resource: String, url: String, isIts: Bool) throws {
        #expect(try HTTPURL(resource).covers(try HTTPURL(url)) == isIts)
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
    func `R1: its metadata is searched with its path first, then for the whole host`(url: String, places: [String])
        throws
    {
        #expect(try HTTPURL(url).resourceMetadataURLs.map(\.text) == places)
    }

    @Test(
        arguments: [
            nil, .null, "https://other.example.com/v1", "https://api.example.com/v2", "https://api.example.com/v1/",
            "http://api.example.com/v1", "https://api.example.com:8443/v1", "api.example.com",
            "https://api.example.com/v1#a",
        ] as [JSONValue?])
    func `R2: metadata of another resource is refused`(resource: JSONValue?) {
        #expect(throws: ProtectedResourceError.self) { try read { $0["resource"] = resource } }
    }

    @Test func `R2: metadata of a parent path is accepted and stored byte for byte`() throws {
        #expect(try read { $0["resource"] = "https://api.example.com" }.resource.text == "https://api.example.com")
    }

    @Test(arguments: [
        "http://id.example.com", "https://10.0.0.1", "https://[::1]", "https://169.254.169.254", "x",
        "https://a@b.example",
    ])
    func `R3: a public resource cannot name a server in a private network or without TLS`(server: String) {
        #expect(throws: ProtectedResourceError.self) { try read { $0["authorization_servers"] = [.string(server)] } }
    }

    @Test func `R3: too many servers, or none, are refused`() {
        #expect(throws: ProtectedResourceError.tooManyAuthorizationServers(50, resource: "https://api.example.com/v1"))
        {
            try read { $0["authorization_servers"] = JSONValue((1...50).map { "https://id\($0).example.com" }) }
        }
        #expect(throws: ProtectedResourceError.self) { try read { $0["authorization_servers"] = [] } }
    }

    @Test func `a resource on loopback may name a server on loopback`() throws {
        let found = try read(
            { $0["authorization_servers"] = ["http://127.0.0.1:2", "http://127.0.0.1:2"] }, of: "http://127.0.0.1:1/v1",
            zone: .loopback)
        #expect(found.authorizationServers.map(\.text) == ["http://127.0.0.1:2"])
    }
}
