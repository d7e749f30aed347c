/// The lock of one session. A process that renews or ends the session holds it, so that only one process sends a
/// request.
enum SessionLock {
    static func holding<R>(
        account: String, provider: String, in directory: ConfigDirectory, clock: Clock,
        unless: () async throws -> R? = { nil }, _ body: (HeldLock) async throws -> R
    ) async throws -> R {
        // A refresh may invalidate the old tokens, so it must be possible to store the new ones.
        try directory.requireWritable()
        let name = try name(account, provider)
        return try await FileLock.holding(name, in: directory, clock: clock, unless: unless, body: body)
    }

    static func isHeld(account: String, provider: String, in directory: ConfigDirectory) throws -> Bool {
        try FileLock.isHeld(name(account, provider), in: directory)
    }

    private static func name(_ account: String, _ provider: String) throws -> String {
        try FileLock.name("session", of: "\(account) \(provider)")
    }
}
