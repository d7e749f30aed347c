import AuthCoreTesting
import TestSupport
import Testing

@testable import AuthCore

/// Attempts to sign in to another user's account.
@Suite struct `Accounts` {
    private let folder: TemporaryFolder
    private let directory: LocalDirectory
    private let now: Int64 = TestProvider.now

    init() throws {
        folder = try TemporaryFolder()
        let config = ConfigDirectory(path: folder.path + "/config")
        let store = try #require(try Store.open(in: config, host: NonInteractiveVaultHost(), creating: true))
        directory = LocalDirectory(sessionStore: SessionStore(store: store, profile: "default"))
    }

    private func credential(
        _ provider: String, _ id: String, email: String? = nil, isVerified: Bool = true,
        authority: String = "https://id.example", authenticatedAt: Int64 = TestProvider.now
    ) -> AccountCredential {
        AccountCredential(
            identity: Identity(
                key: IdentityKey(providerID: provider, authority: authority, federatedID: id), email: email,
                isEmailVerified: isVerified, displayName: "Name of \(id)", photoURL: nil),
            grant: Grant(
                providerID: provider, issuer: authority, clientID: "c",
                tokens: Tokens(
                    accessToken: AccessToken("access-\(id)"), expiresAt: authenticatedAt + 3600,
                    refreshToken: RefreshToken("refresh-\(id)"), idToken: RawIDToken("id-\(id)"),
                    idTokenExpiresAt: authenticatedAt + 3600, scopes: ["openid", "email"], tokenOrigin: authority),
                subject: id, nonce: Nonce("nonce-\(id)"), authenticatedAt: authenticatedAt,
                lastProvenAt: authenticatedAt,
                source: .browser),
            profile: ["name": .string("Name of \(id)")])
    }

    private func failure(_ body: () async throws -> Void) async -> (any Error)? {
        do {
            try await body()
            return nil
        } catch {
            return error
        }
    }

    private var pending: PendingCredentials { PendingCredentials(directory: directory, clock: Clock(now: { now })) }

    /// Links the credential with this ID, or the only one that is pending for the account.
    private func link(_ id: String?, to uid: String) async throws -> SignInResult {
        let account = try #require(try await directory.sessionStore.account(uid: uid))
        let chosen = try await pending.choose(id) { $0.isPending(for: account) }
        return try await pending.link(chosen, to: account, hasConsent: false)
    }

    @Test func `a completed pending credential is removed even if the account of its conflict has lost the identity`()
        async throws
    {
        let google = credential("google.com", "1", email: "a@example.com")
        let (owner, _) = try await directory.signIn(google, now: now)
        let (other, _) = try await directory.signIn(credential("github.com", "2", email: "b@example.com"), now: now)
        let conflict = await failure {
            _ = try await directory.link(google, to: other.uid, hasConsent: false, now: now)
        }
        let id = try #require(try await pending.all().first?.id)
        #expect(
            conflict
                == AccountConflict.credentialAlreadyInUse(
                    provider: "google.com", email: "a@example.com", pendingID: id))
        _ = try await directory.link(credential("oidc.test", "3"), to: owner.uid, hasConsent: false, now: now)
        _ = try await directory.unlink("google.com", from: owner.uid, now: now)
        _ = try await directory.setEmail("c@example.com", of: owner.uid, now: now)
        #expect(try await pending.signIn(nil).isNewUser)
        #expect(try await pending.all().isEmpty)
    }

    @Test func `K1: an email that an attacker registered first does not connect the victim to that account`()
        async throws
    {
        let attacker = try await directory.signUp(
            email: "victim@example.com", try PasswordHash(Password("a long password"), cost: .cheap), now: now)
        let failure = await failure {
            _ = try await directory.signIn(credential("google.com", "1", email: "victim@example.com"), now: now)
        }
        let id = try #require(try await pending.all().first?.id)
        #expect(
            failure
                == AccountConflict.existsWithDifferentCredential(
                    email: "victim@example.com", providers: ["password"], pendingID: id))
        #expect(failure?.code == .accountExistsWithDifferentCredential)
        #expect(try await directory.sessionStore.accounts().map(\.uid) == [attacker.uid])
        #expect(try await directory.sessionStore.accounts()[0].providerData.count == 1)
    }

    @Test(arguments: [true, false])
    func `K2: the email of another account is a conflict, verified or not, and the credential becomes pending`(
        isVerified: Bool
    ) async throws {
        let (first, _) = try await directory.signIn(credential("google.com", "1", email: "a@example.com"), now: now)
        let failure = await failure {
            _ = try await directory.signIn(
                credential("github.com", "2", email: "a@example.com", isVerified: isVerified), now: now)
        }
        let credentials = try await pending.all()
        #expect(credentials.map(\.providerID) == ["github.com"] && credentials[0].accountUID == first.uid)
        #expect(
            failure
                == AccountConflict.existsWithDifferentCredential(
                    email: "a@example.com", providers: ["google.com"], pendingID: credentials[0].id))
        #expect(credentials[0].expiresAt == now + 3600)
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

    @Test func `K3: a tenant administrator who sets a victim's email for a user does not get the victim's account`()
        async throws
    {
        let victim = try await directory.signIn(credential("google.com", "1", email: "a@example.com"), now: now).account
        let tenant = "https://login.microsoftonline.com/72f988bf-86f1-41af-91ab-2d7cd011db47/v2.0"
        let evil = credential("microsoft.com", "evil", email: "a@example.com", isVerified: false, authority: tenant)
        let failure = await failure { _ = try await directory.signIn(evil, now: now) }
        let id = try #require(try await pending.all().first?.id)
        #expect(
            failure
                == AccountConflict.existsWithDifferentCredential(
                    email: "a@example.com", providers: ["google.com"], pendingID: id))
        #expect(try await directory.sessionStore.account(uid: victim.uid)?.providerData.count == 1)
    }

    @Test func `K4: an email that changes at the provider does not change the account or its email`() async throws {
        let (first, _) = try await directory.signIn(credential("google.com", "1", email: "a@example.com"), now: now)
        let (again, isNew) = try await directory.signIn(credential("google.com", "1", email: "b@example.com"), now: now)
        #expect(again.uid == first.uid && !isNew && again.providerData[0].email == "b@example.com")
        #expect(again.email == "a@example.com", "only the user changes the account's own email")
        #expect(!again.isEmailVerified, "the provider verified another address")
        // The provider assigned the old address to another user. This is a conflict, not a sign-in.
        let failure = await failure {
            _ = try await directory.signIn(credential("google.com", "2", email: "a@example.com"), now: now)
        }
        #expect(failure?.code == .accountExistsWithDifferentCredential)
    }

    @Test func `K5: re-authentication with another identity is refused and changes nothing`() async throws {
        let (mine, _) = try await directory.signIn(credential("google.com", "1", email: "a@example.com"), now: now)
        let (other, _) = try await directory.signIn(credential("google.com", "2", email: "b@example.com"), now: now)
        let before = try #require(try await directory.sessionStore.session(account: mine.uid, provider: "google.com"))
        for wrong in [
            credential("google.com", "2"), credential("google.com", "3"),
            credential("google.com", "1", authority: "https://other.example"),
        ] {
            let failure = await failure { _ = try await directory.reauthenticate(wrong, as: mine.uid, now: now + 1000) }
            #expect(failure == AccountConflict.userMismatch && failure?.code == .userMismatch)
        }
        let after = try #require(try await directory.sessionStore.session(account: mine.uid, provider: "google.com"))
        #expect(after.lastProvenAt == before.lastProvenAt && after.accessToken == before.accessToken)
        #expect(try await directory.sessionStore.accounts().count == 2)
        #expect(try await directory.sessionStore.currentUID() == other.uid)
    }

    @Test func `K6: an identity of another account cannot be linked; its pending credential signs in to that account`()
        async throws
    {
        let (mine, _) = try await directory.signIn(credential("google.com", "1", email: "a@example.com"), now: now)
        let (other, _) = try await directory.signIn(credential("github.com", "2", email: "b@example.com"), now: now)
        let failure = await failure {
            _ = try await directory.link(credential("github.com", "2"), to: mine.uid, hasConsent: false, now: now)
        }
        let credentials = try await pending.all()
        #expect(
            failure
                == AccountConflict.credentialAlreadyInUse(
                    provider: "github.com", email: nil, pendingID: credentials.first?.id ?? ""))
        #expect(try await directory.sessionStore.account(uid: mine.uid)?.providerData.count == 1)
        let refused = await self.failure { _ = try await self.link(credentials[0].id, to: mine.uid) }
        #expect(refused?.code == .userMismatch, "the credential can be used to sign in, but cannot be linked")
        try await directory.sessionStore.makeCurrent(mine.uid)
        let opened = try await pending.signIn(nil)
        #expect(opened.account.uid == other.uid && !opened.isNewUser && opened.operation.rawValue == "signIn")
        #expect(try await directory.sessionStore.currentUID() == other.uid)
        #expect(try await pending.all().isEmpty)
    }

    @Test func `K7: a pending credential can be linked only to the account that it conflicted with`() async throws {
        let (victim, _) = try await directory.signIn(credential("google.com", "1", email: "a@example.com"), now: now)
        _ = await failure {
            _ = try await directory.signIn(credential("github.com", "9", email: "a@example.com"), now: now)
        }
        let (attacker, _) = try await directory.signIn(credential("google.com", "2", email: "b@example.com"), now: now)
        let other = try #require(try await pending.all().first)
        let id = other.id
        let refused = await failure { _ = try await self.link(id, to: attacker.uid) }
        #expect(refused == AccountRefusal.otherPending(other) && refused?.code == .userMismatch)
        let none = await failure { _ = try await self.link(nil, to: attacker.uid) }
        #expect(none == AccountRefusal.otherPending(other))
        #expect(try await link(id, to: victim.uid).account.uid == victim.uid)
    }

    @Test func `K8: unlinking requires a linked provider that is not the last one, and a recent sign-in`() async throws
    {
        let (mine, _) = try await directory.signIn(credential("google.com", "1", email: "a@example.com"), now: now)
        let last = await failure { _ = try await directory.unlink("google.com", from: mine.uid, now: now) }
        #expect(last == AccountRefusal.lastProvider("google.com") && last?.code == .operationNotAllowed)
        let gone = await failure { _ = try await directory.unlink("github.com", from: mine.uid, now: now) }
        #expect(gone == AccountConflict.noSuchProvider("github.com") && gone?.code == .noSuchProvider)
        _ = try await directory.link(credential("github.com", "2"), to: mine.uid, hasConsent: false, now: now)
        let stale = await failure { _ = try await directory.unlink("github.com", from: mine.uid, now: now + 301) }
        #expect(stale == AccountRefusal.requiresRecentLogin && stale?.code == .requiresRecentLogin)
        let left = try await directory.unlink("google.com", from: mine.uid, now: now + 300)
        #expect(left.providerData.map(\.key.providerID) == ["github.com"])
        #expect(try await directory.sessionStore.sessions(account: mine.uid).map(\.providerID) == ["github.com"])
    }

    @Test func `K8: a link does not count as a sign-in, because the new identity may be another user's`() async throws {
        let (mine, _) = try await directory.signIn(credential("google.com", "1", email: "a@example.com"), now: now)
        let later = now + 1000
        let github = credential("github.com", "2", authenticatedAt: later)
        _ = try await directory.link(github, to: mine.uid, hasConsent: false, now: later)
        let stale = await failure { _ = try await directory.unlink("google.com", from: mine.uid, now: later) }
        #expect(stale?.code == .requiresRecentLogin)
    }

    @Test func `K8: an authentication time in the future does not hide a recent sign-in`() async throws {
        let (mine, _) = try await directory.signIn(credential("google.com", "1", email: "a@example.com"), now: now)
        _ = try await directory.link(credential("github.com", "2"), to: mine.uid, hasConsent: false, now: now)
        let ahead = credential("github.com", "2", authenticatedAt: now + 1000)
        _ = try await directory.reauthenticate(ahead, as: mine.uid, now: now)
        #expect(try await directory.unlink("github.com", from: mine.uid, now: now).providerIDs == ["google.com"])
    }

    @Test func `K8: an ID token from elsewhere counts as a sign-in at the time when it was issued`() async throws {
        let provider = try TestProvider()
        let client = try await ProviderClient.resolve(
            Provider(id: "oidc.test", issuer: try HTTPURL(TestProvider.issuer), clientID: TestProvider.clientID),
            keys: .init(), services: Services(transport: provider, clock: Clock(now: { now })))
        func use(issuedAt: Int64, _ operation: SignInOperation) async throws -> String {
            provider.claims { $0["iat"] = JSONValue(issuedAt) }
            return try await SignInWithIDToken(client: client, directory: directory).run(
                RawIDToken(provider.idToken()), nonce: nil, as: operation
            ).account.uid
        }
        let uid = try await use(issuedAt: now - 400, .signIn)
        #expect(await failure { try await directory.delete(uid, now: now) }?.code == .requiresRecentLogin)
        for issuedAt in [now - 401, now - 400] {
            await #expect(throws: AccountRefusal.staleAuthentication) {
                try await use(issuedAt: issuedAt, .reauthenticate(uid: uid))
            }
        }
        _ = try await use(issuedAt: now - 10, .reauthenticate(uid: uid))
        try await directory.delete(uid, now: now)
    }

    @Test func `K8: an identity cannot be linked to an account that is signed out`() async throws {
        let (mine, _) = try await directory.signIn(credential("google.com", "1", email: "a@example.com"), now: now)
        try await directory.sessionStore.removeSessions(account: mine.uid, now: now)
        await #expect(throws: NotSignedIn.signedOut(mine)) {
            try await directory.link(credential("github.com", "2"), to: mine.uid, hasConsent: false, now: now)
        }
        #expect(try await directory.sessionStore.account(uid: mine.uid)?.providerData.count == 1)
    }

    @Test(arguments: [("a", "A"), ("é", "e\u{301}"), ("ﬁ", "fi"), ("1", "01")])
    func `K9: identifiers and emails are compared as bytes, without case folding or normalization`(
        one: String, other: String
    ) async throws {
        let (first, _) = try await directory.signIn(credential("oidc.a", one, email: one + "@example.com"), now: now)
        let (second, isNew) = try await directory.signIn(
            credential("oidc.a", other, email: other + "@example.com"), now: now)
        #expect(isNew && first.uid != second.uid)
    }

    @Test func `K10: the same user ID at two issuers is two accounts`() async throws {
        let (home, _) = try await directory.signIn(
            credential("github.com", "583231", authority: "https://github.com"), now: now)
        let (moved, isNew) = try await directory.signIn(
            credential("github.com", "583231", authority: "https://ghe.example"), now: now)
        #expect(isNew && home.uid != moved.uid)
    }

    /// The credential of an Apple ID token after the app was transferred to another team.
    private func transferred(_ sub: String, from old: String, email: String) throws -> AccountCredential {
        let claims: JSONObject = [
            "sub": .string(sub), "transfer_sub": .string(old), "email": .string(email), "email_verified": "true",
        ]
        var credential = credential("apple.com", sub, email: email, authority: "https://appleid.apple.com")
        credential.identity = try Provider(builtIn: "apple.com", clientID: "c").identity(
            authority: "https://appleid.apple.com", claims: claims, userInfo: nil)
        return credential
    }

    @Test func `K11: an Apple transfer_sub gives no access to the account of the old sub`() async throws {
        let old = credential(
            "apple.com", "old-sub", email: "x@privaterelay.appleid.com", authority: "https://appleid.apple.com")
        let mine = try await directory.signIn(old, now: now).account
        func subs(_ uid: String) async throws -> [String]? {
            try await directory.sessionStore.account(uid: uid)?.providerData.map(\.key.federatedID)
        }
        let (other, isNew) = try await directory.signIn(
            try transferred("new-sub", from: "old-sub", email: "y@privaterelay.appleid.com"), now: now)
        #expect(isNew && other.uid != mine.uid)
        #expect(try await subs(other.uid) == ["new-sub"])
        let sameEmail = try transferred("newer-sub", from: "old-sub", email: "x@privaterelay.appleid.com")
        let conflict = await failure { _ = try await directory.signIn(sameEmail, now: now) }
        #expect(conflict?.code == .accountExistsWithDifferentCredential)
        let mismatch = await failure { _ = try await directory.reauthenticate(sameEmail, as: mine.uid, now: now) }
        #expect(mismatch?.code == .userMismatch)
        let linked = await failure {
            _ = try await directory.link(sameEmail, to: mine.uid, hasConsent: true, now: now)
        }
        #expect(linked?.code == .providerAlreadyLinked)
        #expect(try await subs(mine.uid) == ["old-sub"])
        #expect(try await directory.signIn(old, now: now).account.uid == mine.uid)
    }

    @Test func `K11: an account gets a new Apple sub only if the user unlinks the old one and links the new one`()
        async throws
    {
        let old = credential(
            "apple.com", "old-sub", email: "x@privaterelay.appleid.com", authority: "https://appleid.apple.com")
        let mine = try await directory.signIn(old, now: now).account
        let google = credential("google.com", "1", email: "x@privaterelay.appleid.com")
        _ = try await directory.link(google, to: mine.uid, hasConsent: true, now: now)
        _ = try await directory.unlink("apple.com", from: mine.uid, now: now)
        let new = try transferred("new-sub", from: "old-sub", email: "x@privaterelay.appleid.com")
        _ = try await directory.link(new, to: mine.uid, hasConsent: true, now: now)
        let (again, isNew) = try await directory.signIn(new, now: now)
        #expect(again.uid == mine.uid && !isNew)
    }

    @Test func `K13: an ID token of a CI job is refused at sign-in, because its issuer is different`() async throws {
        let provider = try TestProvider()
        provider.claims { claims in
            claims["iss"] = "https://token.actions.githubusercontent.com"
            claims["sub"] = "repo:owner/name:ref:refs/heads/main"
        }
        let client = try await ProviderClient.resolve(
            Provider(id: "oidc.test", issuer: try HTTPURL(TestProvider.issuer), clientID: TestProvider.clientID),
            keys: .init(), services: Services(transport: provider, clock: Clock(now: { now })))
        let failure = await failure {
            _ = try await SignInWithIDToken(client: client, directory: directory).run(
                RawIDToken(provider.idToken()), nonce: nil)
        }
        let issuer = ServerText("https://token.actions.githubusercontent.com")
        #expect(
            failure?.rejection == .issuer(issuer, expected: TestProvider.issuer))
        #expect(failure?.code == .invalidIDToken)
        #expect(try await directory.sessionStore.accounts().isEmpty)
    }

    @Test func `K13: an account cannot have both a machine identity and a user identity, in either order`() async throws
    {
        var machine = credential("oidc.test", "client-1", email: nil)
        machine.identity.isMachine = true
        let user = credential("oidc.test", "client-1", email: nil)
        let (account, _) = try await directory.signIn(machine, now: now)
        #expect(account.isMachine)
        var refused = await failure { _ = try await directory.signIn(user, now: now) }
        #expect(refused == AccountRefusal.machine && refused?.code == .operationNotAllowed)
        refused = await failure {
            _ = try await directory.link(
                credential("google.com", "1", email: nil), to: account.uid, hasConsent: false, now: now)
        }
        #expect(refused == AccountRefusal.machine)
        let (other, _) = try await directory.signIn(credential("google.com", "2", email: nil), now: now)
        refused = await failure {
            _ = try await directory.link(machine, to: other.uid, hasConsent: false, now: now)
        }
        #expect(refused == AccountRefusal.machine)
        #expect(try await directory.sessionStore.account(uid: other.uid)?.providerData.count == 1)
    }

    @Test func `K13: a machine identity with the email of an account does not cause a conflict`() async throws {
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
    func `K14: a required GitHub subject is compared exactly, with or without the IDs in the token`(
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
    func `K14: a required claim matches strings, numbers and booleans by their text, but not if it is missing`(
        name: String, value: String, holds: Bool
    ) {
        let claims: JSONObject = [
            "protected": "false", "truth": true, "number": 7, "deep": ["name": "x"], "a/b": "y", "list": ["x"],
        ]
        #expect(ClaimRequirement(name: name, value: value).holds(in: claims) == holds)
    }

    @Test func `K15: an email that the provider no longer reports as verified becomes unverified in the same account`()
        async throws
    {
        let (first, _) = try await directory.signIn(credential("google.com", "1", email: "a@example.com"), now: now)
        #expect(first.isEmailVerified)
        let (again, _) = try await directory.signIn(
            credential("google.com", "1", email: "a@example.com", isVerified: false), now: now)
        #expect(again.uid == first.uid && !again.isEmailVerified)
    }

    @Test func `K15: an email that one provider verified stays verified if another provider does not verify it`()
        async throws
    {
        let (mine, _) = try await directory.signIn(credential("google.com", "1", email: "a@example.com"), now: now)
        let github = credential("github.com", "2", email: "a@example.com", isVerified: false)
        _ = try await directory.link(github, to: mine.uid, hasConsent: false, now: now)
        _ = try await passwords().change(mine.uid, to: Password("correct horse battery"))
        #expect(try await directory.signIn(github, now: now).account.isEmailVerified)
        let signedIn = try await passwords().run(email: "a@example.com", Password("correct horse battery"))
        #expect(signedIn.account.uid == mine.uid && signedIn.account.isEmailVerified)
        let withdrawn = credential("google.com", "1", email: "a@example.com", isVerified: false)
        #expect(try await !directory.signIn(withdrawn, now: now).account.isEmailVerified)
    }

    @Test func `K15: linking an identity with another verified email does not verify the account's email`() async throws
    {
        let (mine, _) = try await directory.signIn(
            credential("google.com", "1", email: "a@example.com", isVerified: false), now: now)
        let github = credential("github.com", "2", email: "b@example.com")
        let linked = try await directory.link(github, to: mine.uid, hasConsent: false, now: now)
        #expect(linked.email == "a@example.com" && !linked.isEmailVerified)
        let same = credential("oidc.a", "3", email: "a@example.com")
        #expect(try await directory.link(same, to: mine.uid, hasConsent: false, now: now).isEmailVerified)
    }

    // MARK: Other rules of the contract

    @Test func `a pending credential is encrypted, stored for one hour, and once for each account and provider`()
        async throws
    {
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

    @Test func `two accounts can have the same email if one account per email is disabled`() async throws {
        let off = LocalDirectory(
            sessionStore: SessionStore(store: directory.store, profile: "default"), oneAccountPerEmail: false)
        let (first, _) = try await off.signIn(credential("google.com", "1", email: "a@example.com"), now: now)
        let (second, isNew) = try await off.signIn(credential("github.com", "2", email: "a@example.com"), now: now)
        #expect(isNew && first.uid != second.uid)
        #expect(
            try await off.link(
                credential("oidc.a", "3", email: "a@example.com"), to: first.uid, hasConsent: false, now: now
            )
            .providerData.count == 2)
    }

    @Test func `linking a provider fills missing fields of the account and does not overwrite the others`() async throws
    {
        let (mine, _) = try await directory.signIn(credential("twitter.com", "1"), now: now)
        #expect(mine.email == nil)
        let linked = try await directory.link(
            credential("google.com", "2", email: "a@example.com"), to: mine.uid, hasConsent: false, now: now)
        #expect(linked.email == "a@example.com" && linked.isEmailVerified && linked.displayName == "Name of 1")
    }

    @Test func `linking to an Apple account requires consent, and its time is recorded`() async throws {
        let (mine, _) = try await directory.signIn(credential("apple.com", "1"), now: now)
        let refused = await failure {
            _ = try await directory.link(credential("github.com", "2"), to: mine.uid, hasConsent: false, now: now)
        }
        #expect(refused == AccountRefusal.consentRequired(provider: "apple.com") && refused?.code == .consentRequired)
        let linked = try await directory.link(
            credential("github.com", "2"), to: mine.uid, hasConsent: true, now: now + 5)
        #expect(linked.providerData.map(\.consentedAt) == [now + 5, nil])
    }

    @Test func `an email can be set only if no other account has it and the sign-in is recent`() async throws {
        let (mine, _) = try await directory.signIn(credential("google.com", "1", email: "a@example.com"), now: now)
        _ = try await directory.signIn(credential("google.com", "2", email: "b@example.com"), now: now)
        let taken = await failure { _ = try await directory.setEmail("b@example.com", of: mine.uid, now: now) }
        #expect(taken == AccountConflict.emailAlreadyInUse("b@example.com") && taken?.code == .emailAlreadyInUse)
        let stale = await failure { _ = try await directory.setEmail("c@example.com", of: mine.uid, now: now + 400) }
        #expect(stale == AccountRefusal.requiresRecentLogin)
        let changed = try await directory.setEmail("c@example.com", of: mine.uid, now: now)
        #expect(changed.email == "c@example.com" && !changed.isEmailVerified)
        #expect(changed.providerData[0].email == "a@example.com")
    }

    @Test func `an account gets an email and its first password in one transaction`() async throws {
        let (mine, _) = try await directory.signIn(credential("oidc.test", "1"), now: now)
        let database = folder.path + "/config/authctl.db"
        let full = "CREATE TRIGGER full BEFORE INSERT ON password BEGIN SELECT RAISE(ABORT, 'full'); END"
        _ = try await SQLiteScript.run([full], on: database)
        await #expect(throws: StoreError.database(reason: "full")) {
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
        #expect(again?.code == .providerAlreadyLinked)
    }

    @Test(arguments: 1...8)
    func `A password of an account that is deleted meanwhile does not create another account`(step: Int) async throws {
        let password = Password("correct horse battery")
        let mine = try await passwords().create(email: "a@example.com", password).account
        let steps = Lock(0)
        var store = directory.store
        store.checkpoint = {
            let number = steps.withLock { steps in
                steps += 1
                return steps
            }
            if number == step { try await directory.delete(mine.uid, now: now) }
        }
        let signingIn = LocalDirectory(
            sessionStore: SessionStore(store: store, profile: "default"), passwordCost: .cheap)
        let refused = await failure {
            _ = try await signingIn.signIn(email: "a@example.com", password, now: now)
        }
        #expect(refused == nil || [.wrongPassword, .accountNotFound].contains(refused?.code))
        #expect(try await directory.sessionStore.accounts().isEmpty)
    }

    @Test func `deleting an account deletes its identities, sessions and pending credentials`() async throws {
        let (mine, _) = try await directory.signIn(credential("google.com", "1", email: "a@example.com"), now: now)
        _ = await failure {
            _ = try await directory.signIn(credential("github.com", "2", email: "a@example.com"), now: now)
        }
        let stale = await failure { try await directory.delete(mine.uid, now: now + 301) }
        #expect(stale == AccountRefusal.requiresRecentLogin)
        try await directory.delete(mine.uid, now: now)
        #expect(try await directory.sessionStore.accounts().isEmpty)
        #expect(try await directory.sessionStore.sessions().isEmpty)
        #expect(try await pending.all().isEmpty)
        #expect(try await directory.sessionStore.currentUID() == nil)
        let (_, isNew) = try await directory.signIn(credential("google.com", "1", email: "a@example.com"), now: now)
        #expect(isNew)
    }

    @Test func `exported accounts can be imported into another profile, all or none`() async throws {
        let mine = try await directory.signIn(credential("google.com", "1", email: "a@example.com"), now: now).account
        _ = try await directory.signUp(
            email: "b@example.com", try PasswordHash(Password("a long password"), cost: .cheap), now: now)
        let plain = String(
            decoding: try await directory.exported(for: mine.uid, withSecrets: false, now: now).joined(), as: UTF8.self)
        #expect(!plain.contains("access-1") && !plain.contains("scrypt"))
        let full = String(
            decoding: try await directory.exported(for: mine.uid, withSecrets: true, now: now).joined(), as: UTF8.self)
        #expect(full.contains("access-1") && full.contains("scrypt$"))
        let target = LocalDirectory(sessionStore: SessionStore(store: directory.store, profile: "other"))
        // Account IDs are unique in a store, so the copy needs different IDs.
        let google = try #require(try await directory.sessionStore.accounts(named: "a@example.com").first)
        let password = try #require(try await directory.sessionStore.accounts(named: "b@example.com").first)
        let renamed = Array(full.replacing(google.uid, with: "uid-1").replacing(password.uid, with: "uid-2").utf8)
        #expect(try await target.importAccounts(renamed) == (2, 0))
        #expect(try await target.sessionStore.accounts().map(\.email) == ["a@example.com", "b@example.com"])
        #expect(try await target.sessionStore.sessions().isEmpty)
        let signedIn = try await PasswordSignIn(
            directory: target, clock: Clock(now: { now })
        ).run(
            email: "b@example.com", Password("a long password"))
        #expect(signedIn.account.uid == "uid-2")
        #expect(try await target.importAccounts(renamed) == (0, 2))
        let other = String(decoding: renamed, as: UTF8.self).replacing(
            #""federatedId":"1""#, with: #""federatedId":"2""#)
        let refused = await failure { _ = try await target.importAccounts(Array(other.utf8)) }
        #expect(refused == AccountRefusal.invalidImport(.accountTaken(uid: "uid-1")))
        #expect(try await target.sessionStore.accounts().count == 2)
        for (broken, fault) in [
            ("", .notJSON), ("{}", .otherVersion), (#"{"version":2,"accounts":[]}"#, .otherVersion),
            (#"{"version":1,"accounts":[{}]}"#, .entry(1, .noUIDOrDate)),
        ] as [(String, ImportFault)] {
            let refused = await failure { _ = try await target.importAccounts(Array(broken.utf8)) }
            #expect(refused == AccountRefusal.invalidImport(fault))
        }
    }

    // MARK: Passwords

    @Test func `an email with which another account signs in by password cannot be set`() async throws {
        let off = LocalDirectory(
            sessionStore: SessionStore(store: directory.store, profile: "default"), oneAccountPerEmail: false)
        _ = try await off.signUp(
            email: "a@example.com", try PasswordHash(Password("a long password"), cost: .cheap), now: now)
        let (mine, _) = try await off.signIn(credential("google.com", "1", email: "b@example.com"), now: now)
        await #expect(throws: AccountConflict.emailAlreadyInUse("a@example.com")) {
            try await off.setEmail("a@example.com", of: mine.uid, now: now)
        }
    }

    @Test func `the account of a job or a program cannot get a password`() async throws {
        var machine = credential("oidc.test", "client-1", email: "a@example.com")
        machine.identity.isMachine = true
        let account = try await directory.signIn(machine, now: now).account
        await #expect(throws: AccountRefusal.machine) {
            try await passwords().change(account.uid, to: Password("correct horse battery"))
        }
    }

    private func passwords(_ time: Int64 = 0, cost: PasswordHash.Cost = .cheap) -> PasswordSignIn {
        PasswordSignIn(
            directory: LocalDirectory(
                sessionStore: SessionStore(store: directory.store, profile: directory.sessionStore.profile),
                passwordCost: cost),
            clock: Clock(now: { now + time }))
    }

    @Test func `an unknown email and a wrong password return the same error`() async throws {
        _ = try await passwords().create(email: "a@example.com", Password("correct horse battery"))
        for email in ["a@example.com", "nobody@example.com"] {
            let failure = await failure { _ = try await passwords().run(email: email, Password("wrong password")) }
            #expect(failure == PasswordError.wrong && failure?.code == .wrongPassword)
        }
    }

    @Test func `five wrong passwords delay the next attempt, also for an unknown email`() async throws {
        _ = try await passwords().create(email: "a@example.com", Password("correct horse battery"))
        for email in ["a@example.com", "nobody@example.com"] {
            for _ in 0..<5 {
                let failure = await failure { _ = try await passwords().run(email: email, Password("wrong password")) }
                #expect(failure == PasswordError.wrong)
            }
            let right = await failure { _ = try await passwords().run(email: email, Password("correct horse battery")) }
            #expect(right == PasswordError.throttled(1) && right?.code == .tooManyRequests)
        }
        _ = try await passwords(2).run(email: "a@example.com", Password("correct horse battery"))
        #expect(
            await failure { _ = try await passwords(2).run(email: "a@example.com", Password("wrong password")) }
                == PasswordError.wrong)
        #expect(PasswordFailures(count: 40, lastAt: 0).wait(at: 0) == 900)
    }

    @Test func `only five of thirty simultaneous password guesses are checked`() async throws {
        _ = try await passwords().create(email: "a@example.com", Password("correct horse battery"))
        let codes = await withTaskGroup(of: ErrorCode?.self) { group in
            for guess in 0..<30 {
                group.addTask {
                    await failure { _ = try await passwords().run(email: "a@example.com", Password("guess \(guess)")) }?
                        .code
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(codes.filter { $0 == .wrongPassword }.count == 5)
        #expect(codes.filter { $0 == .tooManyRequests }.count == 25)
    }

    @Test func `a password hash of a lower cost is replaced at the next sign-in`() async throws {
        let created = try await passwords(cost: .cheap).create(
            email: "a@example.com", Password("correct horse battery"))
        let stronger = PasswordHash.Cost(iterations: 32, blockSize: 8, parallelization: 1)
        _ = try await passwords(cost: stronger).run(email: "a@example.com", Password("correct horse battery"))
        guard
            case .account(let uid, let hash) = try await directory.beginPasswordAttempt(
                email: "a@example.com", now: now)
        else { throw PasswordError.wrong }
        #expect(uid == created.account.uid && hash.cost == stronger)
        #expect(try hash.matches(Password("correct horse battery")) && !hash.matches(Password("wrong password")))
    }

    @Test(
        arguments: [
            ("short", .tooShort(minimumLength: 10)), ("aaaaaaaaaaaaaa", .fewCharacters), ("1234567890", .sequence),
            ("abcdefghijkl", .sequence), ("password123", .common), ("qwertyuiop", .common), ("Password12", .common),
            ("welcome-k7", .common),
            ("ada.lovelace1", .hasAddress),
            (String(repeating: "correct horse ", count: 74), .tooLong(maximumBytes: 1024)),
        ] as [(String, PasswordError.Weakness)])
    func `a weak password is refused with the reason`(text: String, weakness: PasswordError.Weakness) async throws {
        let failure = await failure {
            _ = try await passwords().create(email: "ada.lovelace@example.com", Password(text))
        }
        #expect(failure == PasswordError.weak(weakness) && failure?.code == .weakPassword)
        #expect(try await directory.sessionStore.accounts().isEmpty)
        let (account, _) = try await directory.signIn(
            credential("google.com", "1", email: "ada.lovelace@example.com"), now: now)
        await #expect(throws: PasswordError.weak(weakness)) {
            try await passwords().link(account, email: nil, password: Password(text))
        }
    }

    // A short name is no reason, because words can have it.
    @Test func `an address with a short name is refused only as a whole`() throws {
        #expect(throws: PasswordError.weak(.hasAddress)) {
            try PasswordPolicy.check(Password("Ada@Example.com"), email: "ada@example.COM")
        }
        try PasswordPolicy.check(Password("ada@example.com!"), email: "ada@example.com")
    }

    @Test(arguments: ["correct horse battery", "Tr0ub4dor&3xyz", "welcome-k7w", "пароль-из-слов", "🙂🙃😉😊😇🥰😍🤩😘😗"])
    func `a long and uncommon password is accepted, also if it is not ASCII`(text: String) throws {
        try PasswordPolicy.check(Password(text), email: "ada@example.com")
    }

    @Test(arguments: [
        "", "a", "@", "a@", "@b.c", "a@b", "a@@b.c", "a b@c.d", "a@b.c\n", "a@.c", "a@b.", "a\u{1B}@b.c",
        "ada@localhost",
    ])
    func `an invalid email address is refused`(text: String) {
        let shown = ServerText.shown(text)
        #expect(throws: PasswordError.invalidEmail(shown)) { try PasswordPolicy.check(email: text) }
    }

    @Test func `changing a password requires an email and a recent sign-in, and invalidates the old password`()
        async throws
    {
        let (mine, _) = try await directory.signIn(credential("google.com", "1", email: "a@example.com"), now: now)
        let stale = await failure {
            _ = try await passwords(301).change(mine.uid, to: Password("correct horse battery"))
        }
        #expect(stale == AccountRefusal.requiresRecentLogin)
        let account = try await passwords().change(mine.uid, to: Password("correct horse battery"))
        #expect(account.providerData.map(\.key.providerID) == ["google.com", "password"])
        _ = try await passwords().change(mine.uid, to: Password("another long phrase"))
        let old = await failure {
            _ = try await passwords().run(email: "a@example.com", Password("correct horse battery"))
        }
        #expect(old?.code == .wrongPassword)
        let signedIn = try await passwords().run(email: "a@example.com", Password("another long phrase"))
        #expect(signedIn.account.uid == mine.uid)
        let (other, _) = try await directory.signIn(credential("twitter.com", "2"), now: now)
        let noEmail = await failure {
            _ = try await passwords().change(other.uid, to: Password("correct horse battery"))
        }
        #expect(noEmail == AccountRefusal.noEmail)
    }

    @Test func `a password is stored as an scrypt hash (RFC 7914), and an invalid hash cannot be parsed`() throws {
        // RFC 7914 section 12: P="pleaseletmein", S="SodiumChloride", N=16384, r=8, p=1; the first 32 bytes.
        let text =
            "scrypt$16384$8$1$536f6469756d43686c6f72696465$7023bdcb3afd7348461c06cd81fd38ebfda8fbba904f8e3ea9b543f6545da1f2"
        let hash = try #require(PasswordHash(text: text))
        #expect(try hash.matches(Password("pleaseletmein")) && hash.text == text)
        for broken in [
            "", text + "0", text + "$", "scrypt", "scrypt$16384$8$1$00$00", "scrypt$3$8$1" + text.dropFirst(16),
            "bcrypt" + text.dropFirst(6),
        ] {
            #expect(PasswordHash(text: broken) == nil)
        }
    }
}
