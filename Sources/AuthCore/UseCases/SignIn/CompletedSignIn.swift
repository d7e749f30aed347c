extension AccountCredential {
    func completed(
        _ operation: SignInOperation, in directory: any AccountDirectory, now: Int64, notes: [SignInNote] = []
    ) async throws -> SignInResult {
        let account: Account
        var isNew = false
        switch operation {
        case .signIn: (account, isNew) = try await directory.signIn(self, now: now)
        case .link(let uid, let hasConsent):
            account = try await directory.link(self, to: uid, hasConsent: hasConsent, now: now)
        case .reauthenticate(let uid): account = try await directory.reauthenticate(self, as: uid, now: now)
        }
        return result(account, isNew: isNew, operation, notes)
    }

    func result(
        _ account: Account, isNew: Bool, _ operation: SignInOperation, _ notes: [SignInNote] = []
    ) -> SignInResult {
        SignInResult(operation.kind, grant, of: account, isNew: isNew, profile: profile, notes: notes)
    }
}
