import AuthCoreTesting
import FoundationEssentials
import Glibc
import Testing

@testable import AuthCore

/// Entries of the catalog that an attacker wrote, and answers that a user was persuaded to give.
@Suite struct `Entries of users and organizations` {
    private let folder: StoreFolder
    private let profile: Profile
    private var file: String { folder.directory.path(of: "catalog.d/birds.yaml") }

    init() throws {
        folder = try StoreFolder()
        mkdir(folder.directory.path(of: "catalog.d"), 0o700)
        let configuration = Sessions.Configuration(
            environment: [SystemConfiguration.variable: folder.directory.path(of: "organization")])
        profile = Profile("default", in: folder.directory, host: ProgramHost(configuration: configuration))
    }

    private static let good = """
        title: Birds
        id: oauth.birds
        redirect: any 127.0.0.1
        authorization_endpoint: https://birds.example/authorize
        token_endpoint: https://birds.example/token

        """

    private func write(_ text: String, at path: String? = nil, mode: mode_t = 0o600) throws {
        let path = path ?? file
        let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        try #require(descriptor >= 0)
        defer { close(descriptor) }
        try #require(Glibc.write(descriptor, text, text.utf8.count) == text.utf8.count && fchmod(descriptor, mode) == 0)
    }

    /// The fault of the entry; nil if it can be used.
    private func fault(_ text: String) throws -> CatalogError.Fault? {
        try write(text)
        do throws(CatalogError) {
            _ = try profile.catalogEntry("birds")
            return nil
        } catch {
            #expect(error.path == file && error.code == .invalidConfiguration)
            return error.fault
        }
    }

    /// The good entry, with these lines instead of those with the same keys.
    private func fault(with lines: String) throws -> CatalogError.Fault? {
        let keys = lines.split(separator: "\n").map { $0.prefix { $0 != ":" } }
        let kept = Self.good.split(separator: "\n").filter { line in !keys.contains { line.hasPrefix($0 + ":") } }
        return try fault(kept.joined(separator: "\n") + "\n" + lines + "\n")
    }

    private func entry(_ text: String) throws -> CatalogEntry {
        try write(text)
        return try #require(try profile.catalogEntry("birds"))
    }

    @Test func `An entry without an attack is used`() throws {
        let entry = try entry(Self.good)
        #expect(entry.id == "oauth.birds" && entry.file == file && Set(entry.hosts) == ["birds.example"])
    }

    @Test(
        arguments: [
            ("http://birds.example/t", SettingFault.notHTTPSURL),
            ("HTTP://birds.example/t", SettingFault.notHTTPSURL),
            ("https://birds.example@evil.example/t", SettingFault.userName),
            ("https://birds.example:443@evil.example/", SettingFault.userName),
            ("https://birds.example./t", SettingFault.malformedHost),
            ("https://2130706433/t", SettingFault.malformedHost),
            ("https://0x7f.1/t", SettingFault.malformedHost),
            ("https://birds.example:0/t", SettingFault.malformedHost),
            ("https://bírds.example/t", SettingFault.malformedHost),
            ("https://birds.example/t#f", SettingFault.notHTTPSURL),
            ("https://{nest}.birds.example/t", SettingFault.malformedHost),
            ("file:///etc/passwd", SettingFault.notHTTPSURL),
        ] as [(String, @Sendable (ServerText) -> SettingFault)])
    func `An endpoint must be an https URL with a plain host`(
        url: String, fault: @Sendable (ServerText) -> SettingFault
    ) throws {
        let expected = fault(ServerText(url))
        #expect(try self.fault(with: "token_endpoint: '\(url)'") == .setting("token_endpoint", expected))
        for key in Provider.settings.filter({ $0.kind == .endpoint }).map(\.key) where key != "token_endpoint" {
            let found = try self.fault(with: "uid_path: id\n\(key): '\(url)'")
            #expect(found == .setting(key, .notHTTPSURL(ServerText(url))))
        }
    }

    @Test(arguments: [
        "client_secret_file: /etc/shadow", "client_secret_env: AWS_SECRET_ACCESS_KEY", "private_key: /root/key.pem",
        "private_key_passphrase_file: /root/word", "certificate: /root/cert.pem", "allow_http: true",
        "trust_email: true", "trusted_audiences: [another-client]", "assertion_from: oidc.work", "client_id: theirs",
        "redirect_uri: https://evil.example/", "redirect_path: /callback/oidc.work", "service: spotify 2020",
        "made_for: https://birds.example", "base_url: https://evil.example", "app_id: '1'",
        "team_id: x", "key_id: x", "key_alg: ES256", "colour: red", "Token_endpoint: https://birds.example/token",
        "token_endpoint\u{200B}: https://birds.example/token",
    ])
    func `A setting of the user or of the machine is an unknown key`(line: String) throws {
        #expect(try fault(Self.good + line) == .key(String(line.prefix { $0 != ":" })))
    }

    @Test(arguments: [
        "api_hosts: [api.spotify.com]", "api_hosts: [API.Spotify.COM]", "api_hosts: ['api.spotify.com:443']",
        "api_hosts: ['https://api.spotify.com']", "api_hosts: ['https://api.spotify.com:8443']",
        "token_endpoint: https://API.SPOTIFY.COM/token", "token_endpoint: https://api.spotify.com:8443/token",
        "authorization_endpoint: https://accounts.spotify.com/authorize", "revocation_endpoint: https://zoom.us/r",
        "pushed_authorization_request_endpoint: https://zoom.us/par", "issuer: https://zoom.us",
        "device_authorization_endpoint: https://zoom.us/d",
        "uid_path: id\nuserinfo_endpoint: https://api.spotify.com/v1/me",
        // Of built-in providers: API, git, registry, and endpoints.
        "api_hosts: [api.github.com]", "api_hosts: [github.com]", "api_hosts: [ghcr.io]",
        "api_hosts: [www.googleapis.com]", "token_endpoint: https://oauth2.googleapis.com/token",
        "api_hosts: [graph.microsoft.com]", "token_endpoint: https://login.microsoftonline.com/t",
        "api_hosts: [graph.facebook.com]", "token_endpoint: https://appleid.apple.com/t", "api_hosts: [api.x.com]",
        // A service with a default host.
        "api_hosts: [login.salesforce.com]",
    ])
    func `A host of the catalog or of a built-in provider is refused, in any spelling`(line: String) throws {
        let fault = try #require(try fault(with: line))
        guard case .taken(let host) = fault else {
            Issue.record("\(fault)")
            return
        }
        #expect(line.lowercased().contains(host))
    }

    @Test(arguments: [
        "api.spotify.com.", ".spotify.com", "https://.spotify.com", "*.spotify.com", "http://birds.example",
        "u@birds.example", "birds.example/path", "birds.example?q", "birds.example#f", "bírds.example", "a b", "",
    ])
    func `An API host must be a host or an https origin`(host: String) throws {
        #expect(
            try fault(Self.good + "api_hosts: ['\(host)']")
                == .setting("api_hosts", .malformedHost(ServerText(host))))
    }

    @Test(arguments: [
        "github.com", "oauth.spotify", "oauth.SPOTIFY", "oauth.eve.online", "oidc.slack", "oidc.birdz", "oauth.Birds",
        "work", "oauth.", "oauth.a/b", "oidc.work", "",
    ])
    func `An ID must be the file's name, and not one of the catalog by its variables`(id: String) throws {
        let fault = try #require(try fault(with: "id: '\(id)'"))
        let isTaken = ["oauth.spotify", "oauth.SPOTIFY", "oauth.eve.online", "oidc.slack"].contains(id)
        #expect(fault == (isTaken ? .taken(id) : .value("id")))
    }

    @Test(arguments: [
        "github", "github.com", "GitHub", "x", "x.com", "oidc.work", "oauth.birds", "../birds", "catalog.d/birds",
        ".birds",
        "", "a b", "bírds", "birds\u{0}",
    ])
    func `A file cannot stand for a built-in provider, an ID or a path`(name: String) throws {
        try write(Self.good)
        try write(Self.good, at: folder.directory.path(of: "birds.yaml"))
        if !name.contains("/"), !name.contains("\u{0}") {
            let own = Self.good.replacing("oauth.birds", with: "oauth.\(name)")
            try write(own, at: folder.directory.path(of: "catalog.d/\(name).yaml"))
        }
        #expect(try profile.catalogEntry(name) == nil)
    }

    @Test func `A file with the name of a service is not read`() throws {
        try write("- [", at: folder.directory.path(of: "catalog.d/spotify.yaml"))
        #expect(try profile.catalogEntry("spotify")?.file == nil)
    }

    @Test(arguments: [
        "any evil.example", "fixed evil.example", "any 127.0.0.1@evil.example", "any localhost.evil.example",
        "any 10.0.0.1",
        "any evil.example/", "any 127.0.0.1/x?", "other", "any 127.0.0.1 x", "",
    ])
    func `A redirect URI must be on loopback`(redirect: String) throws {
        #expect(try fault(with: "redirect: '\(redirect)'") == .value("redirect"))
    }

    @Test(arguments: ["javascript:alert(1)", "file:///bin/sh", "http://birds.example", "--help"])
    func `A page to register at must be an https URL`(page: String) throws {
        #expect(try fault(with: "register: '\(page)'") == .value("register"))
    }

    @Test(arguments: [
        "Authorization: Basic x", "authorization: x", "Host: evil.example", "Content-Length: '0'", "DPoP: x",
        "Transfer-Encoding: chunked", "Proxy-Authorization: x", "Connection: x", #""X: y\r\nHost": x"#,
        #"X-Client: "{client_id}\r\nHost: evil.example""#, #"X-Client: "a\nb""#, #""": x"#, "'a b': x", "é: x",
    ])
    func `A header of the API cannot replace one of the request, or begin another`(header: String) throws {
        let fault = try #require(try fault(Self.good + "api_headers: {\(header)}"))
        guard case .setting("api_headers", .header(let name)) = fault else {
            Issue.record("\(fault)")
            return
        }
        #expect(header.contains(name.description.prefix(1)))
    }

    @Test(
        arguments: [
            ("id: oauth.birds\n", .repeatedKey(ServerText("id"))), ("<<: {a: 1}\n", .mergeKey),
            ("a: *unknown\n", .undefinedAlias),
            ("---\na: 1\n", .secondDocument), ("[a]: 1\n", .keyIsNotText),
        ] as [(String, YAMLProblem.Reason)])
    func `YAML with two meanings is refused`(line: String, reason: YAMLProblem.Reason) throws {
        guard case .content(.yaml(let problem)) = try fault(Self.good + line) else {
            Issue.record("not refused")
            return
        }
        #expect(problem.reason == reason)
    }

    @Test func `Aliases that grow are refused, and others stand for their text`() throws {
        var text = Self.good + "scopes: &a0 [x, x, x, x, x, x, x, x, x, x]\n"
        text += "unconfirmed:\n- &a1 [*a0, *a0, *a0, *a0, *a0, *a0, *a0, *a0, *a0, *a0]\n"
        for level in 2...6 {
            text += "- &a\(level) [" + Array(repeating: "*a\(level - 1)", count: 10).joined(separator: ", ") + "]\n"
        }
        guard case .content(.yaml(let problem)) = try fault(text) else {
            Issue.record("not refused")
            return
        }
        #expect(problem.reason == .tooManyValues(YAMLDocument.maximumNodes))
        let host = "scopes: [&host api.spotify.com]\napi_hosts: [*host]\n"
        #expect(try fault(Self.good + host) == .taken("api.spotify.com"))
    }

    // MARK: Answers

    private static let questions = """
        title: Birds
        id: oauth.birds
        ask:
          nest: {question: "Nest", kind: label}
          host: {question: "Host", kind: host}
          path: {question: "Issuer", kind: url}
        authorization_endpoint: https://{nest}.spotify.com/authorize
        token_endpoint: https://{host}/tenants/{nest}/token
        userinfo_endpoint: https://{path}/me
        uid_path: id

        """

    private static let marks = [
        "", " ", "a b", "a@b", "a@b.example", "a#b", "a?b", "a%2fb", "a%2e", "a\\b", "{nest}", "a\r\nb", "a\u{0}",
        "é.example",
        "a..b", "../a", "a\u{2024}b", "a/../b.example",
    ]

    @Test(arguments: marks + ["a.b", "a/b", "a:1"]) func `A label cannot change another part of a URL`(answer: String)
        throws
    {
        #expect(try !#require(entry(Self.questions).questions.first).accepts(answer))
    }

    @Test(arguments: marks + ["a.example/", "a.example/b", "a.example:", "a.example:x", "a.example.", "0x7f.1", "a"])
    func `A host cannot change another part of a URL`(answer: String) throws {
        #expect(try !entry(Self.questions).questions[1].accepts(answer))
    }

    @Test(arguments: marks + ["a.example/", "a.example/b?c", "a.example/b#c", "a.example/%2e%2e/b", "a.example/../b"])
    func `A host with a path cannot leave its path`(answer: String) throws {
        guard answer != "a" else { return }
        #expect(try !entry(Self.questions).questions[2].accepts(answer))
    }

    @Test(arguments: [
        ["nest": "accounts"], ["host": "api.spotify.com"], ["host": "API.Spotify.com"], ["host": "api.github.com:443"],
        ["path": "api.spotify.com/v1"],
    ])
    func `Answers cannot complete the host of a service`(answers: [String: String]) throws {
        let entry = try entry(Self.questions)
        var all = ["nest": "a", "host": "birds.example", "path": "birds.example/a"]
        #expect(throws: Never.self) { try entry.answering(all).provider(clientID: "c") }
        all.merge(answers) { $1 }
        do throws(ProviderError) {
            _ = try entry.answering(all).provider(clientID: "c")
            Issue.record("not refused")
        } catch {
            guard case .invalid("oauth.birds", .takenHost) = error else {
                Issue.record("\(error)")
                return
            }
        }
    }

    // MARK: Files

    @Test func `The file must be trusted and short`() throws {
        try write(Self.good, mode: 0o666)
        #expect(try refusal() == .file(.writable(mode: 0o666)))
        chmod(file, 0o600)
        #expect(try refusal() == nil)
        chmod(folder.directory.path(of: "catalog.d"), 0o777)
        #expect(try refusal() == .file(.writable(mode: 0o777)))
        chmod(folder.directory.path(of: "catalog.d"), 0o700)
        try write(Self.good + String(repeating: "#", count: (64 << 10) - Self.good.utf8.count))
        #expect(try refusal() == nil)
        try write(Self.good + String(repeating: "#", count: (64 << 10) - Self.good.utf8.count + 1))
        #expect(try refusal() == .file(.tooLong(limit: 64 << 10)))
    }

    @Test func `A link is followed only where no other user can change it`() throws {
        let shared = try StoreFolder()
        chmod(shared.directory.path, 0o777)
        try write(Self.good, at: shared.directory.path(of: "birds.yaml"))
        try #require(symlink(shared.directory.path(of: "birds.yaml"), file) == 0)
        #expect(try refusal() == .file(.writable(mode: 0o777)))
        chmod(shared.directory.path, 0o700)
        #expect(try refusal() == nil)
        unlink(file)
        for (target, reason) in [("/usr", PathFault.Reason.otherKind), ("birds.yaml", .system(code: ELOOP))] {
            try #require(symlink(target, file) == 0)
            #expect(try refusal() == .file(reason))
            unlink(file)
        }
        try #require(mkfifo(file, 0o600) == 0)
        #expect(try refusal() == .file(.otherKind))
    }

    private func refusal() throws -> CatalogError.Fault? {
        do throws(CatalogError) {
            _ = try profile.catalogEntry("birds")
            return nil
        } catch { return error.fault }
    }

    @Test(.enabled(if: geteuid() == 0)) func `A file of another user is refused`() throws {
        try write(Self.good)
        try #require(chown(file, 65534, 65534) == 0)
        #expect(try refusal() == .file(.owner(65534)))
    }

    // MARK: Sign-in

    private static let openID = """
        title: Birds
        id: oidc.birds
        redirect: any 127.0.0.1
        issuer: https://id.example.com

        """

    private func provider(_ lines: String = "") throws -> Provider {
        try entry(Self.openID + lines).provider(clientID: TestProvider.clientID)
    }

    @Test(
        arguments: [
            (
                "issuer", "https://accounts.spotify.com",
                .issuerMismatch(expected: TestProvider.issuer, found: ServerText("https://accounts.spotify.com"))
            ),
            ("token_endpoint", "http://evil.example/token", .invalidEndpoint("token_endpoint", .plainHTTP)),
            ("token_endpoint", "https://10.0.0.1/token", .invalidEndpoint("token_endpoint", .privateNetwork)),
            ("authorization_endpoint", "https://u@evil.example/", .invalidEndpoint("authorization_endpoint", .notAURL)),
        ] as [(String, String, DiscoveryError)])
    func `Metadata of an entry's issuer cannot lead to another issuer, plain http or a private network`(
        name: String, value: String, error: DiscoveryError
    ) async throws {
        let provider = try TestProvider()
        var metadata = provider.metadata
        metadata[name] = .string(value)
        let changed = metadata
        provider.on("/.well-known/openid-configuration") { _ throws(HTTPError) in .json(changed) }
        let failure = try await SignInRun.good(provider).failure(entry: self.provider())
        #expect(failure == error)
        #expect(provider.requests(to: "/token").isEmpty)
    }

    @Test(arguments: [301, 302, 303, 307, 308])
    func `The response of a token endpoint cannot send the code or the secret elsewhere`(status: Int) async throws {
        let provider = try TestProvider()
        provider.on("/token") { _ throws(HTTPError) in
            HTTPResponse(status: status, headers: [(name: "Location", value: "https://evil.example/collect")])
        }
        let failure = try await SignInRun.good(provider).failure(
            entry: self.provider(), keys: ClientKeys(secret: ClientSecret("the-client-secret")))
        #expect(failure == OAuthError.invalidResponse(.redirect(status), at: .token))
        #expect(provider.requests(to: "/token").count == 1 && provider.requests(to: "/collect").isEmpty)
    }

    @Test(arguments: [
        "state", "redirect_uri", "code_challenge", "code_challenge_method", "client_id", "scope", "nonce",
    ])
    func `A parameter of an entry cannot replace one of the authorization request`(name: String) async throws {
        let failure = try await SignInRun.good(TestProvider()).failure(entry: provider("params: {\(name): theirs}\n"))
        #expect(failure == OAuthError.reservedParameter(name))
    }

    @Test func `An address of plain OAuth 2.0 is not verified, whatever its API says`() throws {
        let lines = "uid_path: id\nemail_path: email\nuserinfo_endpoint: https://birds.example/me\n"
        let provider = try entry(Self.good + lines).provider(clientID: "c")
        let user: JSONObject = ["id": "1", "email": "ada@example.com", "email_verified": true, "verified": true]
        let identity = try provider.identity(authority: provider.issuer.origin, claims: [:], userInfo: user)
        #expect(identity.email == "ada@example.com" && !identity.isEmailVerified)
    }

    @Test func `An address of an entry's ID token is not verified`() async throws {
        let provider = try TestProvider()
        provider.claims { $0["email_verified"] = true }
        let result = try await SignInRun.good(provider).run(entry: self.provider())
        #expect(result.account.providerData.map(\.isEmailVerified) == [false])
    }
}
