/// Sessions of the profile's other directories. Errors mention them, but they are never used.
extension SessionStore {
    func others() async throws -> [SessionStore] {
        let texts = try await read { rows in
            try String.fetchAll(
                rows.db,
                """
                SELECT directory FROM home
                WHERE profile = \(rows.profile) AND id <> \(rows.directoryID.id) ORDER BY id DESC
                """)
        }
        return texts.compactMap { DirectoryOrigin(text: $0) }.filter { $0 != origin }.map(withOrigin)
    }

    /// Whether the profile has accounts in this directory, and in no other; read on this thread.
    func hasEveryAccount() throws -> Bool {
        let directories = try store.blockingRead {
            try String.fetchAll(
                $0,
                "SELECT DISTINCT directory FROM home JOIN account ON account.home = home.id WHERE profile = \(profile)")
        }
        return directories.map { DirectoryOrigin(text: $0) } == [origin]
    }

    func requireInThisDirectory(_ uid: String) async throws {
        guard try await account(uid: uid) == nil, let found = try await inOtherDirectory({ _ in uid }) else { return }
        throw found
    }

    func accountsInOtherDirectories(matching name: String) async throws -> [Account] {
        do { return try await accounts(matching: name) } catch NotSignedIn.ambiguousPrefix { return [] }
    }

    package func absence(of name: String? = nil) async throws -> any Error {
        if let name {
            return try await inOtherDirectory { try await $0.accountsInOtherDirectories(matching: name).first?.uid }
                ?? NotSignedIn.unknownAccount(name)
        }
        // If this directory has accounts, the user has only signed out, so other directories are not searched.
        guard try await read({ try $0.accounts.isEmpty }) else { return NotSignedIn.noAccount }
        return try await inOtherDirectory { try await $0.currentUID() } ?? NotSignedIn.noAccount
    }

    private func inOtherDirectory(_ uid: (SessionStore) async throws -> String?) async throws -> DirectoryMismatch? {
        for other in try await others() {
            guard let uid = try await uid(other), let session = try await other.sessions(account: uid).first else {
                continue
            }
            var made = session.directory
            if made == nil { made = try? await other.signedOrigin(uid, store.sealer(creating: false)) }
            return DirectoryMismatch(kind: .session, provider: session.signInProvider, origin: made, current: origin)
        }
        return nil
    }
}
