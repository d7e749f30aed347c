import AuthCoreTesting
import Glibc
import Synchronization
import Testing

@testable import AuthCore

/// The fast path reads a stored token without the use case. Both must choose the same session.
@Suite struct `The fast path to a stored session` {
    private static let stored = [
        "ada@oidc.a", "ada@oidc.a for https://api.example.com/a", "ada@oidc.b for https://api.example.com/b",
        "bob@oidc.b",
        "bob@oidc.c", "eve@oidc.d", "eve@oidc.a", "dan@oidc.e for https://api.example.com/e",
    ]

    private func directory(_ folder: StoreFolder) async throws -> (LocalDirectory, [String: String]) {
        let store = try #require(try Store.open(in: folder.directory, host: NonInteractiveVaultHost(), creating: true))
        let directory = LocalDirectory(sessionStore: SessionStore(store: store, profile: "default"))
        var uids: [String: String] = [:]
        for text in Self.stored {
            let parts = text.split(separator: " for ").map(String.init)
            let (name, provider) = (String(parts[0].prefix(3)), String(parts[0].dropFirst(4)))
            let issuer = "https://id.example.com"
            let identity = Identity(
                key: IdentityKey(providerID: "oidc.login", authority: issuer, federatedID: name), email: nil,
                isEmailVerified: false, displayName: nil, photoURL: nil)
            let grant = Grant(
                providerID: provider, issuer: issuer, clientID: "c",
                tokens: Tokens(accessToken: AccessToken(text), refreshToken: nil, tokenOrigin: issuer), subject: name,
                lastProvenAt: 1, source: .browser, resource: try parts.count == 2 ? HTTPURL(parts[1]) : nil)
            uids[name] = try await directory.signIn(
                AccountCredential(identity: identity, grant: grant, profile: JSONObject()), now: 1
            ).account.uid
        }
        return (directory, uids)
    }

    @Test func `The fast path returns the session that SessionChoice chooses, or nil`() async throws {
        let folder = try StoreFolder()
        try folder.makeFixedKey()
        let (directory, uids) = try await directory(folder)
        let mark = try SettingsDigest(folder.directory.settings(), namesEmulator: false)
        await directory.sessionStore.remember(mark)
        var found = 0
        for (current, uid) in uids {
            try await directory.sessionStore.makeCurrent(uid)
            for account in [nil] + uids.values.map(Optional.some) + ["nobody"] {
                for provider in [nil, "oidc.a", "oidc.b", "oidc.c", "oidc.d", "oidc.e", "oidc.x"] {
                    let fast = try directory.sessionStore.storedSession(
                        account: account, provider: provider, settings: mark
                    ) { _ in true }
                    let chosen = try? await SessionChoice(directory: directory).choose(
                        .init(account: account, providers: provider.map { [$0] }))
                    // The session of another account requires a note, which only the use case prints.
                    let expected = chosen.flatMap { $0.otherAccount == nil ? $0.session : nil }
                    #expect(fast == expected, "\(current) \(account ?? "-") \(provider ?? "-")")
                    #expect(fast?.resource == nil)
                    found += fast == nil ? 0 : 1
                }
            }
        }
        #expect(found > 20)
    }

    @Test func `The fast path returns no token for a resource`() async throws {
        let folder = try StoreFolder()
        try folder.makeFixedKey()
        let (directory, uids) = try await directory(folder)
        let mark = try SettingsDigest(folder.directory.settings(), namesEmulator: false)
        await directory.sessionStore.remember(mark)
        var request = CurrentToken.Request(account: uids["ada"], provider: "oidc.a")
        func stored() throws -> CurrentToken.Result? {
            try CurrentToken.stored(
                request, in: directory.sessionStore, settings: mark, clock: Clock(now: { 1 }))
        }
        #expect(try stored()?.token == .access(AccessToken("ada@oidc.a")))
        request.resource = try HTTPURL("https://api.example.com/a")
        #expect(try stored() == nil)
    }

    @Test func `The fast path waits for the process that refreshes the token, and for no other`() async throws {
        let folder = try StoreFolder()
        try folder.makeFixedKey()
        let (directory, uids) = try await directory(folder)
        let mark = try SettingsDigest(folder.directory.settings(), namesEmulator: false)
        await directory.sessionStore.remember(mark)
        let uid = try #require(uids["ada"])
        let valid = try #require(
            try await directory.sessionStore.openedSession(account: uid, provider: "oidc.a", resource: nil)
        ).session
        var expired = valid
        expired.expiresAt = 10
        _ = try await directory.sessionStore.update(expired, since: valid)
        let request = CurrentToken.Request(account: uid, provider: "oidc.a")
        let reads = Mutex(0)
        let clock = Clock(now: {
            reads.withLock { $0 += 1 }
            return 20
        })
        let awaited: @Sendable () throws -> CurrentToken.Result? = {
            try CurrentToken.awaited(
                request, in: directory.sessionStore, settings: mark, locks: folder.directory, clock: clock)
        }
        #expect(try awaited() == nil)
        var renewed = expired
        renewed.expiresAt = 1000
        renewed.accessToken = AccessToken("renewed")
        let waiting = try await SessionLock.holding(
            account: uid, provider: "oidc.a", in: folder.directory, clock: Clock(now: { 20 })
        ) { [expired, renewed] _ in
            let seen = reads.withLock { $0 }
            let hasEnded = Mutex(false)
            let waiting = Task.detached {
                defer { hasEnded.withLock { $0 = true } }
                return try awaited()
            }
            // Other changes of the store do not end the wait.
            while reads.withLock({ $0 }) < seen + 2, !hasEnded.withLock({ $0 }) {
                try await directory.sessionStore.makeCurrent(uid)
            }
            // As if this and the last change were in one tick of the kernel's clock, which sets the times of files.
            let path = folder.directory.path(of: Store.name)
            var status = Glibc.stat()
            #expect(stat(path, &status) == 0)
            _ = try await directory.sessionStore.update(renewed, since: expired)
            #expect(utimensat(AT_FDCWD, path, [status.st_atim, status.st_mtim], 0) == 0)
            return waiting
        }
        let found = try await waiting.value
        #expect(found?.token == .access(AccessToken("renewed")))
        _ = try await directory.sessionStore.update(expired, since: renewed)
        let other = try await SessionLock.holding(
            account: uid, provider: "oidc.b", in: folder.directory, clock: Clock(now: { 20 })
        ) { _ in try awaited() }
        #expect(other == nil)
    }
}
