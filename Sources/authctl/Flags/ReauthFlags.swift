import ArgumentParser
import AuthCore

/// The flag of operations that require a recent authentication.
struct ReauthFlags: ParsableArguments {
    @Flag(help: "Re-authenticate first if the last sign-in is older than five minutes.")
    var reauth = false

    func changes(_ context: Context) -> AccountChanges {
        guard reauth else { return AccountChanges(context.profile, reauthenticate: nil) }
        return AccountChanges(context.profile) { account in
            let status = try await AccountStatus.one(account.uid, in: context.profile.directory())
            SignInText.note(
                try await Proof.again(status, provider: nil, .parse([]), passwordStdin: false, context), context)
        }
    }
}

/// Re-authenticates a user.
enum Proof {
    static func again(
        _ status: AccountStatus, provider: String?, _ flags: FlowFlags, link: EmailLinkFlags? = nil,
        passwordStdin: Bool, _ context: Context
    ) async throws -> SignInResult {
        var proof = try Reauthenticate(status, by: provider, in: context.profile)
        if ProjectSignInProvider.byAddress.contains(proof.providerID),
            let current = try await proof.reloaded(status, in: context.profile)
        {
            proof = current
        }
        if proof.providerID == PasswordProvider.id {
            var password = try PasswordFlags.parse([])
            password.email = proof.identity.key.federatedID
            password.passwordStdin = passwordStdin
            return try await password.run(proof.operation, context)
        }
        if proof.providerID == ProjectSignInProvider.emailLink {
            let link = try link ?? .parse([])
            return try await link.run(proof.identity.key.federatedID, proof.operation, again: byLink, context)
        }
        return try await adapted(flags, to: proof, of: status.account).run(proof.providerID, proof.operation, context)
    }

    static func begin(_ status: AccountStatus, provider: String?, _ flags: FlowFlags, _ context: Context) async throws {
        let proof = try Reauthenticate(status, by: provider, in: context.profile)
        guard proof.providerID != PasswordProvider.id else {
            throw CommandError(.usage, "--begin cannot be used with a password")
        }
        if proof.providerID == ProjectSignInProvider.emailLink {
            return try await EmailLinkFlags.parse([]).begin(proof.identity.key.federatedID, again: byLink, context)
        }
        try await adapted(flags, to: proof, of: status.account).begin(proof.providerID, proof.operation, context)
    }

    private static var byLink: ShellCommand { "authctl reauth --provider \(ProjectSignInProvider.emailLink)" }

    private static func adapted(_ flags: FlowFlags, to proof: Reauthenticate, of account: Account) -> FlowFlags {
        var flags = flags
        // A machine account re-authenticates as the client, without a user.
        if account.isMachine, flags.selectedFlow == .auto { flags.flow = .clientCredentials }
        flags.authorization.loginHint = flags.authorization.loginHint ?? proof.loginHint
        return flags
    }
}
