import AuthCoreTesting
import Glibc
import Synchronization
import Testing

@testable import AuthCore

/// Dynamic client registration (RFC 7591) during a sign-in to a protected resource.
@Suite struct `Client registration for a resource` {
    private let test: TestProfile
    private let resource: HTTPURL

    init() throws {
        test = try TestProfile()
        resource = try HTTPURL("https://api.example.com/v1")
        test.provider.on("/.well-known/oauth-protected-resource/v1") { _ throws(HTTPError) in
            .json(["resource": "https://api.example.com/v1", "authorization_servers": ["https://other.example.com"]])
        }
        var metadata = test.provider.metadata
        metadata["registration_endpoint"] = "https://id.example.com/register"
        metadata["code_challenge_methods_supported"] = ["S256"]
        metadata["token_endpoint_auth_methods_supported"] = ["none"]
        let text = JSONValue.object(metadata).text.replacing(TestProvider.issuer, with: "https://other.example.com")
        for path in ["/.well-known/oauth-authorization-server", "/.well-known/openid-configuration"] {
            test.provider.on(path) { _ throws(HTTPError) in .text(text) }
        }
    }

    private func registering(_ meanwhile: @escaping @Sendable () -> Void) {
        test.provider.on("/register") { request throws(HTTPError) in
            meanwhile()
            var response = (try? StrictJSON.object(request.body ?? [])) ?? [:]
            response["client_id"] = "made-1"
            return .json(response, status: 201)
        }
    }

    private func found() async throws -> SignInToResource.Target {
        try await SignInToResource(try test.sessions.profile(), clientName: "a test").run(
            resource, agrees: { _ in false })
    }

    @Test func `the configuration is not locked while a client for a resource is registered`() async throws {
        let directory = try test.sessions.profile().configDirectory
        let wasFree = Mutex<Bool?>(nil)
        registering {
            guard let descriptor = try? directory.openLock("config") else { return }
            defer { close(descriptor) }
            let isFree = flock(descriptor, LOCK_EX | LOCK_NB) == 0
            wasFree.withLock { $0 = isFree }
        }
        let target = try await found()
        #expect(target.providerID == "oidc.other.example.com" && target.made == .registration)
        #expect(wasFree.withLock { $0 } == true)
    }

    @Test(arguments: [("true", .required), ("false", .no)] as [(String, DiscoverResource.Binding)])
    func `discovery reports whether the resource accepts only DPoP-bound tokens`(
        isRequired: String, binding: DiscoverResource.Binding
    ) async throws {
        let text = """
            {"resource": "https://api.example.com/v1", "authorization_servers": ["https://other.example.com"],
                "dpop_bound_access_tokens_required": \(isRequired)}
            """
        test.provider.on("/.well-known/oauth-protected-resource/v1") { _ throws(HTTPError) in .text(text) }
        #expect(try await DiscoverResource(try test.sessions.profile()).run(resource).binding == binding)
    }

    @Test func `concurrent sign-ins replace a client that the server has forgotten by only one client`() async throws {
        let count = Mutex(0)
        test.provider.on("/register") { request throws(HTTPError) in
            var response = (try? StrictJSON.object(request.body ?? [])) ?? [:]
            response["client_id"] = .string("made-\(count.withLock { $0 += 1; return $0 })")
            return .json(response, status: 201)
        }
        test.provider.on("/token") { request throws(HTTPError) in
            let isForgotten = String(decoding: request.body ?? [], as: UTF8.self).contains("client_id=made-1")
            return .json(["error": isForgotten ? "invalid_client" : "invalid_grant"], status: 400)
        }
        _ = try await found()
        let profile = try test.sessions.profile()
        try await profile.changingSettings {
            var changed = try profile.resolve("oidc.other.example.com").configured()
            changed.apiHosts = ["more.example.com"]
            try await profile.save(changed, secret: nil)
        }
        let found = self.found
        try await withThrowingTaskGroup(of: SignInToResource.Target.self) { group in
            for _ in 1...4 { group.addTask { try await found() } }
            for try await target in group { #expect(target.providerID == "oidc.other.example.com") }
        }
        #expect(test.provider.count(of: "/register") == 2)
        let entries = try test.sessions.profile().providers().filter { $0.id != "oidc.test" }
        #expect(entries.map(\.clientID) == ["made-2"])
        // The other settings stay.
        #expect(entries.first?.apiHosts == ["more.example.com"])
        #expect(entries.first?.addedForResource == "https://api.example.com")
    }

    @Test func `concurrent sign-ins to the same resource register only one client`() async throws {
        registering {}
        let found = self.found
        let ids = try await withThrowingTaskGroup(of: String.self) { group in
            for _ in 1...4 { group.addTask { try await found().providerID } }
            return try await group.reduce(into: Set<String>()) { $0.insert($1) }
        }
        #expect(ids == ["oidc.other.example.com"])
        #expect(test.provider.count(of: "/register") == 1)
    }
}
