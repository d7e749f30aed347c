import Synchronization
import Testing

@testable import AuthCore

/// Requests that are repeated after a temporary failure.
@Suite struct `Repeated requests` {
    private final class StubTransport: HTTPTransport {
        let responses: Mutex<[Result<HTTPResponse, HTTPError>]>
        let requests = Mutex<[HTTPRequest]>([])

        init(_ responses: [Result<HTTPResponse, HTTPError>]) { self.responses = Mutex(responses) }

        func send(_ request: HTTPRequest) async throws(HTTPError) -> HTTPResponse {
            requests.withLock { $0.append(request) }
            return try responses.withLock { $0.count > 1 ? $0.removeFirst() : $0[0] }.get()
        }

        var count: Int { requests.withLock { $0.count } }
    }

    /// A clock that only moves while a request waits.
    private final class Waits: Sendable {
        let pauses = Mutex<[Double]>([])

        var clock: Clock {
            Clock(
                now: { 1000 + Int64(self.pauses.withLock { $0.reduce(0, +) }) },
                sleep: { seconds in self.pauses.withLock { $0.append(seconds) } })
        }
    }

    private static func response(_ status: Int, after: String? = nil) -> Result<HTTPResponse, HTTPError> {
        .success(HTTPResponse(status: status, headers: after.map { [(name: "retry-after", value: $0)] } ?? []))
    }

    private static func lost() -> Result<HTTPResponse, HTTPError> {
        .failure(.connectionLost(origin: "o", reason: "r"))
    }

    /// The pauses of a request that may be repeated.
    private func pauses(
        _ responses: Result<HTTPResponse, HTTPError>..., method: HTTPRequest.Method = .get
    ) async throws -> [Double] {
        let (transport, waits) = (StubTransport(responses), Waits())
        var request = HTTPRequest(method, try HTTPURL("https://id.example.com/"))
        request.repeats = waits.clock
        _ = try? await transport.response(to: request)
        let pauses = waits.pauses.withLock { $0 }
        #expect(transport.count == pauses.count + 1)
        return pauses
    }

    @Test func `A request is tried five times, with longer and longer pauses`() async throws {
        #expect(try await pauses(Self.response(503)) == [0.2, 0.4, 0.8, 1.6])
        #expect(try await pauses(Self.lost()) == [0.2, 0.4, 0.8, 1.6])
        #expect(try await pauses(Self.response(502), method: .post) == [0.2, 0.4, 0.8, 1.6])
        #expect(try await pauses(.failure(.noResponse(origin: "o", reason: "r")), Self.response(200)) == [0.2])
        #expect(try await pauses(Self.response(500), Self.lost(), Self.response(200)) == [0.2, 0.4])
    }

    @Test(arguments: [
        HTTPError.cannotConnect(origin: "o", reason: "r"), .proxyFailed(origin: "o", proxy: "p", fault: .status(503)),
    ])
    func `A server that does not accept connections is tried three times`(error: HTTPError) async throws {
        #expect(try await pauses(.failure(error)) == [0.2, 0.4])
    }

    @Test(arguments: [
        ("7", [7, 7, 7, 7]), ("20", [20]), ("30", [30]), ("31", []), ("0", [0.2, 0.4, 0.8, 1.6]), ("soon", []),
    ])
    func `Retry-After makes a pause longer, but not beyond 30 seconds`(after: String, expected: [Double]) async throws {
        #expect(try await pauses(Self.response(429, after: after)) == expected)
    }

    @Test func `A response of status 429 without Retry-After is final`() async throws {
        #expect(try await pauses(Self.response(429)).isEmpty)
    }

    @Test(arguments: [
        response(200), response(404), response(401), .failure(.timedOut(origin: "o")), .failure(.cancelled),
        .failure(.untrusted(origin: "o", reason: .expired)), .failure(.tooLarge(origin: "o")),
        .failure(.proxyFailed(origin: "o", proxy: "p", fault: .untrusted(.expired))),
        .failure(.proxyFailed(origin: "o", proxy: "p", fault: .status(407))),
    ])
    func `Another result is final`(result: Result<HTTPResponse, HTTPError>) async throws {
        #expect(try await pauses(result).isEmpty)
    }

    @Test func `A request is sent once by default`() async throws {
        let transport = StubTransport([Self.lost()])
        let request = HTTPRequest(.get, try HTTPURL("https://id.example.com/"))
        await #expect(throws: HTTPError.connectionLost(origin: "o", reason: "r")) {
            try await transport.response(to: request)
        }
        #expect(transport.count == 1)
    }

    @Test func `A document is repeated, and its caller gets the last error`() async throws {
        let (transport, waits) = (StubTransport([Self.response(429, after: "9")]), Waits())
        let fetcher = DocumentFetcher(transport: transport, cache: nil, clock: waits.clock)
        await #expect(throws: DocumentError.tooManyRequests(origin: "https://id.example.com:443", retryAfter: 9)) {
            try await fetcher.document(HTTPRequest(.get, HTTPURL("https://id.example.com/")), key: "k") { _ in }
        }
        #expect(transport.count == 4)
    }
}
