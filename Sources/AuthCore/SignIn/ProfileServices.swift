extension Profile {
    /// What refresh and sign-out work with.
    /// - Throws: what `directory` throws.
    func sessionServices(creating: Bool = false) throws -> SessionServices {
        SessionServices(
            directory: try directory(creating: creating), clock: clock, lockDirectory: configDirectory,
            client: { try await self.client($0) }, workloads: { try self.workloads() })
    }

    /// What gets a job's token from its CI system.
    /// - Throws: what `services` throws.
    package func workloads() throws -> WorkloadTokens { WorkloadTokens(host: host, services: try services()) }
}
