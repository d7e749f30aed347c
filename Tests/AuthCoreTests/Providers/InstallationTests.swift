import AuthCoreTesting
import Testing

@testable import AuthCore

@Suite struct `Installation tokens of GitHub` {
    private static let good =
        #"{"token":"ghs_1","expires_at":"2030-01-01T00:00:00Z","permissions":{"contents":"write","metadata":"read"},"repositories":[{"full_name":"ada/project"}]}"#

    private func token(
        _ response: String, status: Int = 201, permissions: [String] = ["contents=read"],
        installation: (status: Int, body: String) = (200, #"{"id":7}"#)
    ) async throws -> InstallationToken {
        let double = try TestProvider()
        @Sendable func answer(_ status: Int, _ body: String) -> HTTPResponse {
            HTTPResponse(
                status: status, headers: [(name: "content-type", value: "application/json")], body: Array(body.utf8))
        }
        double.on("/repos/ada/project/installation") { _ throws(HTTPError) in
            answer(installation.status, installation.body)
        }
        double.on("/app/installations/7/access_tokens") { _ throws(HTTPError) in answer(status, response) }
        return try await GitHub.installationToken(
            ProviderAPI(
                root: try HTTPURL(TestProvider.issuer), clientID: "", secret: nil, accessToken: AccessToken("a.b.c"),
                transport: double, clock: Clock(now: { TestProvider.now })),
            InstallationRequest(
                try #require(Repository("ada/project")), permissions.compactMap(InstallationPermission.init)))
    }

    @Test func `A complete response is a token with its expiry and permissions`() async throws {
        let issued = try await token(Self.good)
        #expect(issued.token.revealed() == "ghs_1" && issued.expiresAt == 1_893_456_000)
        #expect(issued.permissions == ["contents=write", "metadata=read"])
    }

    @Test(arguments: [
        ("{}", "token"), ("[]", "token"), ("", "token"), (Self.good.replacing("ghs_1", with: ""), "token"),
        (Self.good.replacing("ghs_1", with: "ghs 1"), "token"),
        (Self.good.replacing("2030-01-01T00:00:00Z", with: "later"), "expires_at"),
        (Self.good.replacing("expires_at", with: "e"), "expires_at"),
        (Self.good.replacing("repositories", with: "r"), "repositories"),
        (Self.good.replacing("ada/project", with: "ada/other"), "repositories"),
        (Self.good.replacing(#"[{"full_name":"ada/project"}]"#, with: "[]"), "repositories"),
        (Self.good.replacing(#"}]"#, with: #"},{"full_name":"ada/other"}]"#), "repositories"),
    ])
    func `A response without a token for exactly this repository is refused`(response: String, member: String)
        async throws
    {
        await #expect(throws: OAuthError.invalidResponse(.missing(member), at: .installation)) {
            try await token(response)
        }
    }

    @Test(arguments: ["contents=admin", "issues=read"])
    func `A response without a requested permission is refused`(permission: String) async throws {
        let request = InstallationRequest(
            try #require(Repository("ada/project")), [try #require(InstallationPermission(permission))])
        await #expect(throws: InstallationError.permissionsRefused(request, provider: "github.com", nil)) {
            try await token(Self.good, permissions: [permission])
        }
    }

    @Test func `GitHub's secondary rate limit is a status 403 with Retry-After`() async throws {
        let double = try TestProvider()
        double.on("/user") { _ throws(HTTPError) in
            HTTPResponse(status: 403, headers: [(name: "retry-after", value: "60")], body: Array("{}".utf8))
        }
        let root = try HTTPURL(TestProvider.issuer)
        let api = ProviderAPI(
            root: root, clientID: "", secret: nil, accessToken: AccessToken("a.b.c"), transport: double,
            clock: Clock(now: { TestProvider.now }))
        await #expect(throws: OAuthError.tooManyRequests(origin: root.origin, retryAfter: 60)) {
            try await GitHub.person(api)
        }
    }

    private static let absent = Repository("ada/project").map {
        InstallationError.notInstalled($0, provider: "github.com")
    }

    @Test(
        arguments: [
            (401, "{}", .appRejected(provider: "github.com", nil)), (404, "{}", absent), (301, "{}", absent),
            (
                404, #"{"message":"Integration not found"}"#,
                .appRejected(provider: "github.com", ServerText("Integration not found"))
            ),
            (403, "{}", .refused(provider: "github.com", status: 403, nil)),
        ] as [(Int, String, InstallationError?)])
    func `Each refusal of GitHub is its own error`(status: Int, body: String, error: InstallationError?) async throws {
        await #expect(throws: try #require(error)) { try await token(Self.good, installation: (status, body)) }
    }

    @Test(arguments: ["{}", #"{"id":"7/../8"}"#, ""])
    func `The ID of an installation must be a number`(body: String) async throws {
        await #expect(throws: OAuthError.invalidResponse(.malformed("id", isNot: .number), at: .installation)) {
            try await token(Self.good, installation: (200, body))
        }
    }

    @Test(arguments: ["", "a", "a/", "/a", "a/b/c", "a/..", "./b", "a b/c", "a/b%2f", "a/b?", "é/b", "a/b\n"])
    func `A malformed repository is refused`(text: String) {
        #expect(Repository(text) == nil)
    }

    @Test func `Hyphens in the name of a permission are underscores at GitHub`() {
        #expect(InstallationPermission("pull-requests=write")?.text == "pull_requests=write")
        for text in ["", "contents", "=read", "contents=", "contents=all", "a=read=write", "a b=read"] {
            #expect(InstallationPermission(text) == nil)
        }
    }
}
