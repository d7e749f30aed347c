import AuthCoreTesting
import TestSupport
import Testing

@testable import AuthCore

/// The clock was a year ahead or behind, and is correct again.
@Suite struct `Clock jumps` {
    private let folder: TemporaryFolder
    private let store: Store
    private let directory: LocalDirectory
    private let now: Int64 = TestProvider.now
    private let year: Int64 = 366 * 86400

    init() throws {
        folder = try TemporaryFolder()
        let config = ConfigDirectory(path: folder.path + "/config")
        store = try #require(try Store.open(in: config, host: NonInteractiveVaultHost(), creating: true))
        directory = LocalDirectory(sessionStore: SessionStore(store: store, profile: "default"))
    }

    private func credential(_ provider: String, _ id: String, provenAt: Int64) -> AccountCredential {
        AccountCredential(
            identity: Identity(
                key: IdentityKey(providerID: provider, authority: "https://id.example", federatedID: id),
                email: "a@example.com", isEmailVerified: true, displayName: nil, photoURL: nil),
            grant: Grant(
                providerID: provider, issuer: "https://id.example", clientID: "c",
                tokens: Tokens(
                    accessToken: AccessToken("a"), expiresAt: provenAt + 3600, tokenOrigin: "https://id.example"),
                subject: id, authenticatedAt: provenAt, lastProvenAt: provenAt, source: .browser), profile: JSONObject()
        )
    }

    private func count(_ table: String) async throws -> Int {
        try await store.read { try Int.fetchOne($0, SQL(text: "SELECT COUNT(*) FROM \(table)")) ?? -1 }
    }

    /// Signs in with another identity that has the email address of the account.
    private func conflicts(now: Int64) async throws {
        let error = await #expect(throws: AccountConflict.self) {
            _ = try await directory.signIn(credential("github.com", "2", provenAt: self.now), now: now)
        }
        let id = try #require(try await directory.sessionStore.pendingCredentials(now: now).first?.id)
        #expect(
            error
                == .existsWithDifferentCredential(email: "a@example.com", providers: ["google.com"], pendingID: id))
    }

    @Test(arguments: [0, 61, 366 * 86400] as [Int64])
    func `a future authentication time counts as recent only within the allowed skew`(ahead: Int64) async throws {
        let (account, _) = try await directory.signIn(credential("google.com", "1", provenAt: now + ahead), now: now)
        if ahead <= 60 {
            try await directory.sessionStore.requireRecentLogin(account.uid, now: now)
        } else {
            await #expect(throws: AccountRefusal.requiresRecentLogin) {
                try await directory.sessionStore.requireRecentLogin(account.uid, now: now)
            }
            // A link is not an authentication of this account's user.
            _ = try await directory.link(
                credential("github.com", "2", provenAt: now), to: account.uid, hasConsent: false, now: now)
            await #expect(throws: AccountRefusal.requiresRecentLogin) {
                try await directory.sessionStore.requireRecentLogin(account.uid, now: now)
            }
            _ = try await directory.reauthenticate(
                credential("google.com", "1", provenAt: now), as: account.uid, now: now)
            try await directory.sessionStore.requireRecentLogin(account.uid, now: now)
        }
    }

    @Test func `failed passwords with a wrong time do not extend the wait`() {
        var failures = PasswordFailures(count: 8, lastAt: now + year)
        #expect(failures.wait(at: now) == 8)
        failures.lastAt = now - year
        #expect(failures.wait(at: now) == 0)
        failures.lastAt = now
        #expect(failures.wait(at: now + 7) == 1)
    }

    @Test func `the wait after failed passwords ends even if their time is in the future`() async throws {
        for _ in 0..<7 {
            _ = try await directory.beginPasswordAttempt(email: "a@example.com", now: now + year)
        }
        guard case .throttled(let wait) = try await directory.beginPasswordAttempt(email: "a@example.com", now: now)
        else {
            Issue.record("not throttled")
            return
        }
        guard case .unknown = try await directory.beginPasswordAttempt(email: "a@example.com", now: now + wait) else {
            Issue.record("still throttled")
            return
        }
    }

    @Test func `failed passwords are deleted after one day`() async throws {
        for index in 0..<20 {
            _ = try await directory.beginPasswordAttempt(email: "\(index)@example.com", now: now)
        }
        #expect(try await count("password_failure") == 20)
        _ = try await directory.beginPasswordAttempt(email: "b@example.com", now: now + 86401)
        #expect(try await count("password_failure") == 1)
    }

    @Test func `the pause after a timed-out sign-in ends even if its time is in the future`() async throws {
        let timedOut = TimedOutSignIns(sessionStore: SessionStore(store: store, profile: "default"))
        try await timedOut.add("oidc.a", for: "r", now: now + year)
        #expect(try await timedOut.pause("oidc.a", for: "r", now: now) == 60)
        #expect(try await timedOut.pause("oidc.a", for: "r", now: now + 45) == 15)
        #expect(try await timedOut.pause("oidc.a", for: "r", now: now + 60) == 0)
        #expect(try await timedOut.pause("oidc.a", for: "r", now: now + year) == 0)
    }

    @Test func `a pending credential is still there after the clock was set back by seconds`() async throws {
        _ = try await directory.signIn(credential("google.com", "1", provenAt: now), now: now)
        try await conflicts(now: now)
        #expect(try await directory.sessionStore.pendingCredentials(now: now - 5).count == 1)
    }

    @Test(arguments: [0, 366 * 86400] as [Int64])
    func `pending credentials and sign-ins stored with a future clock are discarded`(ahead: Int64) async throws {
        _ = try await directory.signIn(credential("google.com", "1", provenAt: now), now: now)
        try await conflicts(now: now + ahead)
        #expect(try await count("pending_credential") == 1)
        #expect(try await directory.sessionStore.pendingCredentials(now: now).count == (ahead == 0 ? 1 : 0))
        #expect(try await count("pending_credential") == (ahead == 0 ? 1 : 0))
        let begun = StartedSignIns(sessionStore: SessionStore(store: store, profile: "default"))
        let id = try await begun.put("x", provider: "oidc.a", expiresAt: now + ahead + 300, now: now + ahead)
        #expect(try await begun.find(id, now: now)?.text == (ahead == 0 ? "x" : nil))
        _ = try await begun.put("y", provider: "oidc.a", expiresAt: now + 300, now: now)
        #expect(try await count("begun_sign_in") == (ahead == 0 ? 2 : 1))
    }

    @Test func `a used nonce is stored beyond its token's lifetime, but not forever`() async throws {
        let directory = directory
        func use(_ nonce: String, until end: Int64, at time: Int64) async throws -> Bool {
            try await directory.sessionStore.useNonce(Nonce(nonce), until: end, now: time)
        }
        #expect(try await use("short", until: now + 60, at: now))
        #expect(try await use("long", until: now + year, at: now))
        #expect(try await use("endless", until: .max, at: now))
        #expect(try await !use("short", until: now + 60, at: now + 29 * 86400))
        #expect(try await use("other", until: now, at: now + 31 * 86400))
        #expect(try await count("used_nonce") == 3, "the short one is deleted")
        #expect(try await !use("long", until: now + year, at: now + year - 1))
    }
}
