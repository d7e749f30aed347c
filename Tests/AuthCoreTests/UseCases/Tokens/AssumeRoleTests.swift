import AuthCoreTesting
import Testing

@testable import AuthCore

/// AWS Security Token Service, `AssumeRoleWithWebIdentity`.
@Suite struct `AWS roles` {
    private static let key = "<AccessKeyId>ASIA1</AccessKeyId>"
    private static let rest = """
        <SecretAccessKey>a&amp;b&lt;&gt;&quot;&apos;</SecretAccessKey><SessionToken>session-1</SessionToken>
        <Expiration>2099-01-01T01:00:00+01:00</Expiration>
        """

    private func credentials(_ body: String, status: Int = 200) async throws -> AssumeRole.Credentials {
        let service = try TestProvider()
        service.on("/") { _ throws(HTTPError) in TransportResponse(status: status, body: Array(body.utf8)) }
        let request = AssumeRole.Request(
            role: "arn:aws:iam::1:role/ci", sessionName: "authctl", duration: nil,
            endpoint: try HTTPURL("https://sts.example.com/"))
        let services = Services(transport: service, clock: Clock(now: { TestProvider.now }))
        return try await AssumeRole(services: services).run(request, token: RawIDToken("id-token-0001"))
    }

    @Test func `Returns the credentials and their expiry in UTC`() async throws {
        let credentials = try await credentials(Self.key + Self.rest)
        #expect(credentials.accessKeyID == "ASIA1")
        #expect(credentials.secretAccessKey.revealed() == #"a&b<>"'"#)
        #expect(credentials.sessionToken.revealed() == "session-1")
        #expect(credentials.expiration == "2099-01-01T00:00:00Z")
    }

    @Test(arguments: [
        "", "<AccessKeyId></AccessKeyId>", key + "<AccessKeyId>ASIA2</AccessKeyId>",
        "<AccessKeyId>ASIA<b/>1</AccessKeyId>", "<AccessKeyId>ASIA&nbsp;1</AccessKeyId>",
        "<AccessKeyId>ASIA&amp1</AccessKeyId>",
    ])
    func `Refuses a response in which an element is missing, occurs twice, or is not a text`(element: String)
        async throws
    {
        await #expect(throws: AssumeRoleError.malformed) { try await credentials(element + Self.rest) }
    }

    @Test func `A rejected token and an unavailable service are different errors`() async throws {
        let body = "<Code>AccessDenied</Code><Message>Not &lt;you&gt;</Message>"
        let refused = AssumeRoleError.refused(code: ServerText("AccessDenied"), message: ServerText("Not <you>"))
        #expect(refused.code == .accessDenied && AssumeRoleError.malformed.code == .invalidResponse)
        await #expect(throws: refused) { try await credentials(body, status: 499) }
        await #expect(throws: AssumeRoleError.malformed) { try await credentials("", status: 403) }
        await #expect(throws: OAuthError.unavailable(status: 500, origin: "https://sts.example.com:443")) {
            try await credentials(body, status: 500)
        }
    }
}
