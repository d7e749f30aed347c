import AuthCoreTesting
import TestSupport
import Testing

@testable import AuthCore
@testable import authctl

@Suite struct `Git credential requests` {
    private static let malformed: UsageProblem = "git's request is not a list of key=value lines"

    private func parse(_ text: String) throws -> GitCredential { try GitCredential(Array(text.utf8)) }

    @Test func `a Git credential request ends at an empty line, and unknown keys are ignored`() throws {
        let request = try parse("protocol=https\nhost=example.com:8443\npath=a=b\nnew[]=x\n\nhost=other.example\n")
        #expect(request.url?.text == "https://example.com:8443" && request.userName == nil)
        #expect(try parse("url=https://example.com/x").url?.text == "https://example.com")
    }

    @Test(
        arguments: [
            ("path=ada/project.git", "ada/project"), ("path=ada/project", "ada/project"),
            ("path=ada/project.git/info/lfs", "ada/project"), ("url=https://a.example/ada/project.git", "ada/project"),
            ("path=1234567890", nil), ("path=ada/..", nil), ("path=ada/a%2fb", nil), ("path=ada/.git", nil),
            ("path=", nil),
            ("protocol=https", nil),
        ] as [(String, String?)])
    func `the path of a Git credential request names the repository`(line: String, expected: String?) throws {
        #expect(try parse(line).path.flatMap(Repository.init(path:))?.text == expected)
    }

    @Test func `an empty user name is no user name`() throws {
        let request = try parse("protocol=https\nhost=a\nusername=\n")
        let token = CurrentToken.Result(token: AccessToken("t"), providerID: "github.com")
        #expect(request.response(token, userName: "x-access-token") == "username=x-access-token\npassword=t")
    }

    @Test(arguments: [
        "protocol=https\r\nhost=a", "host=a\u{0}b", "host", "=x", "host=a\nno equals", "host=a\rb",
    ])
    func `a Git credential line with CR or NUL, or without a key or an equals sign, is refused`(text: String) {
        #expect(throws: Self.malformed) { try parse(text) }
    }

    @Test(arguments: [
        "url=https://ada@example.com/x", "url=ssh://a/b", "url=", "url=https://a b/", "url=a.example",
        "protocol=https\nhost=a.example\nurl=https://a.example\u{1}",
    ])
    func `a Git credential request with an invalid url line is refused, even after a valid host`(text: String) {
        #expect(throws: Self.malformed) { try parse(text) }
    }

    @Test(arguments: [
        "127.0.0.1:1/@evil.example", "127.0.0.1:1?x=@evil.example", "a.example/", "a.example?", "a.example/x",
        "evil.example@a.example", "a.example#evil.example", "a.example\\@evil.example", "a.example:", "a.example:x",
        "a.example%2f@evil.example", " a.example", "a.example evil.example", "a.example\t", "[::1", "a..example",
    ])
    func `a Git host that contains more than a host and a port gives no URL`(host: String) throws {
        #expect(try parse("protocol=https\nhost=\(host)").url == nil)
        #expect(HTTPURL(authority: host) == nil)
    }

    @Test(arguments: [
        "protocol=ssh\nhost=a", "protocol=https", "host=a", "", "protocol=https\nhost=a/b@c", "protocol=https\nhost=",
    ])
    func `an incomplete or non-http Git credential request gives no URL`(text: String) throws {
        #expect(try parse(text).url == nil)
    }

    @Test func `a bearer token is returned only if Git supports authtype and the server accepts only Bearer`() throws {
        let basic = "wwwauth[]=Basic realm=x\n"
        let bearer = "wwwauth[]=Bearer realm=x\n"
        #expect(try parse("capability[]=authtype\n" + bearer).requestsBearer)
        #expect(try !parse("capability[]=authtype\n" + bearer + basic).requestsBearer)
        #expect(try !parse(bearer).requestsBearer)
        #expect(try !parse("capability[]=authtype\n").requestsBearer)
    }

    @Test func `random bytes do not crash the Git credential parser, and too long input is refused`() {
        var random = SeededGenerator(seed: 41)
        let pieces: [[UInt8]] = [
            Array("protocol=https\n".utf8), Array("host=".utf8), [10], [13], [0], [0xFF, 0xC0], Array("=".utf8),
            Array("capability[]=authtype".utf8), Array("wwwauth[]=".utf8), Array("url=https://".utf8),
            Array("[::1]".utf8),
        ]
        var hostCount = 0
        for _ in 0..<Fuzz.iterations(5_000) {
            let start = Bool.random(using: &random) ? Array("protocol=https\nhost=a.example\n".utf8) : []
            let input = (0..<Int.random(in: 0...12, using: &random)).reduce(into: start) { input, _ in
                input += pieces.randomElement(using: &random) ?? []
            }
            guard let request = try? GitCredential(input) else { continue }
            #expect(!input.prefix { $0 != 13 && $0 != 0 }.isEmpty || request.url == nil)
            _ = request.requestsBearer
            guard let url = request.url else { continue }
            #expect(url.isSecure, "no other protocol was in the input")
            hostCount += 1
        }
        #expect(hostCount > 100, "\(hostCount)")
        #expect(throws: UsageProblem.other("git's request is too long")) {
            try GitCredential([UInt8](repeating: 61, count: 70_000))
        }
    }
}

@Suite struct `Docker credential requests` {
    @Test(arguments: [
        ("registry.example", "registry.example"), ("registry.example:5000\n", "registry.example:5000"),
        ("https://registry.example\r\n", "https://registry.example"), ("a.example\r", "a.example"),
    ])
    func `the server of a Docker credential request is read without its line end`(text: String, server: String) {
        #expect(DockerCredential(Array(text.utf8))?.server == server)
    }

    @Test(arguments: [
        "", "\n", "a.example\nevil.example", "a.example\n\n", "a.example\revil", "a\u{0}b", "a b",
        "a\u{85}b", "a\u{2028}b", "é.example", "a.example\n\r",
    ])
    func `a Docker credential request with several lines or an invalid server is refused`(text: String) {
        #expect(DockerCredential(Array(text.utf8)) == nil)
    }

    @Test(arguments: [
        ("https://a.example", true), ("https://a.example/", true), ("https://index.docker.io/v1/", true),
        ("https://a.example/@evil.example", false), ("https://a.example/?x=@evil.example", false),
        ("https://a.example?x", false), ("https://x@a.example/", false), ("ftp://a.example", false),
    ])
    func `a Docker server URL with a user, a query, an unknown path or another scheme is refused`(
        text: String, isServer: Bool
    ) throws {
        #expect((try #require(DockerCredential(Array(text.utf8))).url != nil) == isServer)
    }
}

@Suite struct `Responses of the AWS Security Token Service` {
    private func text(_ name: String, of body: String) -> String? { ResponseXML(Array(body.utf8)).text(of: name) }

    @Test(
        arguments: [
            ("<A><Code>x</Code></A>", "x"), ("<Code>a &amp; b &lt;c&gt;</Code>", "a & b <c>"), ("<Code></Code>", nil),
            ("<Code>x</Code><Code>y</Code>", nil), ("<Code>x<b/>y</Code>", nil), ("<Code>&evil;</Code>", nil),
            ("<Code>&amp</Code>", nil), ("<Code>x", nil), ("", nil), ("<Code >x</Code>", nil),
        ] as [(String, String?)])
    func `an XML element is read only if it occurs once and contains only text`(body: String, found: String?) {
        #expect(text("Code", of: body) == found)
    }

    @Test func `random bytes do not crash the XML parser`() {
        var random = SeededGenerator(seed: 42)
        let pieces = ["<Code>", "</Code>", "&", "amp;", ";", "x", "<", ">", "é", "\u{0}"]
        var foundCount = 0
        for _ in 0..<Fuzz.iterations(5_000) {
            let body = (0..<Int.random(in: 0...12, using: &random)).map { _ in
                pieces.randomElement(using: &random) ?? ""
            }.joined()
            guard let found = text("Code", of: body) else { continue }
            #expect(!found.isEmpty)
            foundCount += 1
        }
        #expect(foundCount > 60, "\(foundCount)")
    }
}

@Suite struct `Kubernetes credential requests` {
    @Test(arguments: [
        (ErrorCode.signInRequired, "Unauthorized", 401), (.requiresRecentLogin, "Unauthorized", 401),
        (.cancelled, "Unauthorized", 401), (.timedOut, "Unauthorized", 401), (.accessDenied, "Forbidden", 403),
        (.usage, "BadRequest", 400), (.invalidConfiguration, "BadRequest", 400),
        (.networkFailed, "ServiceUnavailable", 503), (.storeUnavailable, "InternalError", 500),
        (.invalidResponse, "InternalError", 500), (.internalError, "InternalError", 500),
    ] as [(ErrorCode, JSONValue, Int64)])
    func `a failure of kubectl's plugin is a Status with a reason, a code and the hint`(
        code: ErrorCode, reason: JSONValue, number: Int64
    ) {
        let error = CommandError(code, "a\u{1B}[31m\u{202E}", hint: .run("authctl signin"), isComplete: true)
        let status = KubernetesCredential.status(of: Failure(error, while: ErrorContext()))
        let expected: JSONValue = [
            "kind": "Status", "apiVersion": "v1", "metadata": [:], "status": "Failure", "reason": reason,
            "message": #"a\u{1b}[31m\u{202e}; hint: authctl signin"#, "code": JSONValue(number),
        ]
        #expect(status == expected)
    }

    @Test(
        arguments: [
            (#""v1","spec":{"interactive":true,"cluster":{}}"#, "v1", true),
            (#""v1beta1","spec":{"interactive":true,"cluster":{}}"#, "v1beta1", true),
            (#""v1beta1","spec":{"interactive":false}"#, "v1beta1", false), (#""v1beta1","spec":{}"#, "v1beta1", false),
            (#""v1beta1""#, "v1beta1", false),
        ])
    func `a kubectl request contains the API version and whether the call is interactive`(
        members: String, version: String, isInteractive: Bool
    ) throws {
        let request = try KubernetesCredential(
            #"{"kind":"ExecCredential","apiVersion":"client.authentication.k8s.io/\#(members.dropFirst())}"#)
        #expect(request.apiVersion == "client.authentication.k8s.io/\(version)")
        #expect(request.isInteractive == isInteractive)
    }

    @Test func `a call without a kubectl request is not interactive, and has the version v1`() throws {
        for info in [nil, ""] {
            let request = try KubernetesCredential(info)
            #expect(request.apiVersion == "client.authentication.k8s.io/v1" && !request.isInteractive)
        }
    }

    @Test(arguments: [
        "{", "[]", "{}", #"{"kind":"Other","apiVersion":"client.authentication.k8s.io/v1"}"#,
        #"{"kind":"ExecCredential","apiVersion":"client.authentication.k8s.io/v1","kind":"x"}"#,
    ])
    func `a kubectl request that is not an ExecCredential is refused`(info: String) {
        #expect(throws: "KUBERNETES_EXEC_INFO is not an ExecCredential" as UsageProblem) {
            try KubernetesCredential(info)
        }
    }

    @Test func `a kubectl request of another version is refused with the supported one`() {
        let error: UsageProblem =
            "KUBERNETES_EXEC_INFO requests 'client.authentication.k8s.io/v2': set the apiVersion of the user's 'exec' to 'client.authentication.k8s.io/v1'"
        #expect(throws: error) {
            try KubernetesCredential(#"{"kind":"ExecCredential","apiVersion":"client.authentication.k8s.io/v2"}"#)
        }
    }
}
