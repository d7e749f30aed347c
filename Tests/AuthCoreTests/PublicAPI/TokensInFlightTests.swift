import Synchronization
import Testing

@testable import AuthCore

/// Counts token requests, which end when the test opens the gate.
private final class GatedRequest: Sendable {
    let count = Mutex(0)
    let (began, start) = AsyncStream<Void>.makeStream()
    let (gate, open) = AsyncStream<Void>.makeStream()
    private let inFlight = SingleFlight<SessionTokens.Key, IssuedToken>()

    func token() async throws -> IssuedToken {
        let key = SessionTokens.Key(provider: nil, account: nil, kind: .access, minimum: 60, resource: nil)
        return try await inFlight.run(key) { [self] in
            count.withLock { $0 += 1 }
            start.yield()
            for await _ in gate { break }
            return IssuedToken("the-token", kind: .access, provider: nil, expiresAt: nil)
        }
    }
}

@Suite struct `Tasks that share one token request` {
    @Test func `A cancelled task stops waiting, and the shared token request continues for the others`() async throws {
        let request = GatedRequest()
        let first = Task { try await request.token() }
        for await _ in request.began { break }
        let second = Task { try await request.token() }
        // The first task started the request. Cancelling the task does not end the request.
        first.cancel()
        await #expect(throws: CancellationError.self) { try await first.value }
        let cancelled = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await request.token()
        }
        await #expect(throws: CancellationError.self) { try await cancelled.value }
        request.open.yield()
        #expect(try await second.value.withUnsafeValue { $0 } == "the-token")
        #expect(request.count.withLock { $0 } == 1)
    }
}
