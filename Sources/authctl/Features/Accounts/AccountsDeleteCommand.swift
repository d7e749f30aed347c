import ArgumentParser
import AuthCore

extension AccountsCommand {
    struct Delete: PrintsJSON {
        static let output = View<String> { Field("deleted", of: \.self) }
        static let configuration = CommandConfiguration(abstract: "Delete an account with its identities and sessions.")
        static let examples: Examples = [
            "Delete the current account; re-authenticates if required.": "authctl accounts delete --reauth",
            "Remove a Firebase account from this machine only.": "authctl accounts delete ada@example.com --here --yes",
        ]

        @Argument(help: "The account (default: the current account).", completion: .accounts)
        var account: String?

        @OptionGroup var options: GlobalOptions
        @OptionGroup var reauth: ReauthFlags

        @Flag(help: "Do not ask for confirmation.")
        var yes = false

        @Flag(help: "Remove a Firebase project's account from this machine only; it remains in the project.")
        var here = false

        var errorContext: ErrorContext { .init("account not deleted") }

        func run(_ context: Context) async throws {
            let directory = try context.profile.directory()
            let name = try self.account ?? context.account
            guard !here else {
                let (account, sessionStore) = try await AccountStatus.toForget(name, in: directory)
                if !yes { try confirm(account, context) }
                try await sessionStore.forgetOnThisMachine(account)
                return done(account, what: "was removed from this machine", in: context)
            }
            let status = try await AccountStatus.one(name, in: directory)
            if !yes { try confirm(status.account, context) }
            switch try await reauth.changes(context).delete(status.account) {
            case .alreadyDeleted:
                done(
                    status.account, what: "no longer existed in the project, and was removed from this machine",
                    in: context)
            case .deleted:
                let hasTokens = status.sessions.contains(where: \.hasProviderTokens)
                done(status.account, what: "is deleted\(hasTokens ? "; its tokens were not revoked" : "")", in: context)
            }
        }

        private func confirm(_ account: Account, _ context: Context) throws {
            let name = "\(AccountText.name(account)) (\(account.providerIDs.joined(separator: ", ")))"
            guard here else {
                let place = try context.profile.origin().name
                return try require(
                    context.agrees("Nothing is deleted at a provider. Permanently delete \(name) from \(place)?"),
                    .unconfirmed("deleting an account cannot be undone"))
            }
            let loss = account.isAnonymous ? " It cannot be recovered." : ""
            try require(
                context.agrees("Remove \(name) from this machine?\(loss)"),
                account.isAnonymous
                    ? .anonymousLost("the anonymous account \(name)", uid: account.uid)
                    : .unconfirmed("the account's sessions on this machine will end"))
        }

        private func done(_ account: Account, what: String, in context: Context) {
            context.output.done(Self.output.json(account.uid), "\(AccountText.name(account)) \(what)")
            for rule in (try? context.accountRules()) ?? [] where rule.account.hasSuffix(account.uid) {
                let removal = context.text(of: rule.place.removal)
                context.output.note(
                    "the rule for '\(shown: rule.place.text)' still names this account; to remove it: \(removal)")
            }
        }
    }
}
