extension AccountCredential {
    func completed(
        _ operation: SignInOperation, in directory: any AccountDirectory, now: Int64, notes: [SignInNote] = []
    ) async throws -> SignInResult {
        switch operation {
        case .signIn:
            let (account, isNew) = try await directory.signIn(self, now: now)
            return result(account, isNew: isNew, operation, notes)
        case .link(let uid, let hasConsent):
            let account = try await directory.link(self, to: uid, hasConsent: hasConsent, now: now)
            return result(account, isNew: false, operation, notes)
        case .reauthenticate(let uid):
            return result(try await directory.reauthenticate(self, as: uid, now: now), isNew: false, operation, notes)
        }
    }

    func result(
        _ account: Account, isNew: Bool, _ operation: SignInOperation, _ notes: [SignInNote] = []
    ) -> SignInResult {
        SignInResult(operation.kind, grant, of: account, isNew: isNew, profile: profile, notes: notes)
    }
}
