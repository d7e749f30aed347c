import Testing

@testable import AuthCore
@testable import authctl

/// Tokens for one protected resource.
@Suite struct `Tokens for a resource` {
    private static let origin = "https://api.example.com"

    private func ledger() async throws -> (LocalDirectory, TemporaryFolder) {
        let folder = try TemporaryFolder()
        let config = ConfigDirectory(path: folder.path + "/config")
        let store = try #require(try Store.open(in: config, host: NobodyToAsk(), creating: true))
        let directory = LocalDirectory(Ledger(store, profile: "default"))
        for path in [nil, "/", "/a", "/a/b"] {
            let grant = Grant(
                providerID: "oidc.work", issuer: "https://id.example.com", clientID: "c",
                tokens: Tokens(
                    accessToken: AccessToken("token of \(path ?? "nothing")"), refreshToken: RefreshToken("r"),
                    tokenOrigin: "https://id.example.com"),
                subject: "ada", lastProvenAt: 1, source: .browser,
                resource: try path.map { try HTTPURL(Self.origin + $0) })
            let identity = Identity(
                key: IdentityKey(providerID: "oidc.work", authority: "https://id.example.com", federatedID: "ada"),
                email: nil, isEmailVerified: false, displayName: nil, photoURL: nil)
            _ = try await directory.signIn(
                AccountCredential(identity: identity, grant: grant, said: JSONObject()), now: 1)
        }
        return (directory, folder)
    }

    @Test(arguments: [
        ("/", "/"), ("", "/"), ("/x", "/"), ("/a", "/a"), ("/a/", "/a"), ("/a/x", "/a"), ("/ab", "/"),
        ("/a/b/c?d", "/a/b"),
    ])
    func `the longest resource that a URL is below has its token`(path: String, resource: String) async throws {
        let (directory, folder) = try await ledger()
        defer { withExtendedLifetime(folder) {} }
        let session = try await SessionChoice(directory: directory)(
            account: nil, provider: nil, covering: try HTTPURL(Self.origin + path))
        #expect(session.accessToken == AccessToken("token of \(resource)"))
    }

    @Test func `where no resource is meant, none's token is handed out`() async throws {
        let (directory, folder) = try await ledger()
        defer { withExtendedLifetime(folder) {} }
        let session = try await SessionChoice(directory: directory)(account: nil, provider: "oidc.work")
        #expect(session.accessToken == AccessToken("token of nothing"))
        for url in ["https://other.example.com/a", "http://api.example.com/a", "https://api.example.com:8443/a"] {
            #expect(
                try await SessionChoice(directory: directory).found(
                    account: nil, provider: nil, covering: try HTTPURL(url)) == nil)
        }
    }

    @Test func `a sealed token cannot be moved to another resource`() async throws {
        let (directory, folder) = try await ledger()
        _ = try await SQLiteScript.run(
            [
                "DELETE FROM session WHERE resource = '\(Self.origin)/a/b'",
                "UPDATE session SET resource = '\(Self.origin)/a/b' WHERE resource = '\(Self.origin)/a'",
            ], on: folder.path + "/config/authctl.db")
        await #expect(throws: StoreError.self) {
            try await SessionChoice(directory: directory)(
                account: nil, provider: nil, covering: try HTTPURL(Self.origin + "/a/b"))
        }
    }

    @Test func `R5: Microsoft takes no resource, but scopes that begin with it`() throws {
        let provider = try Provider(builtIn: "microsoft.com", clientID: "c")
        let resource = try HTTPURL("https://api.example.com/")
        #expect(
            provider.scopes(
                of: resource, adding: ["notes.read", "offline_access", "https://graph.microsoft.com/Mail.Read"])
                == [
                    "openid", "profile", "email", "offline_access", "https://api.example.com/notes.read",
                    "https://graph.microsoft.com/Mail.Read",
                ])
        #expect(provider.scopes(of: resource, adding: []).last == "https://api.example.com/.default")
        #expect(provider.dialect.namesResourceInScopes)
    }

    @Test(
        arguments: [
            ("https://id.example.com", [], "oidc.id.example.com"),
            ("https://id.example.com:8443/t", [], "oidc.id.example.com-8443"),
            ("https://id.example.com/b", ["oidc.id.example.com"], "oidc.id.example.com-2"),
            ("https://id.example.com/c", ["oidc.id.example.com", "oidc.id.example.com-2"], "oidc.id.example.com-3"),
        ] as [(String, [String], String)])
    func `an entry that is made is called after its issuer's host`(issuer: String, taken: [String], name: String) throws
    {
        #expect(SignInToResource.name(of: try HTTPURL(issuer), besides: taken) == name)
        try Provider.check(id: name)
    }
}
