import Testing

@testable import AuthCore

/// Sign-in and link with an unknown identity. `same`: another account has its email; `different`: no account has it;
/// `absent`: it has no email. Trust and verification make no difference, because accounts are never merged by email.
private let table = """
    identity   email      address    one per email | sign-in   | link
    trusted    verified   same       on            | conflict  | email-already-in-use
    trusted    verified   same       off           | create    | attach
    trusted    verified   different  on            | create    | attach
    trusted    verified   different  off           | create    | attach
    trusted    verified   absent     on            | create    | attach
    trusted    verified   absent     off           | create    | attach
    trusted    unverified same       on            | conflict  | email-already-in-use
    trusted    unverified same       off           | create    | attach
    trusted    unverified different  on            | create    | attach
    trusted    unverified different  off           | create    | attach
    trusted    unverified absent     on            | create    | attach
    trusted    unverified absent     off           | create    | attach
    untrusted  verified   same       on            | conflict  | email-already-in-use
    untrusted  verified   same       off           | create    | attach
    untrusted  verified   different  on            | create    | attach
    untrusted  verified   different  off           | create    | attach
    untrusted  verified   absent     on            | create    | attach
    untrusted  verified   absent     off           | create    | attach
    untrusted  unverified same       on            | conflict  | email-already-in-use
    untrusted  unverified same       off           | create    | attach
    untrusted  unverified different  on            | create    | attach
    untrusted  unverified different  off           | create    | attach
    untrusted  unverified absent     on            | create    | attach
    untrusted  unverified absent     off           | create    | attach
    password   verified   same       on            | conflict  | email-already-in-use
    password   verified   same       off           | create    | attach
    password   verified   different  on            | create    | attach
    password   verified   different  off           | create    | attach
    password   verified   absent     on            | create    | attach
    password   verified   absent     off           | create    | attach
    password   unverified same       on            | conflict  | email-already-in-use
    password   unverified same       off           | create    | attach
    password   unverified different  on            | create    | attach
    password   unverified different  off           | create    | attach
    password   unverified absent     on            | create    | attach
    password   unverified absent     off           | create    | attach
    """

private struct Row: CustomTestStringConvertible {
    let provider: String
    let isVerified: Bool
    let address: String
    let isOnePerEmail: Bool
    let signIn: String
    let link: String
    let testDescription: String

    static let all: [Row] = table.split(separator: "\n").dropFirst().map { line in
        let words = line.split { $0 == " " || $0 == "|" }.map(String.init)
        let providers = ["trusted": "google.com", "untrusted": "github.com", "password": "password"]
        return Row(
            provider: providers[words[0]] ?? "", isVerified: words[1] == "verified", address: words[2],
            isOnePerEmail: words[3] == "on", signIn: words[4], link: words[5], testDescription: String(line))
    }
}

@Suite struct `Linking rules` {
    private func identity(
        _ sub: String, email: String?, provider: String = "oidc.a", isVerified: Bool = false
    ) -> Identity {
        Identity(
            key: IdentityKey(providerID: provider, authority: "https://a", federatedID: sub), email: email,
            isEmailVerified: isVerified, displayName: nil, photoURL: nil)
    }

    private func account(_ uid: String, email: String?, provider: String = "oidc.a") -> Account {
        Account(
            uid: uid, email: email, isEmailVerified: true, displayName: nil, photoURL: nil, createdAt: 0,
            lastSignInAt: 0, providerData: [identity("own-" + uid, email: email, provider: provider)])
    }

    private func link(
        _ identity: Identity, to account: Account, owner: Account? = nil, sameEmail: Account? = nil,
        isOnePerEmail: Bool = true, hasConsent: Bool = false
    ) -> LinkingRules.LinkDecision {
        LinkingRules.link(
            identity, to: account, owner: owner, sameEmail: sameEmail, oneAccountPerEmail: isOnePerEmail,
            hasConsent: hasConsent)
    }

    @Test func `The table of linking rules has each combination once`() {
        #expect(Row.all.count == 3 * 2 * 3 * 2)
        #expect(
            Set(Row.all.map { "\($0.provider) \($0.isVerified) \($0.address) \($0.isOnePerEmail)" }).count == 36)
    }

    @Test(arguments: Row.all)
    private func `Sign-in and linking of a new identity follow the table`(row: Row) {
        let other = account("other", email: "x@example.com")
        let email = ["same": "x@example.com", "different": "y@example.com"][row.address]
        let new = identity("new", email: email, provider: row.provider, isVerified: row.isVerified)
        let sameEmail = row.address == "same" ? other : nil
        let signIn = LinkingRules.signIn(
            new, owner: nil, sameEmail: sameEmail, oneAccountPerEmail: row.isOnePerEmail)
        #expect(
            signIn
                == (row.signIn == "create"
                    ? .create : .conflict(email: "x@example.com", with: "other", providers: ["oidc.a"])))
        let mine = account("mine", email: "mine@example.com")
        let linked = link(new, to: mine, sameEmail: sameEmail, isOnePerEmail: row.isOnePerEmail)
        #expect(linked == (row.link == "attach" ? .attach : .emailAlreadyInUse("x@example.com")))
    }

    @Test func `A known identity signs in to its account even if another account has its email`() {
        let decision = LinkingRules.signIn(
            identity("1", email: "x@example.com"), owner: account("u1", email: "a@example.com"),
            sameEmail: account("u2", email: "x@example.com"),
            oneAccountPerEmail: true)
        #expect(decision == .open(uid: "u1"))
    }

    @Test func `Linking an identity with the account's own email does not conflict`() {
        let mine = account("mine", email: "x@example.com")
        #expect(link(identity("1", email: "x@example.com", provider: "oidc.b"), to: mine, sameEmail: mine) == .attach)
    }

    @Test func `The owner of an identity is checked before the other linking rules`() {
        let mine = account("mine", email: "x@example.com")
        let other = account("other", email: "y@example.com")
        for provider in ["oidc.a", "oidc.b", "apple.com"] {
            let theirs = identity("1", email: "x@example.com", provider: provider)
            #expect(link(theirs, to: mine, owner: other, sameEmail: mine) == .alreadyInUse(by: "other"))
        }
    }

    @Test func `An account can have only one identity of a provider`() {
        let mine = account("mine", email: nil)
        #expect(link(identity("own-mine", email: nil), to: mine, owner: mine) == .providerAlreadyLinked)
        #expect(link(identity("another", email: nil), to: mine) == .providerAlreadyLinked)
    }

    @Test func `Linking requires consent if either of the identities is from Apple`() {
        let apple = identity("1", email: nil, provider: "apple.com")
        let github = identity("2", email: nil, provider: "github.com")
        let mine = account("mine", email: nil, provider: "github.com")
        let theirs = account("theirs", email: nil, provider: "apple.com")
        #expect(link(apple, to: mine) == .consentRequired(provider: "apple.com"))
        #expect(link(github, to: theirs) == .consentRequired(provider: "apple.com"))
        #expect(link(apple, to: mine, hasConsent: true) == .attach)
        #expect(link(github, to: theirs, hasConsent: true) == .attach)
        #expect(link(github, to: account("a", email: nil)) == .attach)
    }
}
