#if Metrics
    internal import Metrics
#endif
#if Tracing
    internal import Tracing
#endif

/// Metrics and traces of renewals, for programs that enable the traits `Metrics` and `Tracing`: number, duration and
/// result. They do not contain accounts or tokens.
enum RenewalTelemetry {
    /// How a renewal ended.
    enum Outcome: String {
        case renewed
        /// The user, or a job, must sign in again.
        case refused
        case failed

        init(_ error: any Error) { self = error is NotSignedIn || error is ProjectSessionEnded ? .refused : .failed }
    }

    static func recording<R>(of provider: String, _ renew: () async throws -> R) async throws -> R {
        let began = ContinuousClock.now
        do {
            let renewed = try await traced(provider, renew)
            count(.renewed, at: provider, since: began)
            return renewed
        } catch {
            count(Outcome(error), at: provider, since: began)
            throw error
        }
    }

    private static func count(_ outcome: Outcome, at provider: String, since began: ContinuousClock.Instant) {
        #if Metrics
            let dimensions = [("provider", provider), ("outcome", outcome.rawValue)]
            Counter(label: "authcore.refreshes", dimensions: dimensions).increment()
            Timer(label: "authcore.refresh.duration", dimensions: dimensions).record(duration: .now - began)
        #endif
    }

    private static func traced<R>(_ provider: String, _ renew: () async throws -> R) async throws -> R {
        #if Tracing
            try await withSpan("token refresh", ofKind: .client) { span -> Result<R, any Error> in
                span.attributes["provider"] = provider
                do { return .success(try await renew()) } catch {
                    // Only the kind of error: a server's message may be about a user, and must not be in traces.
                    span.setStatus(SpanStatus(code: .error, message: Outcome(error).rawValue))
                    return .failure(error)
                }
            }.get()
        #else
            try await renew()
        #endif
    }
}
