import Testing

@testable import AuthCore
@testable import authctl

private typealias ProxyTests = `Requests through a proxy`

@Suite struct `Requests through a proxy` {
    @Test(arguments: [
        ("GET /repos/corp/**", "GET", "/repos/corp/a", true), ("GET /repos/corp/**", "HEAD", "/repos/corp/a/b", true),
        ("GET /repos/corp/**", "GET", "/repos/corp/", true), ("GET /repos/corp/**", "GET", "/repos/corp", false),
        ("GET /repos/corp/**", "POST", "/repos/corp/a", false), ("GET /repos/corp/**", "GET", "/repos/corpx/a", false),
        ("HEAD /a", "GET", "/a", false), ("* /a", "DELETE", "/a", true), ("GET /*/x", "GET", "/a/x", true),
        ("GET /*/x", "GET", "/a/b/x", false), ("GET /a/*", "GET", "/a/", false), ("GET /a", "GET", "/a/", false),
        ("GET /", "GET", "/", true), ("GET /**", "GET", "/", true), ("GET /a", "GET", "/%61", false),
    ])
    func `A rule allows a method and a path`(rule: String, method: String, path: String, isAllowed: Bool) throws {
        let rule = try ProxyRule(rule)
        let (method, path) = (try #require(HTTPRequest.Method(rawValue: method)), try #require(ProxiedPath(path)))
        #expect(rule.allows(method, path) == isAllowed)
    }

    @Test(arguments: [
        "", "a", "//", "/a//b", "/.", "/a/..", "/a/../b", "/%2e", "/a%2Fb", "/%5C", "/%25", "/%00", "/%7f", "/%3f", "/%23", "/%3B",
        "/a/..;x", "/;a", "/%", "/%4", "/%4g", "/a\\b", "/a#b", "/é", "/a b", "/\"", "/<", "/{a}", "/a|b", "/^", "/`",
    ])
    func `A path that servers could read differently is refused`(path: String) {
        #expect(ProxiedPath(path) == nil)
    }

    @Test func `The token is replaced, however the response is divided`() {
        let token = "gho_abcabcabd"
        let body = "x gho_abc gho_abcabcabd,gho_abcabcabdgho_abcabc"
        let expected = "x gho_abc *************,*************gho_abcabc"
        for portion in 1...body.utf8.count {
            var (filter, passed) = (SecretFilter(token), [UInt8]())
            let bytes = Array(body.utf8)
            for start in stride(from: 0, to: bytes.count, by: portion) {
                let part = Array(bytes[start..<min(start + portion, bytes.count)])
                try? part.withUnsafeBytes { part in try filter.pass(part) { passed += Array($0) } }
            }
            passed += filter.end()
            #expect(String(decoding: passed, as: UTF8.self) == expected)
        }
    }

    @Test func `The token is recognized in a field's name`() {
        let filter = SecretFilter("gho_Abcabcabd")
        #expect(filter.isIn(name: "x-gho_abcabcabd") && !filter.isIn(name: "x-gho_abc"))
    }

    @Test func `Only a beginning of the token is held back`() throws {
        var (filter, passed) = (SecretFilter("gho_abcabcabd"), "")
        for (part, expected) in [("data: 1\n\n", "data: 1\n\n"), ("gh", ""), ("x\n", "ghx\n")] {
            passed = ""
            try Array(part.utf8).withUnsafeBytes { part in
                try filter.pass(part) { passed += String(decoding: $0, as: UTF8.self) }
            }
            #expect(passed == expected)
        }
    }

    @Test func `Credentials, and headers that replace the method, path or host, are not forwarded`() throws {
        let removed = [
            "Authorization", "Proxy-Authorization", "Cookie", "DPoP", "X-Api-Key", "Private-Token", "X-GitHub-Token",
            "X-HTTP-Method-Override", "X-HTTP-Method", "X-Original-URL", "X-Rewrite-URL", "X-Forwarded-Host", "Forwarded",
            "Keep-Alive", "TE", "Trailer", "Upgrade", "X-Authctl-Key", "Hop", "Range", "If-Range", "X-Host",
            "X_HTTP_Method_Override", "X_Forwarded_For",
            // Names that no list of refusals had.
            "X-HTTP-Host-Override", "Sudo", "Impersonate-User", "X-Auth-Key", "Proxy", "X-Remote-User", "X-Forwarded", "Via",
            "True-Client-IP", "X-Amz-Date", "Origin", "Referer", "X-Anything", "content_type", "traceparent2",
            // Names that begin like those that are forwarded.
            "Content-Token", "Content-Method-Override", "Anthropic-API-Key", "MCP-Authorization", "Mcp_Secret",
        ]
        let kept = ["Accept", "Content-Language", "X-Request-Id", "Anthropic-Beta", "Mcp-Session-Id", "Idempotency-Key"]
        let lines = (removed + kept).map { "\($0): v\r\n" }.joined()
        let head = try RequestHead(Array("GET / HTTP/1.1\r\nHost: x\r\nConnection: close, hop\r\n\(lines)\r\n".utf8))
        func names(_ allowed: Set<String>) -> [String] {
            ProxyHeaders.forwarded(head, allowing: allowed).filter { !$0.value.isEmpty }.map(\.name)
        }
        #expect(names([]) == kept.map { $0.lowercased() })
        #expect(names(["sudo", "cookie", "x_forwarded_for", "hop", "anthropic-api-key"]) == ["sudo"] + kept.map { $0.lowercased() })
    }

    @Test func `A Content-Type that Connection names is not replaced by libcurl's`() throws {
        let head = try RequestHead(
            Array("POST / HTTP/1.1\r\nHost: x\r\nConnection: content-type\r\nContent-Type: text/plain\r\n\r\n".utf8))
        let fields = ProxyHeaders.forwarded(head, allowing: [])
        #expect(fields.filter { $0.name == "content-type" }.map(\.value) == [""])
    }

    /// The status and the message of a refusal; nil if the request is accepted.
    private func refusal(_ check: () throws(ProxyRefusal) -> Void) -> String? {
        do {
            try check()
            return nil
        } catch { return "\(error.status) \(Failure(error.error, while: ErrorContext()).message)" }
    }

    private static let refusedNames = [
        "access_token", "Access_Token", "access%5Ftoken", "%61ccess_token", "access.token", "access+token", "access[token",
        "access_token[]", "+_method", "%20_method", "_method%00x", "_method[x]", "oauth_token", "private_token", "sudo", "_%zz",
        "access%u005ftoken",
    ]

    @Test(arguments: refusedNames.flatMap { ["\($0)=x", "a=b&\($0)=x", "a=b;\($0)=x", $0] } + ["method=delete", "a=b&method=PATCH"])
    func `A parameter that replaces the token, the method or the user is refused`(query: String) {
        let refusal = refusal { () throws(ProxyRefusal) in try ProxyForm.check(query: query) }
        #expect(refusal?.hasPrefix("403 the proxy does not forward the parameter '") == true)
    }

    @Test(arguments: [
        "", "a=b&c", "page_token=x", "q=100%", "q=access_token", "payment_method=_method", "method=flickr.photos.search", "x[sudo]=1",
        "token=a;b", "my_access_token=1",
    ])
    func `Other parameters are not refused`(query: String) throws { try ProxyForm.check(query: query) }

    private static func form(_ type: String?, _ body: String, coding: String? = nil, method: HTTPRequest.Method = .post) -> HTTPRequest {
        let fields = [("content-type", type ?? ""), ("content-encoding", coding)].compactMap { name, value in value.map { (name: name, value: $0) } }
        guard let url = HTTPURL(authority: "api.example.com") else { preconditionFailure() }
        return HTTPRequest(method, url, headers: fields, body: Array(body.utf8))
    }

    @Test func `A form that replaces the token or the method is refused`() {
        for (form, name) in [
            (Self.form("application/x-www-form-urlencoded", "a=b&_method=DELETE"), "_method"),
            (Self.form("Application/X-WWW-Form-URLEncoded; charset=utf-8", "access_token=x"), "access_token"),
            (Self.form("text/plain, application/x-www-form-urlencoded", "access_token=x"), "access_token"),
        ] {
            let refusal = refusal { () throws(ProxyRefusal) in try ProxyForm.check(form, isWhole: true) }
            #expect(refusal == "403 the proxy does not forward the parameter '\(name)'")
        }
    }

    private static let unread =
        "403 the proxy cannot check this body: it must have a Content-Type, and a form must be urlencoded, in UTF-8, and at most 64 KiB"

    @Test(arguments: [
        form("Application/X-WWW-Form-URLEncoded; a=b", "a=b"), form(nil, "a=b"),
        form("multipart/form-data, application/x-www-form-urlencoded", "access_token=x"),
        form("application/x-www-form-urlencoded; charset=ibm500", "a=b"),
        form("application/x-www-form-urlencoded; charset=utf-16; x=utf-8", "a=b"), form("application/x-www-form-urlencoded", "a=b", coding: "gzip"),
        form("multipart/form-data; boundary=x", "--x--\r\n"), form("Multipart/mixed; boundary=x", "--x--\r\n"),
    ])
    func `A form that cannot be read is refused`(form: HTTPRequest) {
        #expect(refusal { () throws(ProxyRefusal) in try ProxyForm.check(form, isWhole: true) } == Self.unread)
    }

    @Test func `Other bodies are forwarded`() throws {
        let form = ProxyTests.form("application/x-www-form-urlencoded; charset=UTF-8", "a=b&method=x")
        try ProxyForm.check(form, isWhole: true)
        #expect(refusal { () throws(ProxyRefusal) in try ProxyForm.check(form, isWhole: false) } == Self.unread)
        for other in [ProxyTests.form("application/json", ""), ProxyTests.form(nil, "", method: .put)] {
            try ProxyForm.check(other, isWhole: false)
        }
    }

    @Test func `Cookies and fields of the API's connection are not returned`() {
        let fields = [
            (name: "connection", value: "close, X-Hop"), (name: "x-hop", value: "1"), (name: "set-cookie", value: "a=b"),
            (name: "dpop-nonce", value: "n"), (name: "access-control-allow-origin", value: "*"),
            (name: "x-a", value: "b"), (name: "x-b", value: "a\u{1}"),
        ]
        #expect(ProxyHeaders.returned(HTTPResponse(status: 200, headers: fields)).map(\.name) == ["x-a"])
    }

    @Test func `A request with two keys is refused, even if one of them is valid`() throws {
        let access = try LoopbackAccess(port: 8080)
        let line = "X-Authctl-Key: \(access.key.revealed())\r\n"
        for (lines, isFine) in [(line, true), (line + "X-Authctl-Key: x\r\n", false), (line + line, false), ("", false)] {
            let head = try RequestHead(Array("GET / HTTP/1.1\r\nHost: localhost:8080\r\n\(lines)\r\n".utf8))
            let refusal = refusal { () throws(ProxyRefusal) in try access.check(head) }
            #expect(refusal == (isFine ? nil : "401 the local key is missing or wrong"))
        }
    }

    @Test func `On port 80 a client may omit the port from the Host`() throws {
        func isAccepted(_ host: String, at port: UInt16) throws -> Bool {
            let access = try LoopbackAccess(port: port)
            let lines = "Host: \(host)\r\nX-Authctl-Key: \(access.key.revealed())"
            let head = try RequestHead(Array("GET / HTTP/1.1\r\n\(lines)\r\n\r\n".utf8))
            let refusal = refusal { () throws(ProxyRefusal) in try access.check(head) }
            #expect(refusal == nil || refusal == "421 the Host header names another server")
            return refusal == nil
        }
        for host in ["127.0.0.1", "localhost"] {
            #expect(try isAccepted(host, at: 80) && isAccepted("\(host):80", at: 80))
            #expect(try !isAccepted(host, at: 8080) && isAccepted("\(host):8080", at: 8080))
        }
        #expect(try !isAccepted("[::1]:80", at: 80) && !isAccepted("evil.example", at: 80))
    }
}
