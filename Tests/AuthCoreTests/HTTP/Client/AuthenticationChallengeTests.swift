import Testing

@testable import AuthCore

/// RFC 9110 section 11.6.1.
@Suite struct `WWW-Authenticate challenges` {
    @Test func `Commas separate both challenges and parameters`() {
        let value = #"Basic realm="a, b", Bearer scope="x y" , error=insufficient_scope, Negotiate YWJj==, Last"#
        let all = AuthenticationChallenge.read(value)
        #expect(all.map(\.scheme) == ["basic", "bearer", "negotiate", "last"])
        #expect(all[0].parameters == ["realm": "a, b"])
        #expect(all[1].parameters == ["scope": "x y", "error": "insufficient_scope"])
        #expect(all[2].token68 == "YWJj==" && all[3].parameters.isEmpty)
    }

    @Test func `Several WWW-Authenticate fields form one list, and names are case-insensitive`() {
        let response = HTTPResponse(
            status: 401,
            headers: [
                (name: "www-authenticate", value: "Basic"), (name: "date", value: "x"),
                (name: "WWW-Authenticate", value: #"BEARER Resource_Metadata = "https://a.example/\"x""#),
            ])
        let all = AuthenticationChallenge.all(in: response)
        #expect(all.map(\.scheme) == ["basic", "bearer"])
        #expect(all.last?.parameters == ["resource_metadata": #"https://a.example/"x"#])
    }

    @Test(arguments: [
        #"Bearer scope="a", scope="b""#, #"Bearer scope="a"#, #"Bearer scope="a" b="c""#,
        "Bearer scope=\"a\u{7F}\"",
    ])
    func `A malformed challenge is ignored, and the challenges before it are kept`(
        value: String
    ) {
        #expect(AuthenticationChallenge.read(value).isEmpty)
        #expect(AuthenticationChallenge.read("Basic realm=x, " + value).map(\.scheme) == ["basic"])
    }
}
