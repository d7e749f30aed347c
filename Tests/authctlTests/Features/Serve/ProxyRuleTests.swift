import AuthCore
import Testing

@testable import authctl

@Suite struct `Rules of a proxy` {
    @Test(arguments: [
        "/", "/x", "/x/", "/repos/a%20b", "/a+b", "/...x", "/.well-known/x", "/x../y", "/%C3%A9", "/%E2%80%93", "/%e6%97%a5",
        "/%F0%9F%98%80", "/x/..%CC%81", "/a,b=c/~d!$&'()*:@", "/a%2Bb", "/a%20",
    ])
    func `A path that all servers read in the same way is compared`(path: String) throws {
        #expect(ProxiedPath(path)?.segments.map(String.init) == path.dropFirst().split(separator: "/", omittingEmptySubsequences: false).map(String.init))
    }

    @Test(arguments: [
        "", "x", "*", "http://a/x", "/x/../y", "/x/./y", "/..", "/.", "//x", "/x//y", "/x//",
        // Encoded dots, slashes and other separators, also encoded twice.
        "/%2e%2e/x", "/%2E./x", "/.%2e", "/%2f", "/a%2Fb", "/a%5cb", "/a%252e", "/a%3fb", "/a%23b", "/a%3bb", "/%00", "/a%0d",
        "/a%7f", "/%", "/%2", "/%zz", "/%+1",
        // Only dots and spaces, which some servers remove at the end of a name.
        "/x/..%20/y", "/x/../%CC%81", "/%CC%81/..", "/x/%20../y", "/x/.%20./y", "/x/..+/y", "/...", "/%20", "/x/%20/y", "/+",
        // Path parameters.
        "/x/..;/y", "/x/..;a=b/y", "/%2e%2e;/x", "/;x", "/a;b=c/d", "/a;",
        // Bytes that are not UTF-8: overlong forms, surrogates, Latin-1.
        "/%c0%ae%c0%ae/x", "/%e0%80%ae", "/%c0%af", "/%c1%9c", "/%ed%a0%80", "/%e9", "/%ff",
        // Compatibility forms of separators, other spaces, and characters that are not shown.
        "/%EF%BC%8E%EF%BC%8E/x", "/a%EF%BC%8Fb", "/%EF%BC%BC", "/%E2%80%A4%E2%80%A4", "/%E2%80%A5", "/%E2%80%A6", "/%EF%B9%92",
        "/%EF%B8%B0", "/a%E2%81%84b", "/a%E2%88%95b", "/a%EF%BC%85", "/a%EF%BC%9F", "/a%CD%BE", "/..%C2%A0", "/..%E2%80%8B",
        "/..%E3%80%80", "/..%EF%BB%BF", "/a%C2%85", "/..%C2%AD", "/%E3%80%82",
        // Bytes that a URL does not have.
        "/a\\b", "/a b", "/\u{e9}", "/a|b", "/a\"b", "/a?b", "/a#b", "/a\u{1}", "/a^b", "/a{b}", "/[a]",
    ])
    func `An ambiguous path is rejected`(path: String) {
        #expect(ProxiedPath(path) == nil)
    }

    @Test(arguments: [
        ("GET /user", "GET", "/user", true), ("GET /user", "HEAD", "/user", true), ("GET /user", "POST", "/user", false),
        ("GET /user", "GET", "/user/", false), ("GET /a/*", "GET", "/a/b", true), ("GET /a/*", "GET", "/a/", false),
        ("GET /a/*", "GET", "/a/b/c", false), ("* /a/**", "DELETE", "/a/b/c", true), ("* /a/**", "GET", "/a/", true),
        ("* /a/**", "GET", "/a", false), ("GET /a%20b", "GET", "/a%20b", true), ("GET /a", "GET", "/%61", false),
        ("GET /**", "GET", "/", true), ("HEAD /a", "GET", "/a", false),
    ])
    func `A rule compares the method and each segment`(rule: String, method: String, path: String, isAllowed: Bool) throws {
        let method = try #require(HTTPRequest.Method(rawValue: method))
        #expect(try ProxyRule(rule).allows(method, #require(ProxiedPath(path))) == isAllowed)
    }
}
