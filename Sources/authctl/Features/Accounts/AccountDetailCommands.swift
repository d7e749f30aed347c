import ArgumentParser
import AuthCore

extension AccountsCommand {
    struct SetEmail: PrintsAccount {
        static let configuration = CommandConfiguration(abstract: "Change the current account's email address.")
        static let examples: Examples = [
            "Change the address.": "authctl accounts set-email ada@example.org",
            "Re-authenticate first if the last sign-in is too old.":
                "authctl accounts set-email ada@example.org --reauth",
        ]

        @Argument(help: .init("The new address.", valueName: "address"))
        var email: String

        @OptionGroup var options: GlobalOptions
        @OptionGroup var reauth: ReauthFlags

        var errorContext: ErrorContext { .init("address not changed") }

        func run(_ context: Context) async throws {
            try PasswordPolicy.check(email: email)
            let account = try await context.accountStatus().account
            let changed = try await reauth.changes(context).setEmail(email, of: account)
            context.done(changed, "the address is \(email), not verified")
        }
    }

    struct SetPassword: PrintsAccount {
        static let configuration = CommandConfiguration(abstract: "Set or change the current account's password.")
        static let examples: Examples = [
            "Change the password; asks for it twice.": "authctl accounts set-password --reauth",
            "Read the new password from a password manager.":
                "pass show work/authctl | authctl accounts set-password --password-stdin",
        ]

        @OptionGroup var options: GlobalOptions
        @OptionGroup var reauth: ReauthFlags

        @Flag(help: "Read the new password from standard input.")
        var passwordStdin = false

        var errorContext: ErrorContext { .init("password not changed", for: .changePassword) }

        func run(_ context: Context) async throws {
            let account = try await context.accountStatus().account
            try await reauth.changes(context).requireRecentLogin(account)
            let password = try PasswordInput.new(fromInput: passwordStdin, context)
            let changed = try await PasswordInput.signIn(context).change(account.uid, to: password)
            context.done(changed, "\(AccountText.name(changed)) signs in with the new password")
        }
    }

    struct SetName: PrintsAccount {
        static let configuration = CommandConfiguration(abstract: "Change the display name of the current account.")
        static let examples: Examples = [
            "Change the name.": "authctl accounts set-name 'Ada Lovelace'",
            "Remove the name.": "authctl accounts set-name --clear",
        ]

        @Argument(help: "The name.")
        var name: String?

        @Flag(help: "Remove the name.")
        var clear = false

        @OptionGroup var options: GlobalOptions

        var errorContext: ErrorContext { .init("name not changed") }

        func validate() throws {
            try require(name != nil || clear, "a name or --clear is required")
            try refuse(["--clear": clear], with: ["a name": name])
            let isName = name.map { name in
                (1...256).contains(name.count)
                    && !name.unicodeScalars.contains { $0.properties.generalCategory == .control }
            }
            try require(isName ?? true, "a name must have 1 to 256 characters, on one line")
        }

        func run(_ context: Context) async throws {
            try await context.set(.displayName(name), "the name is \(name.map { "'\($0)'" } ?? "removed")")
        }
    }

    struct SetPhoto: PrintsAccount {
        static let configuration = CommandConfiguration(abstract: "Change the photo URL of the current account.")
        static let examples: Examples = [
            "Change the photo.": "authctl accounts set-photo https://example.com/ada.png",
            "Remove the photo.": "authctl accounts set-photo --clear",
        ]

        @Argument(help: "The photo's URL.")
        var url: String?

        @Flag(help: "Remove the photo.")
        var clear = false

        @OptionGroup var options: GlobalOptions

        var errorContext: ErrorContext { .init("photo not changed") }

        func validate() throws {
            try require(url != nil || clear, "a URL or --clear is required")
            try refuse(["--clear": clear], with: ["a URL": url])
        }

        func run(_ context: Context) async throws {
            let photo = try url.map { try CommandError.url($0, as: "authctl accounts set-photo") }
            try await context.set(.photoURL(photo), photo == nil ? "the photo was removed" : "the photo is set")
        }
    }

    struct Reload: SupportsFields, PrintsAccount {
        static let configuration = CommandConfiguration(
            abstract: "Refresh the current account from its directory.",
            discussion: """
                Changes made elsewhere, for example a verified address or a claim, take effect immediately and in the \
                next token.
                """)
        static let examples: Examples = [
            "Get a claim that an administrator has added to the account.": "authctl accounts reload",
            "Print whether the email address is verified.": "authctl accounts reload --field account.emailVerified",
        ]

        @OptionGroup var options: GlobalOptions
        @OptionGroup var part: FieldFlag

        var errorContext: ErrorContext { .init("account not reloaded") }

        func run(_ context: Context) async throws {
            let uid = try await context.accountStatus().account.uid
            let account = try await context.profile.directory().reloaded(uid)
            try context.show(Self.output.json(account)) {
                Table.lines(AccountText.rows(account), on: $0)
            }
        }
    }
}

extension Context {
    fileprivate func set(_ detail: AccountDetail, _ note: String) async throws {
        let uid = try await accountStatus().account.uid
        done(try await profile.directory().set(detail, of: uid), note)
    }
}
