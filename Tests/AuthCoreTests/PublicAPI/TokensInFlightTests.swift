import Synchronization
import Testing

@testable import AuthCore

/// Waits for a token whose request ends when the test says so.
private final class Waiting: Sendable {
    let count = Mutex(0)
    let (began, isAsked) = AsyncStream<Void>.makeStream()
    let (gate, open) = AsyncStream<Void>.makeStream()
    private let inFlight = TokensInFlight()

    func token() async throws -> IssuedToken {
        let key = TokensInFlight.Key(provider: nil, account: nil, kind: .access, minimum: 60, resource: nil)
        return try await inFlight.shared(key) { [self] in
            count.withLock { $0 += 1 }
            isAsked.yield()
            for await _ in gate { break }
            return IssuedToken("the-token", kind: .access, provider: nil, expiresAt: nil)
        }
    }
}

@Suite struct `Tasks that share one token request` {
    @Test func `stop waiting when cancelled, and the request continues for the others`() async throws {
        let waiting = Waiting()
        let first = Task { try await waiting.token() }
        for await _ in waiting.began { break }
        let second = Task { try await waiting.token() }
        // The first one began the request; the request does not end with it.
        first.cancel()
        await #expect(throws: CancellationError.self) { try await first.value }
        let cancelled = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await waiting.token()
        }
        await #expect(throws: CancellationError.self) { try await cancelled.value }
        waiting.open.yield()
        #expect(try await second.value.withUnsafeValue { $0 } == "the-token")
        #expect(waiting.count.withLock { $0 } == 1)
    }
}
