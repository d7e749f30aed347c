import ArgumentParser
import AuthCore

/// The flag of operations that require a recent authentication.
struct ReauthFlags: ParsableArguments {
    @Flag(
        name: .customLong("reauth"), help: "Re-authenticate first if the last sign-in is older than five minutes.")
    var isRequested = false

    func changes(_ context: Context) -> AccountChanges {
        guard isRequested || context.canPrompt else { return AccountChanges(context.profile, reauthenticate: nil) }
        return AccountChanges(context.profile) { [isRequested] account in
            let question = "This requires that you sign in again, as \(account.label). Sign in now?"
            guard try isRequested || context.output.decide(question, enterIsYes: true) == true else {
                throw AccountRefusal.requiresRecentLogin
            }
            let status = try await AccountStatus.one(account.uid, in: context.profile.directory())
            SignInText.note(try await Reauthentication.run(status, flags: .parse([]), in: context), context)
        }
    }
}

/// Re-authenticates a user.
enum Reauthentication {
    static func run(
        _ status: AccountStatus, provider: String? = nil, flags: FlowFlags, link: EmailLinkFlags? = nil,
        passwordStdin: Bool = false, in context: Context
    ) async throws -> SignInResult {
        var reauth = try Reauthenticate(status, by: provider, in: context.profile)
        if ProjectSignInProvider.byAddress.contains(reauth.providerID),
            let current = try await reauth.reloaded(status, in: context.profile)
        {
            reauth = current
        }
        if reauth.providerID == PasswordProvider.id {
            return try await PasswordInput.signIn(
                reauth.identity.key.federatedID, fromInput: passwordStdin, as: reauth.operation, in: context)
        }
        if reauth.providerID == ProjectSignInProvider.emailLink {
            let link = try link ?? .parse([])
            return try await link.run(reauth.identity.key.federatedID, as: reauth.operation, again: byLink, in: context)
        }
        do {
            return try await adapted(flags, to: reauth, of: status).run(
                reauth.providerID, as: reauth.operation, in: context)
        } catch let error as SignInError where error == .interactionRequired {
            throw status.account.has(PasswordProvider.id) ? ExplainedError(error: error, reason: .hasPassword) : error
        }
    }

    static func begin(_ status: AccountStatus, provider: String?, flags: FlowFlags, in context: Context) async throws {
        let reauth = try Reauthenticate(status, by: provider, in: context.profile)
        try refuse(if: reauth.providerID == PasswordProvider.id, .excluded("--begin", by: "a password"))
        if reauth.providerID == ProjectSignInProvider.emailLink {
            return try await EmailLinkFlags.parse([]).begin(reauth.identity.key.federatedID, again: byLink, in: context)
        }
        try await adapted(flags, to: reauth, of: status).begin(
            reauth.providerID, as: reauth.operation, in: context)
    }

    private static var byLink: ShellCommand { "authctl reauth \(ProjectSignInProvider.emailLink)" }

    private static func adapted(_ flags: FlowFlags, to reauth: Reauthenticate, of status: AccountStatus) -> FlowFlags {
        var flags = flags
        // The new tokens replace the session's, so they have its scopes.
        let session = status.sessions.first { $0.providerID == reauth.providerID && $0.resource == nil }
        flags.authorization.scope += session?.scopes ?? []
        // A machine account re-authenticates as the client, without a user.
        if status.account.isMachine, flags.selectedFlow == .auto { flags.flow = .clientCredentials }
        flags.authorization.loginHint = flags.authorization.loginHint ?? reauth.loginHint
        return flags
    }
}
