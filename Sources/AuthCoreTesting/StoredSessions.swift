package import AuthCore

extension SessionStore {
    /// Stores a session in place of the stored one. Returns false if there is none.
    package func replace(_ session: Session) async throws -> Bool {
        let stored = try await self.session(
            account: session.accountUID, provider: session.providerID, resource: session.resource)
        guard let stored else { return false }
        return try await update(session, since: stored) == .stored
    }
}
