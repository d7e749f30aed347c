/// The token of one session, in memory until shortly before it expires.
///
/// After a process has changed the store or the settings, the token is read again, so that a sign-out has an immediate
/// effect. Concurrent callers share one refresh request.
package final class CachedToken: Sendable {
    private let state: Lock<State>

    private struct State {
        var profile: Profile
        var request: CurrentToken.Request
        var held: Held?
        var known: ProfileChange?
        var reading: Task<CurrentToken.Result, any Error>?
    }

    private final class Held: Sendable {
        let result: CurrentToken.Result
        let change: ProfileChange

        init(_ result: CurrentToken.Result, _ change: ProfileChange) { (self.result, self.change) = (result, change) }
    }

    /// - Parameter request: selects the session. After the first token, its account and provider are fixed.
    package init(_ profile: Profile, _ request: CurrentToken.Request) {
        state = Lock(State(profile: profile, request: request))
    }

    /// The token in memory; nil if it must be read or refreshed. Does not wait.
    package func inMemory() -> CurrentToken.Result? { state.withLock { inMemory($0) } }

    private func inMemory(_ state: State) -> CurrentToken.Result? {
        guard let held = state.held, held.result.validity.isValid(at: state.profile.clock.now()),
            held.change == ProfileChange(of: state.profile)
        else { return nil }
        return held.result
    }

    package func current() async throws -> CurrentToken.Result {
        let reading = state.withLock { state -> Task<CurrentToken.Result, any Error> in
            if let held = inMemory(state) { return Task { held } }
            if let reading = state.reading { return reading }
            let task = Task { try await self.read() }
            state.reading = task
            return task
        }
        return try await reading.value
    }

    private func read() async throws -> CurrentToken.Result {
        defer { state.withLock { $0.reading = nil } }
        let (profile, request, change) = state.withLock { state in
            // Taken before the token is read, so that a later change is noticed.
            let change = ProfileChange(of: state.profile)
            if let known = state.known, change.hasOtherSettings(than: known) {
                state.profile = state.profile.reopened()
            }
            state.known = change
            return (state.profile, state.request, change)
        }
        let result = try await CurrentToken(profile)(request)
        state.withLock { state in
            if let account = result.accountUID {
                (state.request.account, state.request.provider) = (account, result.providerID)
            }
            state.held = Held(result, change)
        }
        return result
    }
}

extension CachedToken {
    /// Whether the session still has a valid token or can get one. Also true if the store cannot be read. Does not
    /// refresh.
    package func hasSession() async -> Bool {
        let (profile, request) = state.withLock { ($0.profile, $0.request) }
        do {
            return try await profile.sessionServices().hasSession(request)
        } catch {
            return !(error is NotSignedIn)
        }
    }
}
