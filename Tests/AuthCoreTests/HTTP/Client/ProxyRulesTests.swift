import Testing

@testable import AuthCore

@Suite struct `Proxy rules` {
    private static let all: Environment = [
        "http_proxy": "http://plain:1", "https_proxy": "http://secure:2", "ALL_PROXY": "http://any:3",
    ]

    @Test func `Each scheme has its own proxy variable, and uppercase HTTP_PROXY is ignored`() throws {
        let rules = ProxyRules(Self.all)
        #expect(try rules.proxy(for: HTTPURL("http://a.example/")) == "http://plain:1")
        #expect(try rules.proxy(for: HTTPURL("https://a.example/")) == "http://secure:2")
        #expect(try ProxyRules(["HTTP_PROXY": "http://cgi:1"]).proxy(for: HTTPURL("http://a.example/")) == nil)
        #expect(
            try ProxyRules(["ALL_PROXY": "http://any:3"]).proxy(for: HTTPURL("https://a.example/")) == "http://any:3")
        #expect(
            try ProxyRules(["https_proxy": "", "HTTPS_PROXY": "http://b:1"]).proxy(for: HTTPURL("https://a.example/"))
                == "http://b:1")
        #expect(try ProxyRules([:]).proxy(for: HTTPURL("https://a.example/")) == nil)
    }

    @Test(arguments: [
        "http://localhost:8080/", "http://127.0.0.1/", "http://127.5.5.5/", "http://[::1]:9/", "https://localhost/",
    ])
    func `Requests to loopback never use a proxy`(url: String) throws {
        #expect(try ProxyRules(Self.all).proxy(for: HTTPURL(url)) == nil)
    }

    @Test(arguments: [
        ("proxy.example:3128", "http", "proxy.example:3128"), ("HTTPS://p.example/", "https", "p.example"),
        ("socks5h://ada:p@ss@[2001:db8::7]:1080", "socks5h", "[2001:db8::7]:1080"), ("http://ada:secret@", "http", ""),
    ])
    func `A proxy is named by its host and port, without its password`(proxy: String, scheme: String, server: String) {
        #expect(ProxyRules.scheme(of: proxy) == scheme)
        #expect(ProxyRules.server(of: proxy) == server)
    }

    @Test func `Entries of no_proxy that match no host are known`() {
        let entries = "*.Corp, host:443 https://a.example .b.example,*,192.0.2.0/24 ::1 [2001:db8::7] localhost 10.0.0.0/99"
        let rules = ProxyRules(["no_proxy": entries])
        #expect(rules.unmatched == ["*.corp", "host:443", "https://a.example", "10.0.0.0/99"])
    }

    @Test(arguments: [
        ("*", "a.example", true), ("a.example", "a.example", true), (".a.example", "a.example", true),
        (" x , A.Example. ", "b.a.example", true), ("a.example", "ba.example", false), ("a.example", "example", false),
        ("x b.example", "b.example", true), ("192.0.2.0/24", "192.0.2.77", true), ("192.0.2.0/24", "192.0.3.1", false),
        ("192.0.2.0/25", "192.0.2.200", false), ("2001:db8::/32", "[2001:db8::7]", true),
        ("[2001:db8::7]", "[2001:db8::7]", true), ("192.0.2.0/33", "192.0.2.0", false),
        ("0.0.0.0/0", "192.0.2.1", true),
        ("192.0.2.1", "192.0.2.1", true), ("2.1", "192.0.2.1", false), ("", "a.example", false),
        (".", "a.example", false),
    ])
    func `no_proxy excludes hosts, domains, addresses and networks`(exception: String, host: String, isDirect: Bool)
        throws
    {
        var variables = Self.all
        variables["no_proxy"] = exception
        #expect(try (ProxyRules(variables).proxy(for: HTTPURL("https://\(host)/")) == nil) == isDirect)
    }
}
