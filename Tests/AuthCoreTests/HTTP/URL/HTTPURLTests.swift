import TestSupport
import Testing

@testable import AuthCore

@Suite struct `HTTP URLs` {
    @Test(
        arguments: [
            ("https://id.example.com", "id.example.com", 443, "", nil),
            ("HTTPS://ID.example.com:8443/a?b=c", "id.example.com", 8443, "/a", "b=c"),
            ("http://127.0.0.1:1/", "127.0.0.1", 1, "/", nil), ("https://[::1]:9/x", "::1", 9, "/x", nil),
            ("https://a_b.c", "a_b.c", 443, "", nil), ("https://7f3a9c0b1d2e:9", "7f3a9c0b1d2e", 9, "", nil),
        ] as [(String, String, UInt16, String, String?)])
    func `A valid URL is parsed without changing a byte`(
        text: String, host: String, port: UInt16, path: String, query: String?
    ) throws {
        let url = try HTTPURL(text)
        #expect(url.text == text)
        #expect((url.host, url.port, url.path) == (host, port, path))
        #expect(url.query == query)
    }

    @Test(
        arguments: [
            (
                .malformed,
                [
                    "", "id.example.com", "ftp://a", "https:/a", "https://a b", "https://a\\b", "https://a/\u{1}",
                    "https://a/<>",
                ]
            ),
            (.fragment, ["https://a#b"]), (.userInfo, ["https://u@a", "https://a:b@c"]),
            (
                .host,
                [
                    "https://", "https://a:0", "https://a:65536", "https://a:", "https://a.", "https://.a",
                    "https://a..b", "https://ä.example", "https://1", "https://1.2.3", "https://a.0x7f", "https://0b1",
                    "https://017", "https://0x7f.0.0.1", "https://01.2.3.4", "https://[::1", "https://[::g]",
                    "https://[1:2]",
                ]
            ),
        ] as [(HTTPURLError, [String])])
    func `An invalid or ambiguous URL is rejected`(error: HTTPURLError, texts: [String]) {
        for text in texts { #expect(throws: error, "\(text)") { try HTTPURL(text) } }
    }

    @Test(arguments: [
        // RFC 3986 section 5.4.1, without fragments.
        ("g", "http://a/b/c/g"), ("./g", "http://a/b/c/g"), ("g/", "http://a/b/c/g/"), ("/g", "http://a/g"),
        ("//g", "http://g"), ("?y", "http://a/b/c/d;p?y"), ("g?y", "http://a/b/c/g?y"), ("#s", "http://a/b/c/d;p?q"),
        ("g#s", "http://a/b/c/g"), ("g?y#s", "http://a/b/c/g?y"), (";x", "http://a/b/c/;x"),
        ("g;x", "http://a/b/c/g;x"), ("", "http://a/b/c/d;p?q"), (".", "http://a/b/c/"), ("./", "http://a/b/c/"),
        ("..", "http://a/b/"), ("../", "http://a/b/"), ("../g", "http://a/b/g"), ("../..", "http://a/"),
        ("../../", "http://a/"), ("../../g", "http://a/g"),
        // Section 5.4.2.
        ("../../../g", "http://a/g"), ("/./g", "http://a/g"), ("/../g", "http://a/g"), ("g.", "http://a/b/c/g."),
        (".g", "http://a/b/c/.g"), ("g..", "http://a/b/c/g.."), ("..g", "http://a/b/c/..g"),
        ("./../g", "http://a/b/g"), ("./g/.", "http://a/b/c/g/"), ("g/./h", "http://a/b/c/g/h"),
        ("g/../h", "http://a/b/c/h"), ("g;x=1/../y", "http://a/b/c/y"), ("g?y/../x", "http://a/b/c/g?y/../x"),
        ("https://h/a/../b?c", "https://h/b?c"), ("index.php/x", "http://a/b/c/index.php/x"),
        ("/a:b", "http://a/a:b"), ("?u=https://h/x", "http://a/b/c/d;p?u=https://h/x"),
    ])
    func `A reference is resolved as in RFC 3986`(reference: String, expected: String) throws {
        #expect(try HTTPURL("http://a/b/c/d;p?q").resolving(reference).text == expected)
    }

    @Test(arguments: [
        ("https://h", "a", "https://h/a"), ("https://h?q", "a", "https://h/a"),
        ("https://h:8443", "?y", "https://h:8443?y"),
        ("https://[::1]:9/x", "/y", "https://[::1]:9/y"), ("https://h/x", "//other/y", "https://other/y"),
    ])
    func `A reference is resolved at a URL with any host, without a path or with a query`(
        base: String, reference: String, expected: String
    ) throws {
        #expect(try HTTPURL(base).resolving(reference).text == expected)
    }

    @Test(
        arguments: [
            ("g:h", .malformed), ("http:g", .malformed), ("javascript:alert(1)", .malformed), ("//u@h/", .userInfo),
            ("//", .host), ("a b", .malformed), ("\\\\h", .malformed), ("ftp://h/", .malformed),
        ] as [(String, HTTPURLError)])
    func `A reference that does not lead to an http URL is rejected`(reference: String, error: HTTPURLError) {
        #expect(throws: error) { try HTTPURL("http://a/b/c").resolving(reference) }
    }

    @Test(arguments: [
        ("https://h/a", "https://h/a?prompt=login&x=1%202"), ("https://h/a?", "https://h/a?prompt=login&x=1%202"),
        ("https://h/a?prompt=select_account", "https://h/a?prompt=login&x=1%202"),
        ("https://h/a?b=%20+&prompt=consent&x&c", "https://h/a?b=%20+&c&prompt=login&x=1%202"),
        ("https://h/a?%70rompt=none&&b=1", "https://h/a?b=1&prompt=login&x=1%202"),
        ("https://h/a?prompts=1&b=prompt=2", "https://h/a?prompts=1&b=prompt=2&prompt=login&x=1%202"),
    ])
    func `Added parameters replace those of the same name in the query, and keep the others`(
        base: String, expected: String
    ) throws {
        #expect(try HTTPURL(base).appending([("prompt", "login"), ("x", "1 2")]) == expected)
        #expect(try HTTPURL(base).appending([]) == base)
    }

    @Test(
        arguments: [
            ("127.0.0.1", .loopback), ("127.255.0.9", .loopback), ("::1", .loopback), ("10.1.2.3", .privateNetwork),
            ("172.16.0.1", .privateNetwork),
            ("172.32.0.1", .global), ("192.168.0.1", .privateNetwork), ("169.254.169.254", .privateNetwork),
            ("100.64.0.1", .privateNetwork),
            ("0.0.0.0", .privateNetwork), ("224.0.0.1", .privateNetwork), ("8.8.8.8", .global),
            ("fe80::1", .privateNetwork), ("fd00::1", .privateNetwork),
            ("::ffff:127.0.0.1", .loopback), ("2001:db8::1", .global), ("::", .privateNetwork),
            ("192.0.0.170", .privateNetwork), ("192.0.1.1", .global), ("198.18.0.1", .privateNetwork),
            ("198.19.255.255", .privateNetwork), ("198.20.0.1", .global), ("fec0::1", .privateNetwork),
            ("febf::1", .privateNetwork), ("::127.0.0.1", .loopback), ("::8.8.8.8", .privateNetwork),
            ("::ffff:0:10.0.0.1", .privateNetwork), ("64:ff9b::127.0.0.1", .loopback),
            ("64:ff9b::169.254.169.254", .privateNetwork), ("64:ff9b::8.8.8.8", .global),
            ("64:ff9b:1::8.8.8.8", .privateNetwork), ("2002:7f00:1::", .loopback),
            ("2002:a9fe:a9fe::1", .privateNetwork), ("2002:808:808::1", .global), ("2001:0:808::1", .privateNetwork),
        ] as [(String, NetworkZone)])
    func `An IP address has the network zone of RFC 6890`(address: String, zone: NetworkZone) {
        #expect(IPAddress(address)?.zone == zone)
    }

    @Test func `Random text does not crash the URL parser, and accepted URLs reparse to the same host`() throws {
        var random = SeededGenerator(seed: 5)
        let alphabet = Array("htps:/[]@.#?%&=ab019-_ \\\u{E9}".unicodeScalars)
        var acceptedCount = 0
        for _ in 0..<Fuzz.iterations(20_000) {
            var text = Bool.random(using: &random) ? "https://" : ""
            for _ in 0..<Int.random(in: 0..<24, using: &random) {
                if let scalar = alphabet.randomElement(using: &random) { text.unicodeScalars.append(scalar) }
            }
            guard let url = try? HTTPURL(text) else { continue }
            let again = try HTTPURL(url.origin + url.path)
            #expect(again.host == url.host && again.port == url.port)
            acceptedCount += 1
        }
        #expect(acceptedCount > 200, "\(acceptedCount)")
    }

    @Test func `Random text round-trips through form encoding`() {
        var random = SeededGenerator(seed: 6)
        for _ in 0..<Fuzz.iterations(3_000) {
            var pairs: [(String, String)] = []
            for _ in 0..<Int.random(in: 1..<4, using: &random) {
                let text = String(
                    (0..<Int.random(in: 1..<9, using: &random)).compactMap { _ in
                        Unicode.Scalar(UInt32.random(in: 0...0x2FFF, using: &random)).map { Character($0) }
                    })
                pairs.append((text, text + "="))
            }
            let decoded = FormURLEncoded.decode(Array(FormURLEncoded.encode(pairs).utf8)) ?? []
            #expect(decoded.count == pairs.count)
            for (one, other) in zip(decoded, pairs) { #expect(one.name == other.0 && one.value == other.1) }
        }
    }
}
