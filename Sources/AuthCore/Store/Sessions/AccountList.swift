/// Every account of one directory, in the order of lists: the current account first, then by name.
///
/// The accounts are read in portions, each in its own transaction. A large store needs little memory, and a reader that
/// pauses, for example a pager, does not block a process that writes.
package struct AccountList: Sendable {
    package let entries: [AccountEntry]
    private let sessionStore: SessionStore
    static let portion = 256

    package init(_ sessionStore: SessionStore) async throws {
        self.sessionStore = sessionStore
        let unsorted = try await sessionStore.read { try $0.accounts.entries() }
        entries = unsorted.map { ($0.place, $0) }.sorted { $0.0 < $1.0 }.map(\.1)
    }

    /// Passes the accounts to `body` in portions. Accounts that were removed since `init` are omitted.
    package func forEachPortion(_ body: ([(account: Account, isCurrent: Bool)]) throws -> Void) async throws {
        for portion in entries.portions(of: AccountList.portion) {
            let accounts = try await sessionStore.accounts(uids: portion.map(\.uid))
            let byUID = Dictionary(accounts.map { ($0.uid, $0) }) { first, _ in first }
            try body(portion.compactMap { entry in byUID[entry.uid].map { ($0, entry.isCurrent) } })
        }
    }
}

extension Array {
    func portions(of count: Int) -> [ArraySlice<Element>] {
        stride(from: 0, to: self.count, by: count).map { self[$0..<Swift.min($0 + count, self.count)] }
    }
}
