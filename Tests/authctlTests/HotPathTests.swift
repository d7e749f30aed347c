import ArgumentParser
import AuthCoreTesting
import Glibc
import Testing

@testable import AuthCore
@testable import authctl

@Suite struct `Fast path` {
    @Test(arguments: [
        ["token"], ["token", "--header"], ["token", "--provider", "oidc.a"], ["token", "--type", "id", "--header"],
        ["token", "--json"], ["token", "-q", "--provider", "github"], ["token", "--force-refresh", "--quiet"],
        ["token", "--profile", "work", "--account", "ada@example.com", "--config-dir", "x", "--json"],
    ])
    func `the fast path reads the same values as the argument parser`(arguments: [String]) throws {
        let call = try #require(HotPath.parse(arguments))
        let command = try #require(try Authctl.parseAsRoot(arguments) as? TokenCommand)
        #expect(call.request.provider == command.provider.id)
        #expect(call.request.kind == command.flags.type)
        #expect(call.request.minimumLifetime == command.flags.minTtl?.seconds)
        #expect(call.request.forcesRefresh == command.forceRefresh)
        #expect((call.format == .header) == command.header)
        #expect(call.request.remindsOfEnd == !command.options.quiet)
        #expect((call.format == .json) == command.options.json)
        expectSameContext(call, command, arguments)
    }

    @Test(arguments: [
        ["whoami"], ["whoami", "--json", "-q"], ["status"], ["status", "--provider", "github", "--quiet"],
        ["status", "--profile", "work", "--account", "ada@example.com", "--config-dir", "x", "--json"],
    ])
    func `whoami and status have the settings and the context that the parser gives them`(arguments: [String]) throws {
        let call = try #require(HotPath.parse(arguments))
        let command = try #require(try Authctl.parseAsRoot(arguments) as? any authctl.Command)
        #expect(call.command.rawValue == arguments[0])
        #expect(call.request.provider == (command as? StatusCommand)?.provider.id)
        expectSameContext(call, command, arguments)
    }

    @Test(arguments: [
        [], ["--provider", "oidc.a"], ["--type", "access", "-q"],
        ["--profile", "work", "--account", "ada@example.com", "--config-dir", "x", "--provider", "github"],
    ])
    func `The fast path reads the options of kubectl's plugin like the parser`(options: [String]) throws {
        let arguments = ["credential", "kubectl"] + options
        let call = try #require(HotPath.parse(arguments))
        let command = try #require(try Authctl.parseAsRoot(arguments) as? CredentialKubectlCommand)
        #expect(call.command == .kubectl && (call.request.kind ?? .id) == command.type)
        #expect(call.request.provider == command.provider.id)
        expectSameContext(call, command, arguments)
    }

    @Test(arguments: [["get"], ["--provider", "github", "erase"], ["store", "--quiet", "--profile", "work"]])
    func `git's helper has the request that the parser gives it`(options: [String]) throws {
        let arguments = ["credential", "git"] + options
        let call = try #require(HotPath.parse(arguments))
        let command = try #require(try Authctl.parseAsRoot(arguments) as? CredentialGitCommand)
        #expect(call.command == .git && call.gitOperation == command.operation)
        #expect(call.request.provider == command.provider.id && command.permissions.permission.isEmpty)
        expectSameContext(call, command, arguments)
    }

    /// The descriptions have every option of every group, so that a new option cannot be forgotten in the fast path.
    @Test(arguments: [
        [], ["github.com"], ["oidc.work", "--no-browser", "--scope", "calendar"],
        ["--profile", "work", "--config-dir", "x", "--json", "--quiet"],
    ])
    func `signin has every value that the parser gives it`(options: [String]) throws {
        let call = try #require(HotPath.parse(["signin"] + options))
        let command = try #require(try Authctl.parseAsRoot(["signin"] + options) as? SignInCommand)
        func values(of value: Any, at path: String) -> [String] {
            let children = Mirror(reflecting: value).children.filter { !["title", "_visibility"].contains($0.label) }
            guard !children.isEmpty else { return ["\(path) = \(value)"] }
            return children.flatMap { values(of: $0.value, at: "\(path).\($0.label ?? "")") }
        }
        let (read, parsed) = (values(of: call.signIn, at: ""), values(of: command, at: ""))
        #expect(Set(read).symmetricDifference(parsed) == [])
        expectSameContext(call, command, ["signin"] + options)
        #expect(HotPath.parse(["signin", "--provider", "github"])?.request.provider == "github.com")
    }

    private func expectSameContext(_ call: HotPath.Call, _ command: any authctl.Command, _ arguments: [String]) {
        let (read, expected) = (call.settings, command.settings)
        #expect(read.profile == expected.profile && read.account == expected.account)
        #expect(read.configDir == expected.configDir && read.quiet == expected.quiet && read.json == expected.json)
        #expect(read.timeout == expected.timeout && read.noInput == expected.noInput && expected.field == nil)
        let (called, parsed) = (call.errorContext, command.errorContext)
        #expect(called.failed == parsed.failed && called.provider == parsed.provider)
        #expect(called.signingIn == parsed.signingIn && called.command == CommandPlace(of: arguments).path)
    }

    @Test(
        arguments: [
            [], ["whoami", "--field", "x"], ["status", "--header"], ["token", "--json", "--header"],
            ["token", "--header", "--header"], ["token", "--provider"], ["token", "--type", "x"],
            ["token", "--min-ttl", "5m"], ["token", "--account", ""], ["token", "-qv"],
            ["token", "--provider", "--header"], ["token", "--help"], ["token", "x/ada"], ["--help", "token"],
            ["token", "--config-dir", "-x"], ["credential"],
            ["signin", "github", "--provider", "x"], ["signin", "anonymous", "--scope", "a"], ["signin", "--dpop"],
            ["signin", "--account", "ada"], ["signin", "--scope", "a", "--scope", "b"], ["login"],
            ["credential", "git"],
            ["credential", "git", "get", "get"],
            ["credential", "git", "get", "store"], ["credential", "git", "--permission", "contents=read", "get"],
            ["credential", "kubectl", "x"], ["credential", "kubectl", "--header"], ["credential", "docker", "get"],
        ] as [[String]])
    func `the fast path leaves other arguments to the argument parser`(arguments: [String]) {
        #expect(HotPath.parse(arguments) == nil)
    }
}

@Suite struct `Process arguments` {
    @Test func `the process arguments equal the kernel's command line`() throws {
        let file = try #require(fopen("/proc/self/cmdline", "re"))
        defer { fclose(file) }
        var bytes = [UInt8](repeating: 0, count: 1 << 16)
        let count = fread(&bytes, 1, bytes.count, file)
        let kernels = bytes[..<count].split(separator: 0, omittingEmptySubsequences: false).dropLast()
        #expect(Process.arguments == kernels.map { String(decoding: $0, as: UTF8.self) })
    }
}

@Suite struct `Text from servers` {
    @Test(arguments: [
        ("plain", "plain"), ("a\u{1B}[31mb", "a\\u{1b}[31mb"), ("a\r\nb", "a\\r\\nb"), ("x\u{202E}y", "x\\u{202e}y"),
        ("zero\u{200B}width", "zero\\u{200b}width"), ("c1\u{9B}", "c1\\u{9b}"), ("é😀", "é😀"),
    ])
    func `control and invisible characters in server text are escaped`(text: String, shown: String) {
        #expect(ServerText(text).description == shown)
    }

    @Test func `server text is truncated to 200 characters`() {
        #expect(
            ServerText(String(repeating: "x", count: 1_000_000)).description == String(repeating: "x", count: 200) + "…"
        )
    }

    @Test func `secrets, also form-encoded, and token-like text are redacted in server text`() {
        let text = "code a+b/c=123 and a%2Bb%2Fc%3D123, eyJhbGciOiJub25lIn0.e30. gho_0123456789abcdefghij"
        #expect(
            ServerText(text, secrets: ["a+b/c=123"]).description
                == "code <redacted> and <redacted>, <redacted> <redacted>")
    }

    @Test func `secrets are redacted in descriptions, reflections and dumps`() {
        let token = AccessToken("very-secret")
        #expect("\(token) \(String(reflecting: token)) \([token])".contains("very-secret") == false)
        var dumped = ""
        dump(token, to: &dumped)
        #expect(!dumped.contains("very-secret"))
    }
}

@Suite struct `Failures` {
    @Test func `only an issuer on a private network can have endpoints there`() throws {
        var metadata = try TestProvider().metadata
        metadata["token_endpoint"] = "https://10.0.0.5/token"
        let bytes = Array(JSONValue.object(metadata).text.utf8)
        let issuer = try HTTPURL(TestProvider.issuer)
        #expect(try ProviderMetadata(bytes, issuer: issuer, zone: .privateNetwork).zone == .privateNetwork)
        #expect(throws: DiscoveryError.invalidEndpoint("token_endpoint", .privateNetwork)) {
            try ProviderMetadata(bytes, issuer: issuer, zone: .global)
        }
        #expect(throws: DiscoveryError.invalidEndpoint("token_endpoint", .privateNetwork)) {
            try ProviderMetadata(bytes, issuer: issuer, zone: nil)
        }
    }
}
