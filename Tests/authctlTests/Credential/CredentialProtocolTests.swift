import AuthCoreTesting
import TestSupport
import Testing

@testable import AuthCore
@testable import authctl

@Suite struct `git's questions` {
    private func parse(_ text: String) throws -> GitCredential { try GitCredential(Array(text.utf8)) }

    @Test func `are lines up to an empty one, and what is unknown is left alone`() throws {
        let asked = try parse("protocol=https\nhost=example.com:8443\npath=a=b\nnew[]=x\n\nhost=other.example\n")
        #expect(asked.url?.text == "https://example.com:8443" && asked.userName == nil)
        #expect(try parse("url=https://example.com/x").url?.text == "https://example.com")
    }

    @Test(arguments: [
        "protocol=https\r\nhost=a", "host=a\u{0}b", "host", "=x", "host=a\nno equals", "host=a\rb",
    ])
    func `with a carriage return, NUL or no equals sign are refused`(text: String) {
        #expect(throws: GitCredential.ParseError.self) { try parse(text) }
    }

    @Test(arguments: [
        "url=https://ada@example.com/x", "url=ssh://a/b", "url=", "url=https://a b/", "url=a.example",
        "protocol=https\nhost=a.example\nurl=https://a.example\u{1}",
    ])
    func `whose URL cannot be read are refused, not answered by what stood before`(text: String) {
        #expect(throws: GitCredential.ParseError.self) { try parse(text) }
    }

    @Test(arguments: [
        "127.0.0.1:1/@evil.example", "127.0.0.1:1?x=@evil.example", "a.example/", "a.example?", "a.example/x",
        "evil.example@a.example", "a.example#evil.example", "a.example\\@evil.example", "a.example:", "a.example:x",
        "a.example%2f@evil.example", " a.example", "a.example evil.example", "a.example\t", "[::1", "a..example",
    ])
    func `whose host is more than a host have none`(host: String) throws {
        #expect(try parse("protocol=https\nhost=\(host)").url == nil)
        #expect(HTTPURL(authority: host) == nil)
    }

    @Test(arguments: [
        "protocol=ssh\nhost=a", "protocol=https", "host=a", "", "protocol=https\nhost=a/b@c", "protocol=https\nhost=",
    ])
    func `about no web server are not ours`(text: String) throws {
        let url = try parse(text).url
        #expect(url == nil || url?.host == "a")
    }

    @Test func `get the token as it is only from a git that can send it, to a server that wants nothing else`() throws {
        let basic = "wwwauth[]=Basic realm=x\n"
        let bearer = "wwwauth[]=Bearer realm=x\n"
        #expect(try parse("capability[]=authtype\n" + bearer).wantsBearer)
        #expect(try !parse("capability[]=authtype\n" + bearer + basic).wantsBearer)
        #expect(try !parse(bearer).wantsBearer)
        #expect(try !parse("capability[]=authtype\n").wantsBearer)
    }

    @Test func `of any bytes do not crash the parser`() {
        var random = SeededGenerator(seed: 41)
        let pieces: [[UInt8]] = [
            Array("protocol=https\n".utf8), Array("host=".utf8), [10], [13], [0], [0xFF, 0xC0], Array("=".utf8),
            Array("capability[]=authtype".utf8), Array("wwwauth[]=".utf8), Array("url=https://".utf8),
            Array("[::1]".utf8),
        ]
        for _ in 0..<Fuzz.iterations(5_000) {
            let input = (0..<Int.random(in: 0...12, using: &random)).flatMap { _ in
                pieces.randomElement(using: &random) ?? []
            }
            guard let asked = try? GitCredential(input) else { continue }
            #expect(!input.prefix { $0 != 13 && $0 != 0 }.isEmpty || asked.url == nil)
            _ = asked.wantsBearer
        }
        #expect(throws: GitCredential.ParseError.tooLong) { try GitCredential([UInt8](repeating: 61, count: 70_000)) }
    }
}

@Suite struct `docker's questions` {
    @Test(arguments: ["registry.example", "registry.example:5000\n", "https://registry.example\r\n"])
    func `are a server on one line`(text: String) throws {
        let asked = try #require(DockerCredential(Array(text.utf8)))
        #expect(!asked.server.contains { $0.isNewline })
    }

    @Test(arguments: [
        "", "\n", "a.example\nevil.example", "a.example\n\n", "a.example\r", "a.example\revil", "a\u{0}b", "a b",
        "a\u{85}b", "a\u{2028}b", "é.example", "a.example\n\r",
    ])
    func `that are more than one line are refused`(text: String) {
        let asked = DockerCredential(Array(text.utf8))
        #expect(asked == nil || asked?.server == "a.example")
        if text.dropLast().contains(where: \.isNewline) { #expect(asked == nil) }
    }

    @Test(arguments: [
        ("https://a.example", true), ("https://a.example/", true), ("https://index.docker.io/v1/", true),
        ("https://a.example/@evil.example", false), ("https://a.example/?x=@evil.example", false),
        ("https://a.example?x", false), ("https://x@a.example/", false), ("ftp://a.example", false),
    ])
    func `name a server and nothing besides`(text: String, isServer: Bool) throws {
        #expect((try #require(DockerCredential(Array(text.utf8))).url != nil) == isServer)
    }
}

@Suite struct `The Security Token Service's answers` {
    private func text(_ name: String, of body: String) -> String? { ResponseXML(Array(body.utf8)).text(of: name) }

    @Test(
        arguments: [
            ("<A><Code>x</Code></A>", "x"), ("<Code>a &amp; b &lt;c&gt;</Code>", "a & b <c>"), ("<Code></Code>", nil),
            ("<Code>x</Code><Code>y</Code>", nil), ("<Code>x<b/>y</Code>", nil), ("<Code>&evil;</Code>", nil),
            ("<Code>&amp</Code>", nil), ("<Code>x", nil), ("", nil), ("<Code >x</Code>", nil),
        ] as [(String, String?)])
    func `are read only where an element holds text and is there once`(body: String, found: String?) {
        #expect(text("Code", of: body) == found)
    }

    @Test func `of any bytes do not crash the parser`() {
        var random = SeededGenerator(seed: 42)
        let pieces = ["<Code>", "</Code>", "&", "amp;", ";", "x", "<", ">", "é", "\u{0}"]
        for _ in 0..<Fuzz.iterations(5_000) {
            let body = (0..<Int.random(in: 0...12, using: &random)).map { _ in
                pieces.randomElement(using: &random) ?? ""
            }.joined()
            if let found = text("Code", of: body) { #expect(!found.isEmpty) }
        }
    }
}

@Suite struct `kubectl's questions` {
    @Test func `name a version that is echoed, and say whether a person may be asked`() throws {
        let asked = try KubernetesCredential(
            #"{"kind":"ExecCredential","apiVersion":"client.authentication.k8s.io/v1","spec":{"interactive":true,"cluster":{}}}"#
        )
        #expect(asked.apiVersion == "client.authentication.k8s.io/v1" && asked.isInteractive)
        #expect(try !KubernetesCredential(nil).isInteractive)
    }

    @Test(arguments: [
        "{", "[]", "{}", #"{"kind":"Other","apiVersion":"client.authentication.k8s.io/v1"}"#,
        #"{"kind":"ExecCredential","apiVersion":"client.authentication.k8s.io/v2"}"#,
        #"{"kind":"ExecCredential","apiVersion":"client.authentication.k8s.io/v1","kind":"x"}"#,
    ])
    func `that are none are refused`(info: String) {
        #expect(throws: CommandError.self) { try KubernetesCredential(info) }
    }
}
