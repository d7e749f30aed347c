import Synchronization

/// How far servers' clocks are ahead of this one, by origin, where they refused what was signed here for its time.
final class ServerTimes: Sendable {
    private let offsets = Mutex<[String: Int64]>([:])

    /// Seconds; 0 where nothing is known.
    func ahead(at url: HTTPURL) -> Int64 { offsets.withLock { $0[url.origin] ?? 0 } }

    func learn(_ ahead: Int64, at url: HTTPURL) { offsets.withLock { $0[url.origin] = ahead } }
}
