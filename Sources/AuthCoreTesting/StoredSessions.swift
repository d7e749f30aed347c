package import AuthCore

extension SessionStore {
    /// Replaces the stored session. Returns false if no session is stored.
    package func replace(_ session: Session) async throws -> Bool {
        let stored = try await self.session(
            account: session.accountUID, provider: session.providerID, resource: session.resource)
        guard let stored else { return false }
        return try await update(session, since: stored) == .stored
    }
}
