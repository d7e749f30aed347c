import ArgumentParser
import AuthCore

/// The flag of operations that need a recent proof.
struct ProofFlags: ParsableArguments {
    @Flag(help: "Prove first who you are, where the last proof is older than five minutes.")
    var reauth = false

    /// Asks for a new proof where one is needed and was allowed to be asked for.
    func prove(_ account: Account, _ context: Context) async throws {
        let directory = try context.directory(creating: false)
        do {
            try await directory.requireRecentLogin(account.uid, now: context.clock.now())
        } catch AccountRefusal.requiresRecentLogin where reauth {
            let status = try await AccountStatus.one(account.uid, in: directory)
            SignInText.note(
                try await Proof.again(status, provider: nil, .standard, passwordStdin: false, context), context)
        }
    }
}

/// How somebody proves again who they are.
enum Proof {
    /// Runs the flow of the provider that is named, or of the one that was used last.
    static func again(
        _ status: AccountStatus, provider: String?, _ flags: FlowFlags, passwordStdin: Bool, _ context: Context
    ) async throws -> SignInResult {
        let (id, identity, operation) = try asked(status, provider, context)
        if id == PasswordProvider.id {
            var password = PasswordFlags.standard
            password.email = identity.key.federatedID
            password.passwordStdin = passwordStdin
            return try await password.run(operation, context)
        }
        return try await hinting(flags, identity, context).run(id, operation, context)
    }

    /// The first of two calls.
    static func begin(
        _ status: AccountStatus, provider: String?, _ flags: FlowFlags, _ context: Context
    ) async throws {
        let (id, identity, operation) = try asked(status, provider, context)
        guard id != PasswordProvider.id else { throw UsageProblem("a password needs no --begin") }
        try await hinting(flags, identity, context).begin(id, operation, context)
    }

    private static func asked(
        _ status: AccountStatus, _ provider: String?, _ context: Context
    ) throws -> (id: String, Identity, SignInOperation) {
        let id = try provider ?? usual(status, context)
        guard let identity = status.account.providerData.first(where: { $0.key.providerID == id }) else {
            throw AccountConflict.noSuchProvider(id)
        }
        return (id, identity, .reauthenticate(uid: status.account.uid))
    }

    private static func hinting(_ flags: FlowFlags, _ identity: Identity, _ context: Context) throws -> FlowFlags {
        var flags = flags
        let id = identity.key.providerID
        let dialect = try context.isEntered(id) ? context.provider(id).provider.dialect : Dialect.named(id)
        if flags.loginHint == nil, dialect?.takesLoginHint == true { flags.loginHint = identity.email }
        return flags
    }

    /// The provider that proved the person last, among those that can be asked here.
    private static func usual(_ status: AccountStatus, _ context: Context) throws -> String {
        let recent = status.sessions.sorted { $0.lastProvenAt > $1.lastProvenAt }
            .map(\.signInProvider)
        let all = recent + status.account.providerData.map(\.key.providerID)
        let usable = try all.first { try $0 == PasswordProvider.id || context.isConfigured($0) }
        guard let usable else { throw ProviderError.notConfigured(all.first ?? "") }
        return usable
    }
}
