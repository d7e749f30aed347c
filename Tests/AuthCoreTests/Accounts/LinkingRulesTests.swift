import Testing

@testable import AuthCore

@Suite struct `Linking rules` {
    private func identity(_ sub: String, email: String?) -> Identity {
        Identity(
            key: IdentityKey(providerID: "oidc.a", authority: "https://a", federatedID: sub), email: email,
            isEmailVerified: false,
            displayName: nil, photoURL: nil)
    }

    private func account(_ uid: String, email: String?) -> Account {
        Account(
            uid: uid, email: email, isEmailVerified: true, displayName: nil, photoURL: nil, createdAt: 0,
            lastSignInAt: 0,
            providerData: [identity("other", email: email)])
    }

    @Test func `a known identity opens its account, whatever its email says`() {
        let decision = LinkingRules.signIn(
            identity("1", email: "x@example.com"), owner: account("u1", email: "a@example.com"),
            sameEmail: account("u2", email: "x@example.com"),
            oneAccountPerEmail: true)
        #expect(decision == .open(uid: "u1"))
    }

    @Test func `an unknown identity with another account's email is a conflict, never a merge`() {
        let other = account("u2", email: "x@example.com")
        let new = identity("1", email: "x@example.com")
        #expect(
            LinkingRules.signIn(new, owner: nil, sameEmail: other, oneAccountPerEmail: true)
                == .conflict(email: "x@example.com", providers: ["oidc.a"]))
        #expect(LinkingRules.signIn(new, owner: nil, sameEmail: other, oneAccountPerEmail: false) == .create)
    }

    @Test func `an unknown identity without such an email makes an account`() {
        #expect(
            LinkingRules.signIn(identity("1", email: nil), owner: nil, sameEmail: nil, oneAccountPerEmail: true)
                == .create)
        #expect(
            LinkingRules.signIn(
                identity("1", email: "x@example.com"), owner: nil, sameEmail: nil, oneAccountPerEmail: true) == .create)
    }
}
