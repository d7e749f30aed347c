import AuthCore

/// Changes of `config.yaml`: one process at a time.
enum ConfigChange {
    static func locked<R>(_ context: Context, _ body: () async throws -> R) async throws -> R {
        try context.configDirectory.create()
        return try await FileLock.holding("config", in: context.configDirectory, clock: context.clock, body)
    }
}
