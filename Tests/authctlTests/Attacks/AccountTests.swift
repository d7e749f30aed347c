import AuthCoreTesting
import TestSupport
import Testing

@testable import AuthCore
@testable import authctl

/// Attempts to open another user's account.
@Suite struct `Accounts` {
    private let folder: TemporaryFolder
    private let directory: LocalDirectory
    private let now: Int64 = TestProvider.now

    init() throws {
        folder = try TemporaryFolder()
        let config = ConfigDirectory(path: folder.path + "/config")
        let store = try #require(try Store.open(in: config, host: NonInteractiveVaultHost(), creating: true))
        directory = LocalDirectory(SessionStore(store, profile: "default"))
    }

    private func credential(
        _ provider: String, _ id: String, email: String? = nil, isVerified: Bool = true,
        authority: String = "https://id.example", provenAt: Int64 = TestProvider.now
    ) -> AccountCredential {
        AccountCredential(
            identity: Identity(
                key: IdentityKey(providerID: provider, authority: authority, federatedID: id), email: email,
                isEmailVerified: isVerified, displayName: "Name of \(id)", photoURL: nil),
            grant: Grant(
                providerID: provider, issuer: authority, clientID: "c",
                tokens: Tokens(
                    accessToken: AccessToken("access-\(id)"), expiresAt: provenAt + 3600,
                    refreshToken: RefreshToken("refresh-\(id)"), idToken: RawIDToken("id-\(id)"),
                    idTokenExpiresAt: provenAt + 3600, scopes: ["openid", "email"], tokenOrigin: authority),
                subject: id, nonce: Nonce("nonce-\(id)"), authenticatedAt: provenAt, lastProvenAt: provenAt,
                source: .browser),
            said: ["name": .string("Name of \(id)")])
    }

    private func failure(_ body: () async throws -> Void) async -> Failure? {
        do {
            try await body()
            return nil
        } catch {
            return Failure(error, while: ErrorContext("refused", again: "authctl signin"))
        }
    }

    private var pending: PendingCredentials { PendingCredentials(directory: directory, clock: Clock(now: { now })) }

    /// Links the credential that is named, or the only one that waits for the account.
    private func link(_ id: String?, to uid: String) async throws -> SignInResult {
        let account = try #require(try await directory.sessionStore.account(uid: uid))
        let chosen = try await pending.choose(id) { $0.waits(for: account) }
        return try await pending.link(chosen, to: account, hasConsent: false)
    }

    @Test func `K1: an address that somebody registered first gives nobody the account`() async throws {
        let attacker = try await directory.signUp(
            email: "victim@example.com", try PasswordHash(Password("a long password"), cost: .cheap), now: now)
        let failure = await failure {
            _ = try await directory.signIn(credential("google.com", "1", email: "victim@example.com"), now: now)
        }
        #expect(failure?.exitCode == 6 && failure?.code == "account-exists-with-different-credential")
        #expect(try await directory.sessionStore.accounts().map(\.uid) == [attacker.uid])
        #expect(try await directory.sessionStore.accounts()[0].providerData.count == 1)
    }

    @Test(arguments: [true, false])
    func `K2: another account's email is a conflict, verified or not, and the credential waits`(
        isVerified: Bool
    ) async throws {
        let (first, _) = try await directory.signIn(credential("google.com", "1", email: "a@example.com"), now: now)
        let failure = await failure {
            _ = try await directory.signIn(
                credential("github.com", "2", email: "a@example.com", isVerified: isVerified), now: now)
        }
        #expect(failure?.exitCode == 6 && failure?.code == "account-exists-with-different-credential")
        #expect(failure?.details["email"] == "a@example.com" && failure?.details["providers"] == ["google.com"])
        let waiting = try await pending.all()
        #expect(waiting.map(\.providerID) == ["github.com"] && waiting[0].accountUID == first.uid)
        #expect(failure?.details["pendingId"]?.string == waiting[0].id)
        #expect(waiting[0].expiresAt == now + 3600)
        let linked = try await link(nil, to: first.uid)
        #expect(
            linked.operation.rawValue == "link"
                && linked.account.providerData.map(\.key.providerID) == ["google.com", "github.com"])
        #expect(try await pending.all().isEmpty)
        let session = try #require(try await directory.sessionStore.session(account: first.uid, provider: "github.com"))
        #expect(session.accessToken == AccessToken("access-2") && session.refreshToken == RefreshToken("refresh-2"))
        #expect(session.nonce == Nonce("nonce-2") && session.scopes == ["openid", "email"])
        let (again, isNew) = try await directory.signIn(credential("github.com", "2", email: "a@example.com"), now: now)
        #expect(again.uid == first.uid && !isNew)
    }

    @Test func `K3: an administrator who writes a victim's address into a directory does not get the account`()
        async throws
    {
        let victim = try await directory.signIn(credential("google.com", "1", email: "a@example.com"), now: now).account
        let tenant = "https://login.microsoftonline.com/72f988bf-86f1-41af-91ab-2d7cd011db47/v2.0"
        let evil = credential("microsoft.com", "evil", email: "a@example.com", isVerified: false, authority: tenant)
        let failure = await failure { _ = try await directory.signIn(evil, now: now) }
        #expect(failure?.exitCode == 6)
        #expect(try await directory.sessionStore.account(uid: victim.uid)?.providerData.count == 1)
    }

    @Test func `K4: an email that changes moves no account`() async throws {
        let (first, _) = try await directory.signIn(credential("google.com", "1", email: "a@example.com"), now: now)
        let (again, isNew) = try await directory.signIn(credential("google.com", "1", email: "b@example.com"), now: now)
        #expect(again.uid == first.uid && !isNew && again.providerData[0].email == "b@example.com")
        #expect(again.email == "a@example.com", "the account's own address is the person's to change")
        // The provider gave the old address to another user: a conflict, not a sign-in.
        let failure = await failure {
            _ = try await directory.signIn(credential("google.com", "2", email: "a@example.com"), now: now)
        }
        #expect(failure?.code == "account-exists-with-different-credential")
    }

    @Test func `K5: a proof of somebody else leaves everything as it was`() async throws {
        let (mine, _) = try await directory.signIn(credential("google.com", "1", email: "a@example.com"), now: now)
        let (other, _) = try await directory.signIn(credential("google.com", "2", email: "b@example.com"), now: now)
        let before = try #require(try await directory.sessionStore.session(account: mine.uid, provider: "google.com"))
        for wrong in [
            credential("google.com", "2"), credential("google.com", "3"),
            credential("google.com", "1", authority: "https://other.example"),
        ] {
            let failure = await failure { _ = try await directory.reauthenticate(wrong, as: mine.uid, now: now + 1000) }
            #expect(failure?.exitCode == 6 && failure?.code == "user-mismatch")
        }
        let after = try #require(try await directory.sessionStore.session(account: mine.uid, provider: "google.com"))
        #expect(after.lastProvenAt == before.lastProvenAt && after.accessToken == before.accessToken)
        #expect(try await directory.sessionStore.accounts().count == 2)
        #expect(try await directory.sessionStore.currentUID() == other.uid)
    }

    @Test func `K6: another account's identity does not move; it waits, and opens its own account`() async throws {
        let (mine, _) = try await directory.signIn(credential("google.com", "1", email: "a@example.com"), now: now)
        let (other, _) = try await directory.signIn(credential("github.com", "2", email: "b@example.com"), now: now)
        let failure = await failure {
            _ = try await directory.link(credential("github.com", "2"), to: mine.uid, hasConsent: false, now: now)
        }
        #expect(failure?.exitCode == 6 && failure?.code == "credential-already-in-use")
        let waiting = try await pending.all()
        #expect(failure?.details["pendingId"]?.string == waiting.first?.id)
        #expect(try await directory.sessionStore.account(uid: mine.uid)?.providerData.count == 1)
        let refused = await self.failure { _ = try await self.link(waiting[0].id, to: mine.uid) }
        #expect(refused?.code == "user-mismatch", "it can be signed in with, and linked to nothing")
        try await directory.sessionStore.makeCurrent(mine.uid)
        let opened = try await pending.signIn(nil)
        #expect(opened.account.uid == other.uid && !opened.isNewUser && opened.operation.rawValue == "signIn")
        #expect(try await directory.sessionStore.currentUID() == other.uid)
        #expect(try await pending.all().isEmpty)
    }

    @Test func `K7: a credential is attached to the account its conflict named, and to no other`() async throws {
        let (victim, _) = try await directory.signIn(credential("google.com", "1", email: "a@example.com"), now: now)
        _ = await failure {
            _ = try await directory.signIn(credential("github.com", "9", email: "a@example.com"), now: now)
        }
        let (attacker, _) = try await directory.signIn(credential("google.com", "2", email: "b@example.com"), now: now)
        let id = try #require(try await pending.all().first?.id)
        let refused = await failure { _ = try await self.link(id, to: attacker.uid) }
        #expect(refused?.exitCode == 6 && refused?.code == "user-mismatch")
        let none = await failure { _ = try await self.link(nil, to: attacker.uid) }
        #expect(none?.exitCode == 65)
        #expect(try await link(id, to: victim.uid).account.uid == victim.uid)
    }

    @Test func `K8: the last way in stays, and what is gone cannot be unlinked`() async throws {
        let (mine, _) = try await directory.signIn(credential("google.com", "1", email: "a@example.com"), now: now)
        let last = await failure { _ = try await directory.unlink("google.com", from: mine.uid, now: now) }
        #expect(last?.exitCode == 7 && last?.code == "operation-not-allowed")
        let gone = await failure { _ = try await directory.unlink("github.com", from: mine.uid, now: now) }
        #expect(gone?.exitCode == 6 && gone?.code == "no-such-provider")
        _ = try await directory.link(credential("github.com", "2"), to: mine.uid, hasConsent: false, now: now)
        let stale = await failure { _ = try await directory.unlink("github.com", from: mine.uid, now: now + 301) }
        #expect(stale?.exitCode == 5 && stale?.code == "requires-recent-login")
        let left = try await directory.unlink("google.com", from: mine.uid, now: now + 300)
        #expect(left.providerData.map(\.key.providerID) == ["github.com"])
        #expect(try await directory.sessionStore.sessions(account: mine.uid).map(\.providerID) == ["github.com"])
    }

    @Test(arguments: [("a", "A"), ("é", "e\u{301}"), ("ﬁ", "fi"), ("1", "01")])
    func `K9: identifiers and addresses are bytes, never folded`(one: String, other: String) async throws {
        let (first, _) = try await directory.signIn(credential("oidc.a", one, email: one + "@example.com"), now: now)
        let (second, isNew) = try await directory.signIn(
            credential("oidc.a", other, email: other + "@example.com"), now: now)
        #expect(isNew && first.uid != second.uid)
    }

    @Test func `K10: the same number at two issuers is two people`() async throws {
        let (home, _) = try await directory.signIn(
            credential("github.com", "583231", authority: "https://github.com"), now: now)
        let (moved, isNew) = try await directory.signIn(
            credential("github.com", "583231", authority: "https://ghe.example"), now: now)
        #expect(isNew && home.uid != moved.uid)
    }

    @Test func `K11: an identifier that Apple changed is a new person, until it is moved on purpose`() async throws {
        var claims: JSONObject = ["sub": "new-sub", "transfer_sub": "old-sub"]
        claims["email"] = "x@privaterelay.appleid.com"
        let identity = try Provider(builtIn: "apple.com", clientID: "c").identity(
            authority: "https://appleid.apple.com", claims: claims, userInfo: nil)
        #expect(identity.key.federatedID == "new-sub")
    }

    @Test func `K13: a job's token is no person's: its issuer is another`() async throws {
        let provider = try TestProvider()
        provider.claims { claims in
            claims["iss"] = "https://token.actions.githubusercontent.com"
            claims["sub"] = "repo:owner/name:ref:refs/heads/main"
        }
        let client = try await ProviderClient.resolve(
            Provider(id: "oidc.test", issuer: try HTTPURL(TestProvider.issuer), clientID: TestProvider.clientID),
            .init(), services: Services(transport: provider, clock: Clock(now: { now })))
        let failure = await failure {
            _ = try await SignInWithIDToken(client: client, directory: directory)(
                RawIDToken(provider.idToken()), nonce: nil)
        }
        #expect(failure?.exitCode == 65 && failure?.code == "invalid-id-token")
        #expect(try await directory.sessionStore.accounts().isEmpty)
    }

    @Test func `K13: a machine's identity never meets a person's, in either order`() async throws {
        var machine = credential("oidc.test", "client-1", email: nil)
        machine.identity.isMachine = true
        let person = credential("oidc.test", "client-1", email: nil)
        let (account, _) = try await directory.signIn(machine, now: now)
        #expect(account.isMachine)
        var refused = await failure { _ = try await directory.signIn(person, now: now) }
        #expect(refused?.exitCode == 7 && refused?.code == "operation-not-allowed")
        refused = await failure {
            _ = try await directory.link(
                credential("google.com", "1", email: nil), to: account.uid, hasConsent: false, now: now)
        }
        #expect(refused?.exitCode == 7)
        let (other, _) = try await directory.signIn(credential("google.com", "2", email: nil), now: now)
        refused = await failure {
            _ = try await directory.link(machine, to: other.uid, hasConsent: false, now: now)
        }
        #expect(refused?.exitCode == 7)
        #expect(try await directory.sessionStore.account(uid: other.uid)?.providerData.count == 1)
    }

    @Test func `K13: the address of a machine is no reason for a conflict`() async throws {
        _ = try await directory.signIn(credential("google.com", "1", email: "a@example.com"), now: now)
        var machine = credential("ci.google", "2", email: "a@example.com")
        machine.identity.isMachine = true
        #expect(try await directory.signIn(machine, now: now).isNew)
    }

    @Test(arguments: [
        ("repo:o@1/r@2:ref:refs/heads/main", "repo:o/r:ref:refs/heads/main", true),
        ("repo:o@1/r@2:ref:refs/heads/main", "repo:o@1/r@2:ref:refs/heads/main", true),
        ("repo:o@1/r@2:ref:refs/heads/main", "repo:o@9/r@2:ref:refs/heads/main", false),
        ("repo:o/r:ref:refs/heads/main", "repo:o@1/r@2:ref:refs/heads/main", false),
        ("repo:org-evil/r:ref:refs/heads/main", "repo:org/r:ref:refs/heads/main", false),
        ("repo:org-evil/r:ref:refs/heads/main", "repo:org/*", false),
        ("repo:o/r:ref:refs/heads/main2", "repo:o/r:ref:refs/heads/main", false),
        ("repo:O/r:ref:refs/heads/main", "repo:o/r:ref:refs/heads/main", false),
        ("repo:o/r:environment:a%3Ab", "repo:o/r:environment:a:b", false),
    ])
    func `K14: a required subject is compared by its parts, in both forms, and never by a prefix`(
        token: String, rule: String, holds: Bool
    ) {
        let claims: JSONObject = ["sub": .string(token)]
        #expect(ClaimRequirement(name: "sub", value: rule).holds(in: claims) == holds)
    }

    @Test(arguments: [
        ("protected", "false", true), ("protected", "true", false), ("truth", "true", true), ("truth", "false", false),
        ("truth", "1", false), ("number", "7", true), ("number", "07", false), ("absent", "false", false),
        ("protected", "", false), ("/deep/name", "x", true), ("/deep", "x", false), ("/deep/other", "x", false),
        ("/a~1b", "y", true), ("list", "x", false),
    ])
    func `K14: "false" in a string is false, and only what is there can be required`(
        name: String, value: String, holds: Bool
    ) {
        let claims: JSONObject = [
            "protected": "false", "truth": true, "number": 7, "deep": ["name": "x"], "a/b": "y", "list": ["x"],
        ]
        #expect(ClaimRequirement(name: name, value: value).holds(in: claims) == holds)
    }

    @Test func `K15: a flag that the provider lowers is lowered here, and the account stays`() async throws {
        let (first, _) = try await directory.signIn(credential("google.com", "1", email: "a@example.com"), now: now)
        #expect(first.isEmailVerified)
        let (again, _) = try await directory.signIn(
            credential("google.com", "1", email: "a@example.com", isVerified: false), now: now)
        #expect(again.uid == first.uid && !again.isEmailVerified)
    }

    @Test func `K15: a provider that verifies nothing lowers no other's word`() async throws {
        let (mine, _) = try await directory.signIn(credential("google.com", "1", email: "a@example.com"), now: now)
        let github = credential("github.com", "2", email: "a@example.com", isVerified: false)
        _ = try await directory.link(github, to: mine.uid, hasConsent: false, now: now)
        _ = try await passwords().change(mine.uid, to: Password("correct horse battery"))
        #expect(try await directory.signIn(github, now: now).account.isEmailVerified)
        let signedIn = try await passwords()(email: "a@example.com", Password("correct horse battery"))
        #expect(signedIn.account.uid == mine.uid && signedIn.account.isEmailVerified)
        let withdrawn = credential("google.com", "1", email: "a@example.com", isVerified: false)
        #expect(try await !directory.signIn(withdrawn, now: now).account.isEmailVerified)
    }

    // MARK: Other rules of the contract

    @Test func `a credential waits for an hour, sealed, and once for each account and provider`() async throws {
        _ = try await directory.signIn(credential("google.com", "1", email: "a@example.com"), now: now)
        for _ in 0..<3 {
            _ = await failure {
                _ = try await directory.signIn(credential("github.com", "2", email: "a@example.com"), now: now)
            }
        }
        #expect(try await pending.all().count == 1)
        let bytes = try TestFile.read(folder.path + "/config/authctl.db")
        #expect(!String(decoding: bytes, as: UTF8.self).contains("access-2"))
        #expect(try await directory.sessionStore.pendingCredentials(now: now + 3599).count == 1)
        #expect(try await directory.sessionStore.pendingCredentials(now: now + 3600).isEmpty)
    }

    @Test func `with one account per email off no address is compared`() async throws {
        let off = LocalDirectory(SessionStore(directory.store, profile: "default"), oneAccountPerEmail: false)
        let (first, _) = try await off.signIn(credential("google.com", "1", email: "a@example.com"), now: now)
        let (second, isNew) = try await off.signIn(credential("github.com", "2", email: "a@example.com"), now: now)
        #expect(isNew && first.uid != second.uid)
        #expect(
            try await off.link(
                credential("oidc.a", "3", email: "a@example.com"), to: first.uid, hasConsent: false, now: now
            )
            .providerData.count == 2)
    }

    @Test func `linking fills what the account lacks and overwrites nothing`() async throws {
        let (mine, _) = try await directory.signIn(credential("twitter.com", "1"), now: now)
        #expect(mine.email == nil)
        let linked = try await directory.link(
            credential("google.com", "2", email: "a@example.com"), to: mine.uid, hasConsent: false, now: now)
        #expect(linked.email == "a@example.com" && linked.isEmailVerified && linked.displayName == "Name of 1")
    }

    @Test func `consent is recorded with its time`() async throws {
        let (mine, _) = try await directory.signIn(credential("apple.com", "1"), now: now)
        let refused = await failure {
            _ = try await directory.link(credential("github.com", "2"), to: mine.uid, hasConsent: false, now: now)
        }
        #expect(refused?.exitCode == 7 && refused?.code == "consent-required")
        let linked = try await directory.link(
            credential("github.com", "2"), to: mine.uid, hasConsent: true, now: now + 5)
        #expect(linked.providerData.map(\.consentedAt) == [now + 5, nil])
    }

    @Test func `an address is one account's, and changing it needs a recent proof`() async throws {
        let (mine, _) = try await directory.signIn(credential("google.com", "1", email: "a@example.com"), now: now)
        _ = try await directory.signIn(credential("google.com", "2", email: "b@example.com"), now: now)
        let taken = await failure { _ = try await directory.setEmail("b@example.com", of: mine.uid, now: now) }
        #expect(taken?.exitCode == 6 && taken?.code == "email-already-in-use")
        let stale = await failure { _ = try await directory.setEmail("c@example.com", of: mine.uid, now: now + 400) }
        #expect(stale?.exitCode == 5)
        let changed = try await directory.setEmail("c@example.com", of: mine.uid, now: now)
        #expect(changed.email == "c@example.com" && !changed.isEmailVerified)
        #expect(changed.providerData[0].email == "a@example.com")
    }

    @Test func `an address that comes with a password is given with it, or not at all`() async throws {
        let (mine, _) = try await directory.signIn(credential("oidc.test", "1"), now: now)
        let database = folder.path + "/config/authctl.db"
        let full = "CREATE TRIGGER full BEFORE INSERT ON password BEGIN SELECT RAISE(ABORT, 'full'); END"
        _ = try await SQLiteScript.run([full], on: database)
        await #expect(throws: StoreError.self) {
            _ = try await directory.linkPassword(
                Password("correct horse battery"), email: "a@example.com", to: mine.uid, now: now)
        }
        let left = try #require(try await directory.sessionStore.account(uid: mine.uid))
        #expect(left.email == nil && left.providerData.map(\.key.providerID) == ["oidc.test"])
        _ = try await SQLiteScript.run(["DROP TRIGGER full"], on: database)
        let linked = try await directory.linkPassword(
            Password("correct horse battery"), email: "a@example.com", to: mine.uid, now: now)
        #expect(linked.email == "a@example.com")
        #expect(linked.providerData.map(\.key.providerID) == ["oidc.test", "password"])
        let again = await failure {
            _ = try await directory.linkPassword(
                Password("correct horse battery"), email: "a@example.com", to: mine.uid, now: now)
        }
        #expect(again?.code == "provider-already-linked")
    }

    @Test func `deleting an account takes its identities, sessions and what waits with it`() async throws {
        let (mine, _) = try await directory.signIn(credential("google.com", "1", email: "a@example.com"), now: now)
        _ = await failure {
            _ = try await directory.signIn(credential("github.com", "2", email: "a@example.com"), now: now)
        }
        let stale = await failure { try await directory.delete(mine.uid, now: now + 301) }
        #expect(stale?.exitCode == 5)
        try await directory.delete(mine.uid, now: now)
        #expect(try await directory.sessionStore.accounts().isEmpty)
        #expect(try await directory.sessionStore.sessions().isEmpty)
        #expect(try await pending.all().isEmpty)
        #expect(try await directory.sessionStore.currentUID() == nil)
        let (_, isNew) = try await directory.signIn(credential("google.com", "1", email: "a@example.com"), now: now)
        #expect(isNew)
    }

    @Test func `an export can be imported elsewhere, all or none`() async throws {
        let mine = try await directory.signIn(credential("google.com", "1", email: "a@example.com"), now: now).account
        _ = try await directory.signUp(
            email: "b@example.com", try PasswordHash(Password("a long password"), cost: .cheap), now: now)
        let plain = String(
            decoding: try await directory.exported(for: mine.uid, withSecrets: false, now: now).joined(), as: UTF8.self)
        #expect(!plain.contains("access-1") && !plain.contains("scrypt"))
        let full = String(
            decoding: try await directory.exported(for: mine.uid, withSecrets: true, now: now).joined(), as: UTF8.self)
        #expect(full.contains("access-1") && full.contains("scrypt$"))
        let elsewhere = LocalDirectory(SessionStore(directory.store, profile: "other"))
        // Account IDs are unique in a store, so the copy gets others.
        let google = try #require(try await directory.sessionStore.accounts(named: "a@example.com").first)
        let password = try #require(try await directory.sessionStore.accounts(named: "b@example.com").first)
        let renamed = Array(full.replacing(google.uid, with: "uid-1").replacing(password.uid, with: "uid-2").utf8)
        #expect(try await elsewhere.importAccounts(renamed) == 2)
        #expect(try await elsewhere.sessionStore.accounts().map(\.email) == ["a@example.com", "b@example.com"])
        #expect(try await elsewhere.sessionStore.sessions().isEmpty)
        let signedIn = try await PasswordSignIn(
            directory: elsewhere, clock: Clock(now: { now }))(
                email: "b@example.com", Password("a long password"))
        #expect(signedIn.account.uid == "uid-2")
        let again = await failure { _ = try await elsewhere.importAccounts(renamed) }
        #expect(again?.exitCode == 65)
        #expect(try await elsewhere.sessionStore.accounts().count == 2)
        for broken in ["", "{}", #"{"version":2,"accounts":[]}"#, #"{"version":1,"accounts":[{}]}"#] {
            let refused = await failure { _ = try await elsewhere.importAccounts(Array(broken.utf8)) }
            #expect(refused?.exitCode == 65)
        }
    }

    // MARK: Passwords

    private func passwords(_ time: Int64 = 0, cost: PasswordHash.Cost = .cheap) -> PasswordSignIn {
        PasswordSignIn(
            directory: LocalDirectory(
                SessionStore(directory.store, profile: directory.sessionStore.profile), passwordCost: cost),
            clock: Clock(now: { now + time }))
    }

    @Test func `an unknown address and a wrong password get the same answer`() async throws {
        _ = try await passwords().create(email: "a@example.com", Password("correct horse battery"))
        var answers: [Failure] = []
        for email in ["a@example.com", "nobody@example.com"] {
            let failure = await failure { _ = try await passwords()(email: email, Password("wrong password")) }
            answers.append(try #require(failure))
        }
        #expect(
            answers[0].lines == answers[1].lines && answers[0].exitCode == 65 && answers[0].code == "wrong-password")
    }

    @Test func `failures slow down the next attempt, for an address that nobody has too`() async throws {
        _ = try await passwords().create(email: "a@example.com", Password("correct horse battery"))
        for email in ["a@example.com", "nobody@example.com"] {
            for _ in 0..<5 {
                let failure = await failure { _ = try await passwords()(email: email, Password("wrong password")) }
                #expect(failure?.exitCode == 65)
            }
            let right = await failure { _ = try await passwords()(email: email, Password("correct horse battery")) }
            #expect(right?.exitCode == 69 && right?.code == "too-many-requests")
            #expect(right?.hint == "try again in 1 seconds")
        }
        _ = try await passwords(2)(email: "a@example.com", Password("correct horse battery"))
        #expect(
            await failure { _ = try await passwords(2)(email: "a@example.com", Password("wrong password")) }?.exitCode
                == 65)
        #expect(PasswordFailures(count: 40, lastAt: 0).wait(at: 0) == 900)
    }

    @Test func `of many guesses at once no more are looked at than one after the other`() async throws {
        _ = try await passwords().create(email: "a@example.com", Password("correct horse battery"))
        let codes = await withTaskGroup(of: String?.self) { group in
            for guess in 0..<30 {
                group.addTask {
                    await failure { _ = try await passwords()(email: "a@example.com", Password("guess \(guess)")) }?
                        .code
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(codes.filter { $0 == "wrong-password" }.count == 5)
        #expect(codes.filter { $0 == "too-many-requests" }.count == 25)
    }

    @Test func `a cheap hash becomes one of today's cost when it is used`() async throws {
        let created = try await passwords(cost: .cheap).create(
            email: "a@example.com", Password("correct horse battery"))
        let stronger = PasswordHash.Cost(iterations: 32, blockSize: 8, parallelization: 1)
        _ = try await passwords(cost: stronger)(email: "a@example.com", Password("correct horse battery"))
        guard
            case .account(let uid, let hash) = try await directory.beginPasswordAttempt(
                email: "a@example.com", now: now)
        else { throw PasswordError.wrong }
        #expect(uid == created.account.uid && hash.cost == stronger)
        #expect(try hash.matches(Password("correct horse battery")) && !hash.matches(Password("wrong password")))
    }

    @Test(arguments: [
        "short", "aaaaaaaaaaaaaa", "1234567890", "abcdefghijkl", "password123", "qwertyuiop", "ada.lovelace1",
        "Password12",
    ])
    func `a weak password is refused with a reason`(text: String) async throws {
        let failure = await failure {
            _ = try await passwords().create(email: "ada.lovelace@example.com", Password(text))
        }
        #expect(failure?.exitCode == 7 && failure?.code == "weak-password", "\(text)")
    }

    @Test(arguments: ["correct horse battery", "Tr0ub4dor&3xyz", "пароль-из-слов", "🙂🙃😉😊😇🥰😍🤩😘😗"])
    func `a good password is any text that is long and not the first to be tried`(text: String) throws {
        try PasswordPolicy.check(Password(text), email: "ada@example.com")
    }

    @Test(arguments: ["", "a", "@", "a@", "@b.c", "a@b", "a@@b.c", "a b@c.d", "a@b.c\n", "a@.c", "a@b.", "a\u{1B}@b.c"])
    func `an address that is none is refused`(text: String) {
        #expect(throws: PasswordError.self) { try PasswordPolicy.check(email: text) }
    }

    @Test func `a password is changed only with a recent proof, and the old one is dead`() async throws {
        let (mine, _) = try await directory.signIn(credential("google.com", "1", email: "a@example.com"), now: now)
        let stale = await failure {
            _ = try await passwords(301).change(mine.uid, to: Password("correct horse battery"))
        }
        #expect(stale?.exitCode == 5)
        let account = try await passwords().change(mine.uid, to: Password("correct horse battery"))
        #expect(account.providerData.map(\.key.providerID) == ["google.com", "password"])
        _ = try await passwords().change(mine.uid, to: Password("another long phrase"))
        let old = await failure { _ = try await passwords()(email: "a@example.com", Password("correct horse battery")) }
        #expect(old?.code == "wrong-password")
        let signedIn = try await passwords()(email: "a@example.com", Password("another long phrase"))
        #expect(signedIn.account.uid == mine.uid)
        let (other, _) = try await directory.signIn(credential("twitter.com", "2"), now: now)
        let noEmail = await failure {
            _ = try await passwords().change(other.uid, to: Password("correct horse battery"))
        }
        #expect(noEmail?.exitCode == 7)
    }

    @Test func `what is kept of a password is scrypt's hash, as RFC 7914 has it`() throws {
        // RFC 7914 section 12: P="pleaseletmein", S="SodiumChloride", N=16384, r=8, p=1; the first 32 bytes.
        let text =
            "scrypt$16384$8$1$536f6469756d43686c6f72696465$7023bdcb3afd7348461c06cd81fd38ebfda8fbba904f8e3ea9b543f6545da1f2"
        let hash = try #require(PasswordHash(text: text))
        #expect(try hash.matches(Password("pleaseletmein")) && hash.text == text)
        for broken in [
            "", "scrypt$16384$8$1$00$00", text + "0", "scrypt$3$8$1" + text.dropFirst(16), "bcrypt" + text.dropFirst(6),
        ] {
            #expect(PasswordHash(text: broken) == nil)
        }
    }
}

extension PasswordHash.Cost {
    /// Fast parameters, only for tests.
    static let cheap = PasswordHash.Cost(iterations: 16, blockSize: 8, parallelization: 1)
}
