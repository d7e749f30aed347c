import AuthCoreTesting
import Testing

@testable import AuthCore

@Suite struct `The list of accounts` {
    /// More accounts than one portion: every third has an alias, every fifth has only a password identity.
    private func directory(_ folder: StoreFolder, count: Int = 600) async throws -> LocalDirectory {
        let store = try #require(try Store.open(in: folder.directory, host: NonInteractiveVaultHost(), creating: true))
        let directory = LocalDirectory(sessionStore: SessionStore(store: store, profile: "default"))
        let accounts = (0..<count).map { number -> JSONValue in
            let providers = number.isMultiple(of: 5) ? ["password"] : ["google.com", "github.com"]
            var account: JSONObject = [
                "uid": .string("uid-\(number)"), "email": .string("user\(number)@example.com"),
                "createdAt": "2026-01-01T00:00:00Z",
                "providerData": .array(
                    providers.map {
                        ["providerId": .string($0), "authority": "a", "federatedId": .string("\($0) \(number)")]
                    }),
            ]
            if number.isMultiple(of: 3) { account["name"] = .string("alias-\(number)") }
            return .object(account)
        }
        let document: JSONValue = ["version": 1, "accounts": .array(accounts)]
        #expect(try await directory.importAccounts(Array(document.text.utf8)).added == count)
        return directory
    }

    @Test func `The account list has each account once with its identities, the current account first`() async throws {
        let folder = try StoreFolder()
        try folder.makeFixedKey()
        let directory = try await directory(folder)
        try await directory.sessionStore.makeCurrent("uid-301")
        let list = try await AccountList(directory.sessionStore)
        var listed: [Account] = []
        var portions = 0
        try await list.forEachPortion { portion in
            portions += 1
            for (account, isCurrent) in portion {
                #expect(isCurrent == (account.uid == "uid-301"))
                listed.append(account)
            }
        }
        #expect(portions == 3)
        #expect(listed.first?.uid == "uid-301")
        #expect(listed.map(\.uid) == list.entries.map(\.uid))
        let names: [String] = listed.dropFirst().map { $0.name ?? $0.email ?? "" }
        #expect(names == names.sorted())
        #expect(names.first == "alias-0")
        #expect(Set(listed.map(\.uid)).count == 600)
        let stored = try await directory.sessionStore.accounts()
        let byUID: (Account, Account) -> Bool = { $0.uid < $1.uid }
        let (one, other) = (listed.sorted(by: byUID), stored.sorted(by: byUID))
        #expect(one == other)
        let identities: Int = stored.reduce(0) { $0 + $1.providerData.count }
        #expect(identities == 1080)
    }

    @Test func `An account that was removed after the list was created is omitted`() async throws {
        let folder = try StoreFolder()
        try folder.makeFixedKey()
        let directory = try await directory(folder, count: 3)
        let list = try await AccountList(directory.sessionStore)
        try await directory.sessionStore.write { try $0.accounts.remove("uid-1") }
        var uids: [String] = []
        try await list.forEachPortion { uids += $0.map(\.account.uid) }
        #expect(uids.sorted() == ["uid-0", "uid-2"])
    }

    @Test func `The account status has only the current or the named account, and counts all accounts`() async throws {
        let folder = try StoreFolder()
        try folder.makeFixedKey()
        let directory = try await directory(folder, count: 10)
        try await directory.sessionStore.makeCurrent("uid-4")
        let shown = try await AccountStatus.shown(in: directory.sessionStore, named: nil)
        #expect(shown.map(\.account.uid) == ["uid-4"] && shown[0].isCurrent)
        let named = try await AccountStatus.shown(in: directory.sessionStore, named: "alias-6")
        #expect(named.map(\.account.uid) == ["uid-6"])
        #expect(try await directory.sessionStore.accountCount() == 10)
        #expect(try await directory.sessionStore.accountCount(provider: "password") == 2)
        #expect(try await directory.sessionStore.accountCount(provider: "x.com") == 0)
    }
}
