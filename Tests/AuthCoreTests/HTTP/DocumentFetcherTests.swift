import Synchronization
import Testing

@testable import AuthCore

@Suite struct `Fetched documents` {
    private struct StubTransport: HTTPTransport {
        let respond: @Sendable () throws(HTTPError) -> HTTPResponse
        func send(_ request: HTTPRequest) async throws(HTTPError) -> HTTPResponse { try respond() }
    }

    private static func fetch(_ respond: @escaping @Sendable () throws(HTTPError) -> HTTPResponse) async -> (
        waited: Double, error: (any Error)?
    ) {
        let waited = Mutex(0.0)
        let clock = Clock(now: { 1000 }, sleep: { seconds in waited.withLock { $0 += seconds } })
        let fetcher = DocumentFetcher(
            transport: StubTransport(respond: respond), cache: NoDocumentCache(), clock: clock)
        do {
            _ = try await fetcher.document(HTTPRequest(.get, HTTPURL("https://id.example.com/")), key: "k") { _, _ in }
            return (waited.withLock { $0 }, nil)
        } catch {
            return (waited.withLock { $0 }, error)
        }
    }

    @Test(arguments: ["60", "45", "31", "1"])
    func `Repeated 429 responses delay a document by at most one minute`(after: String) async {
        let (waited, error) = await Self.fetch { () throws(HTTPError) in
            HTTPResponse(status: 429, headers: [(name: "retry-after", value: after)])
        }
        #expect(waited <= 60)
        guard case DocumentError.tooManyRequests? = error else {
            return #expect(Bool(false), "\(String(describing: error))")
        }
    }

    @Test(
        arguments: [
            ("https://other.example/x?y=1", "https://other.example/x?y=1"),
            ("//other.example", "https://other.example"),
            ("http://id.example.com/", "http://id.example.com/"), ("mailto:a@b", "mailto:a@b"),
            ("/again", "https://id.example.com/again"), (nil, nil),
        ] as [(String?, String?)])
    func `A redirect that is not followed is an error with the new URL`(location: String?, named: String?) async {
        let (_, error) = await Self.fetch { () throws(HTTPError) in
            HTTPResponse(status: 302, headers: location.map { [(name: "location", value: $0)] } ?? [])
        }
        let url = location == "/again" ? "https://id.example.com/again" : "https://id.example.com/"
        let expected: DocumentError =
            named.map { .redirect(url: url, to: ServerText($0)) } ?? .status(302, url: "https://id.example.com/")
        #expect(error as? DocumentError == expected)
    }

    @Test func `A lost connection is retried`() async {
        let count = Mutex(0)
        let (_, error) = await Self.fetch { () throws(HTTPError) in
            guard
                count.withLock({
                    $0 += 1; return $0
                }) > 2
            else {
                throw .connectionLost(origin: "o", reason: "r")
            }
            return HTTPResponse(status: 200)
        }
        #expect(error == nil)
    }
}
