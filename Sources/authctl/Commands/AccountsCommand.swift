import ArgumentParser
import AuthCore

struct AccountsCommand: AsyncParsableCommand, HasExamples {
    static let configuration = CommandConfiguration(
        commandName: "accounts", abstract: "List, show, switch, name, change and delete accounts.",
        subcommands: [
            List.self, Switch.self, Show.self, AccountsNameCommand.self, AccountsRuleCommand.self, Delete.self,
            SetEmail.self, SetPassword.self, ResetPassword.self, VerifyEmail.self, SetName.self, SetPhoto.self,
            Reload.self, Lookup.self, Export.self, Import.self,
        ])
    static let examples: Examples = [
        "List the accounts of this profile.": "authctl accounts list",
        "Switch to another account.": "authctl accounts switch ada@example.com",
    ]

    struct List: SupportsFields, AccountIndependent {
        static let configuration = CommandConfiguration(
            commandName: "list", abstract: "List the accounts of this profile.")
        static let examples: Examples = [
            "List the accounts.": "authctl accounts list",
            "Print the uid of the first account, for a script.": "authctl accounts list --field accounts.0.uid",
        ]

        @OptionGroup var options: GlobalOptions
        @OptionGroup var part: FieldFlag

        var errorContext: ErrorContext { .init("accounts not listed", again: "authctl accounts list") }

        func run(_ context: Context) async throws {
            var list: AccountList?
            if let sessionStore = try context.profile.sessionStoreForDisplay() {
                list = try await AccountList(sessionStore)
            }
            try await show(list, context)
            guard list?.entries.isEmpty ?? true else { return }
            try await context.noteUnknownProfile()
            if let mismatch = try await context.profile.sessionStoreForDisplay()?.absence() as? DirectoryMismatch {
                context.output.note(
                    "accounts of \(mismatch.origin.name) are stored, but not listed for the current directory")
            } else {
                context.output.note("no accounts on this machine")
            }
        }

        private func show(_ list: AccountList?, _ context: Context) async throws {
            let output = context.output
            func json(_ emit: ([JSONValue]) -> Void) async throws {
                try await list?.forEachPortion { portion in
                    emit(portion.map { .object(JSONShapes.listed($0.account, isCurrent: $0.isCurrent)) })
                }
            }
            if output.field != nil {
                var all: [JSONValue] = []
                try await json { all += $0 }
                try context.show(["accounts": .array(all)]) { _ in [] }
            } else if output.isJSON {
                try await output.json(listing: "accounts", json)
            } else {
                let (screen, widths) = (context.screen, AccountText.widths(list?.entries ?? []))
                try await list?.forEachPortion { portion in
                    let rows = portion.map { AccountText.row($0.account, isCurrent: $0.isCurrent) }
                    output.lines(Table.lines(rows, widths, on: screen, keeping: 1), on: screen)
                }
            }
        }
    }

    struct Switch: AccountIndependent {
        static let configuration = CommandConfiguration(
            commandName: "switch", abstract: "Make another account the current one.")
        static let examples: Examples = [
            "Switch by email address.": "authctl accounts switch ada@example.com",
            "Switch by alias or by the beginning of the uid.": "authctl accounts switch work",
        ]

        @Argument(help: "The account (default: choose from a list).", completion: .accounts)
        var account: String?

        @OptionGroup var options: GlobalOptions

        var errorContext: ErrorContext { .init("account not switched", again: "authctl accounts list") }

        func run(_ context: Context) async throws {
            let directory = try context.profile.directory()
            var name = account
            if name == nil { name = try await chosen(context) }
            let status = try await AccountStatus.one(name, in: directory, unproven: true)
            try await directory.sessionStore.makeCurrent(status.account.uid)
            context.done(status.account, "the current account is \(AccountText.name(status.account))")
            context.noteOtherAccount(than: status.account)
        }

        /// Asks the user to choose an account, and returns its uid.
        private func chosen(_ context: Context) async throws -> String {
            let missing = CommandError(.usage, "Missing expected argument '<account>'")
            guard context.canPrompt, let sessionStore = try context.profile.sessionStoreForDisplay() else {
                throw missing
            }
            var accounts: [Account] = []
            try await AccountList(sessionStore).forEachPortion { accounts += $0.map(\.account) }
            guard !accounts.isEmpty else { throw NotSignedIn.noAccount }
            let names = accounts.map { account in
                let name = AccountText.name(account)
                return accounts.filter { AccountText.name($0) == name }.count == 1 ? name : "\(name) \(account.uid)"
            }
            guard let chosen = try context.output.choose("Which account?", among: names),
                let index = names.firstIndex(of: chosen)
            else { throw missing }
            return accounts[index].uid
        }
    }

    struct Show: SupportsFields {
        static let configuration = CommandConfiguration(commandName: "show", abstract: "Show one account.")
        static let examples: Examples = [
            "Show the current account.": "authctl accounts show",
            "Print only the address of another account.": "authctl accounts show kX2mPq8vYt --field account.email",
        ]

        @Argument(help: "The account (default: the current account).", completion: .accounts)
        var account: String?

        @OptionGroup var options: GlobalOptions
        @OptionGroup var part: FieldFlag

        var errorContext: ErrorContext { .init("account not shown", again: "authctl accounts list") }

        func run(_ context: Context) async throws {
            let directory = try context.profile.directory()
            let status = try await AccountStatus.one(
                try account ?? context.account, in: directory, unproven: account != nil)
            let view = context.sessionView(directory.origin, try await context.profile.vaultStatus())
            try context.show(["account": JSONShapes.account(status.account)]) {
                Table.lines(AccountText.rows(status.account), on: $0)
                    + Table.lines(AccountText.sessions(status, view), on: $0)
            }
        }
    }

    struct Delete: Command {
        static let configuration = CommandConfiguration(
            commandName: "delete", abstract: "Delete an account with its identities and sessions.")
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

        var errorContext: ErrorContext { .init("account not deleted", again: again(["--reauth": !here])) }

        private func again(_ more: GivenOptions) -> ShellCommand {
            ShellCommand(words: ["authctl", "accounts", "delete"] + [account].compactMap { $0 })
                .with(["--here": here] + more)
        }

        func run(_ context: Context) async throws {
            let directory = try context.profile.directory()
            let name = try self.account ?? context.account
            guard !here else {
                let (account, sessionStore) = try await AccountStatus.toForget(name, in: directory)
                if !yes { try await confirm(account, context) }
                try await sessionStore.forgetOnThisMachine(account)
                return done(account, "was removed from this machine", context)
            }
            let status = try await AccountStatus.one(name, in: directory)
            if !yes { try await confirm(status.account, context) }
            switch try await reauth.changes(context).delete(status.account) {
            case .alreadyDeleted:
                done(status.account, "no longer existed in the project, and was removed from this machine", context)
            case .deleted:
                let hasTokens = status.sessions.contains(where: \.hasProviderTokens)
                done(status.account, "is deleted\(hasTokens ? "; its tokens were not revoked" : "")", context)
            }
        }

        private func confirm(_ account: Account, _ context: Context) async throws {
            // A question whose answer changes nothing is not asked.
            if context.canPrompt, !here, !reauth.isRequested {
                try await reauth.changes(context).requireRecentLoginToDelete(account)
            }
            let name = "\(AccountText.name(account)) (\(account.providerIDs.joined(separator: ", ")))"
            guard !here || !account.isAnonymous else {
                return try context.requireConfirmation(
                    "Remove \(name) from this machine? It cannot be recovered.",
                    otherwise: .anonymousLost("the anonymous account \(name)", uid: account.uid))
            }
            try context.requireConfirmation(
                here ? "Remove \(name) from this machine?" : "Permanently delete \(name)?",
                otherwise: CommandError(
                    .usage,
                    here
                        ? "the account's sessions on this machine will end: pass --yes to confirm"
                        : "deleting an account cannot be undone: pass --yes to confirm",
                    hint: .run(again(["--yes": true]))))
        }

        private func done(_ account: Account, _ what: String, _ context: Context) {
            context.output.done(["deleted": .string(account.uid)], "\(AccountText.name(account)) \(what)")
            for rule in (try? context.accountRules().rules) ?? [] where rule.account == account.uid {
                let removal = context.text(of: rule.place.removal)
                context.output.note(
                    "the rule for '\(shown: rule.place.text)' still names this account; to remove it: \(removal)")
            }
        }
    }

    struct SetEmail: Command {
        static let configuration = CommandConfiguration(
            commandName: "set-email", abstract: "Change the current account's email address.")
        static let examples: Examples = [
            "Change the address.": "authctl accounts set-email ada@example.org",
            "Re-authenticate first if the last sign-in is too old.":
                "authctl accounts set-email ada@example.org --reauth",
        ]

        @Argument(help: .init("The new address.", valueName: "address"))
        var email: String

        @OptionGroup var options: GlobalOptions
        @OptionGroup var reauth: ReauthFlags

        var errorContext: ErrorContext {
            ErrorContext("address not changed", again: "authctl accounts set-email --reauth \(email)")
        }

        func run(_ context: Context) async throws {
            try PasswordPolicy.check(email: email)
            let account = try await context.accountStatus().account
            let changed = try await reauth.changes(context).setEmail(email, of: account)
            context.done(changed, "the address is \(email), not verified")
        }
    }

    struct SetPassword: Command {
        static let configuration = CommandConfiguration(
            commandName: "set-password", abstract: "Set or change the current account's password.")
        static let examples: Examples = [
            "Change the password; asks for it twice.": "authctl accounts set-password --reauth",
            "Read the new password from a password manager.":
                "pass show work/authctl | authctl accounts set-password --password-stdin",
        ]

        @OptionGroup var options: GlobalOptions
        @OptionGroup var reauth: ReauthFlags

        @Flag(help: "Read the new password from standard input.")
        var passwordStdin = false

        var errorContext: ErrorContext {
            .init("password not changed", again: "authctl accounts set-password --reauth")
        }

        func run(_ context: Context) async throws {
            let account = try await context.accountStatus().account
            try await reauth.changes(context).requireRecentLogin(account)
            let password = try PasswordInput.new(fromInput: passwordStdin, context)
            let changed = try await PasswordInput.signIn(context).change(account.uid, to: password)
            context.done(changed, "\(AccountText.name(changed)) signs in with the new password")
        }
    }

    struct Lookup: AccountIndependent {
        static let configuration = CommandConfiguration(
            commandName: "lookup", abstract: "Show the sign-in providers of an email address.")
        static let examples: Examples = [
            "Print the providers of an address.": "authctl accounts lookup ada@example.com",
            "Print JSON.": "authctl accounts lookup ada@example.com --json",
        ]

        @Argument(help: .init("The address.", valueName: "address"))
        var email: String

        @OptionGroup var options: GlobalOptions

        var errorContext: ErrorContext { .init("lookup failed", again: "authctl accounts list") }

        func run(_ context: Context) async throws {
            var found: EmailLookup? = EmailLookup(isRegistered: false, providers: [])
            let hasProject = try context.profile.project() != nil
            if try context.profile.store(creating: hasProject) != nil {
                found = try await context.profile.directory().providers(of: email)
            }
            var providers: [String] = []
            for provider in found?.providers ?? [] where !providers.contains(provider) { providers.append(provider) }
            context.output.result([
                "email": .string(email), "registered": found.map { .bool($0.isRegistered) } ?? .null,
                "providers": JSONValue(providers),
            ]) { providers }
            if found == nil {
                context.output.note("the project does not reveal this: it has email enumeration protection")
            } else if found?.isRegistered == false {
                context.output.note("no account \(hasProject ? "of the project" : "on this machine") has '\(email)'")
            }
        }
    }

    struct Export: Command {
        static let configuration = CommandConfiguration(
            commandName: "export", abstract: "Print every account of this profile as JSON.",
            discussion: "Password hashes and tokens are omitted unless --with-secrets is given.")
        static let examples: Examples = [
            "Export every account, without secrets.": "authctl accounts export --reauth",
            "Export every account with secrets, encrypted with age.":
                "authctl accounts export --reauth --with-secrets | age -e -i key.txt",
        ]

        @OptionGroup var options: GlobalOptions
        @OptionGroup var reauth: ReauthFlags

        @Flag(help: "Include password hashes and tokens. Anyone who reads the file can use these accounts.")
        var withSecrets = false

        var errorContext: ErrorContext { .init("accounts not exported", again: "authctl accounts export --reauth") }

        func run(_ context: Context) async throws {
            let directory = try context.profile.localDirectory()
            let account = try await AccountStatus.one(try context.account, in: directory).account
            context.output.json(
                parts: try await reauth.changes(context).exported(for: account, withSecrets: withSecrets))
        }
    }

    struct Import: AccountIndependent {
        static let configuration = CommandConfiguration(
            commandName: "import", abstract: "Import the accounts of an export that do not exist here, without tokens.")
        static let examples: Examples = [
            "Import accounts from a file.": "authctl accounts import accounts.json",
            "Import an encrypted export into another profile.":
                "age -d -i key.txt accounts.age | authctl accounts import - --profile work",
        ]

        @Argument(help: .init("The export, or - for standard input.", valueName: "file|-"), completion: .file())
        var file: String

        @OptionGroup var options: GlobalOptions

        var errorContext: ErrorContext { .init("accounts not imported", again: "authctl accounts import \(file)") }

        func run(_ context: Context) async throws {
            let document = try SecretInput.bytes(file)
            let (added, existing) = try await context.profile.localDirectory(creating: true).importAccounts(document)
            context.output.done(
                ["imported": JSONValue(Int64(added)), "existing": JSONValue(Int64(existing))],
                "imported \(added) account\(added == 1 ? "" : "s")")
            if existing > 0 {
                context.output.note("\(existing) already existed, and did not change")
            }
        }
    }
}
