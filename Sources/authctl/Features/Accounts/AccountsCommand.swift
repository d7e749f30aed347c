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

    struct List: SupportsFields, AccountIndependent, PrintsJSON {
        private static let listed = View<(account: Account, isCurrent: Bool)>("Listed") {
            Field.all(of: \.account)
            Field("current", of: \.isCurrent)
        }
        static let output = View<[(account: Account, isCurrent: Bool)]> { Field("accounts", each: listed, of: \.self) }

        static let configuration = CommandConfiguration(abstract: "List the accounts of this profile.")
        static let examples: Examples = [
            "List the accounts.": "authctl accounts list",
            "Print the uid of the first account, for a script.": "authctl accounts list --field accounts.0.uid",
        ]

        @OptionGroup var options: GlobalOptions
        @OptionGroup var part: FieldFlag

        var errorContext: ErrorContext { .init("accounts not listed") }

        func run(_ context: Context) async throws {
            let sessionStore = try context.profile.sessionStoreForDisplay()
            let list: AccountList? = if let sessionStore { try await AccountList(sessionStore) } else { nil }
            try await show(list, context)
            guard list?.entries.isEmpty ?? true else { return }
            try await context.noteUnknownProfile()
            if let mismatch = try await sessionStore?.absence() as? DirectoryMismatch {
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
                    emit(portion.map(Self.listed.json))
                }
            }
            if output.field != nil {
                var all: [JSONValue] = []
                try await json { all += $0 }
                try context.show(["accounts": .array(all)]) { _ in [] }
            } else if output.isJSON {
                try await output.json(listing: "accounts", json)
            } else {
                let screen = context.screen
                let widths = AccountText.widths(list?.entries ?? [], on: screen)
                try await list?.forEachPortion { portion in
                    let rows = portion.map {
                        AccountText.row($0.account, isCurrent: $0.isCurrent, hasUID: widths.count > 1)
                    }
                    output.lines(Table.lines(rows, widths: widths, on: screen, keeping: 1), on: screen)
                }
            }
        }
    }

    struct Switch: AccountIndependent, PrintsAccount {
        static let configuration = CommandConfiguration(abstract: "Make another account the current one.")
        static let examples: Examples = [
            "Switch by email address.": "authctl accounts switch ada@example.com",
            "Switch by alias or by the beginning of the uid.": "authctl accounts switch work",
        ]

        @Argument(help: "The account (default: choose from a list).", completion: .accounts)
        var account: String?

        @OptionGroup var options: GlobalOptions

        var errorContext: ErrorContext { .init("account not switched") }

        func run(_ context: Context) async throws {
            let directory = try context.profile.directory()
            var name = account
            if name == nil { name = try await chosen(context) }
            let status = try await AccountStatus.one(name, in: directory, unproven: true)
            let session = name.flatMap { status.session(named: $0) }
            // The name of a session that has ended.
            if session == nil, let name, name != status.account.name,
                let id = SessionName(name).providerIDs.first(where: status.account.has)
            {
                throw NotSignedIn.noSession(provider: id)
            }
            try await directory.sessionStore.makeCurrent(status.account.uid, session: session?.providerID)
            let all = try await AccountStatus.signedIn(in: directory.sessionStore)
            let current = all.first(where: \.isCurrent) ?? status
            context.done(status.account, "the default is now \(context.names(of: all).short(current))")
            context.noteOtherAccount(than: status.account)
        }

        /// Asks the user to choose an account, and returns its uid.
        private func chosen(_ context: Context) async throws -> String {
            let missing = UsageProblem.missing(["<account>"])
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

    struct Show: SupportsFields, PrintsAccount {
        static let configuration = CommandConfiguration(abstract: "Show one account.")
        static let examples: Examples = [
            "Show the current account.": "authctl accounts show",
            "Print only the address of another account.": "authctl accounts show kX2mPq8vYt --field account.email",
        ]

        @Argument(help: "The account (default: the current account).", completion: .accounts)
        var account: String?

        @OptionGroup var options: GlobalOptions
        @OptionGroup var part: FieldFlag

        var errorContext: ErrorContext { .init("account not shown") }

        func run(_ context: Context) async throws {
            let directory = try context.profile.directory()
            let status = try await AccountStatus.one(
                try account ?? context.account, in: directory, unproven: account != nil)
            let view = context.sessionView(directory.origin, try await context.profile.vaultStatus())
            let names = context.names(of: [status])
            let sessions = status.sessions.map { session -> [Cell] in
                ["session", "\(names.full(session, of: status.account)): \(AccountText.state(session, view).text)"]
            }
            try context.show(Self.output.json(status.account)) {
                Table.lines(AccountText.rows(status.account) + sessions, on: $0)
            }
        }
    }

    struct Lookup: AccountIndependent, PrintsJSON {
        static let output = View<(email: String, isRegistered: Bool?, providers: [String])> {
            Field("email", of: \.email)
            Field("registered", of: \.isRegistered)
            Field("providers", of: \.providers)
        }

        static let configuration = CommandConfiguration(abstract: "Show the sign-in providers of an email address.")
        static let examples: Examples = [
            "Print the providers of an address.": "authctl accounts lookup ada@example.com",
            "Print JSON.": "authctl accounts lookup ada@example.com --json",
        ]

        @Argument(help: .init("The address.", valueName: "address"))
        var email: String

        @OptionGroup var options: GlobalOptions

        var errorContext: ErrorContext { .init("lookup failed") }

        func run(_ context: Context) async throws {
            var found: EmailLookup? = EmailLookup(isRegistered: false, providers: [])
            let hasProject = try context.profile.project() != nil
            if try context.profile.store(creating: hasProject) != nil {
                found = try await context.profile.directory().providers(of: email)
            }
            var providers: [String] = []
            for provider in found?.providers ?? [] where !providers.contains(provider) { providers.append(provider) }
            context.output.result(Self.output.json((email, found?.isRegistered, providers))) { providers }
            if found == nil {
                context.output.note("the project does not reveal this: it has email enumeration protection")
            } else if found?.isRegistered == false {
                context.output.note("no account \(hasProject ? "of the project" : "on this machine") has '\(email)'")
            }
        }
    }
}
