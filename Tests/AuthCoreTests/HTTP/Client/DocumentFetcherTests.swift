import Testing

@testable import AuthCore

@Suite struct `Fetched documents` {
    private struct StubTransport: HTTPTransport {
        let response: HTTPResponse
        func send(_ request: HTTPRequest) async throws(HTTPError) -> HTTPResponse { response }
    }

    @Test(
        arguments: [
            ("https://other.example/x?y=1", "https://other.example/x?y=1"),
            ("//other.example", "https://other.example"),
            ("http://id.example.com/", "http://id.example.com/"), ("mailto:a@b", "mailto:a@b"),
            ("/again", "https://id.example.com/again"), (nil, nil),
        ] as [(String?, String?)])
    func `A redirect that is not followed is an error with the new URL`(location: String?, named: String?) async {
        let transport = StubTransport(
            response: HTTPResponse(status: 302, headers: location.map { [(name: "location", value: $0)] } ?? []))
        let clock = Clock(now: { 1000 }, sleep: { _ in })
        let fetcher = DocumentFetcher(transport: transport, cache: nil, clock: clock)
        let url = location == "/again" ? "https://id.example.com/again" : "https://id.example.com/"
        let expected: DocumentError =
            named.map { .redirect(url: url, to: ServerText($0)) } ?? .status(302, url: "https://id.example.com/")
        await #expect(throws: expected) {
            try await fetcher.document(HTTPRequest(.get, HTTPURL("https://id.example.com/")), key: "k") { _ in }
        }
    }
}
