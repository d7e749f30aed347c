/// The lock of one session. A process that renews or ends the session holds it, so that only one process sends a
/// request.
enum SessionLock {
    static func holding<R>(
        account: String, provider: String, in directory: ConfigDirectory, clock: Clock, _ body: () async throws -> R
    ) async throws -> R {
        // A provider that is requested new tokens may forget the old ones: not before the new ones can be kept.
        try directory.requireWritable()
        let digest = try HashFunction.sha256.digest("\(account) \(provider)".utf8)
        return try await FileLock.holding(
            "session-" + Array(digest.prefix(12)).hexadecimal, in: directory, clock: clock, body)
    }
}
