import ArgumentParser
import AuthCore

extension AccountsCommand {
    struct Export: PrintsJSON {
        /// Written in parts by the directory, which knows the rest of the format.
        static let output = View<(version: Int64, accounts: [JSONObject])> {
            Field("version", of: \.version)
            Field("accounts", of: \.accounts)
        }

        static let configuration = CommandConfiguration(
            abstract: "Print every account of this profile as JSON.",
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

        var errorContext: ErrorContext { .init("accounts not exported") }

        func run(_ context: Context) async throws {
            let directory = try context.profile.localDirectory()
            let account = try await AccountStatus.one(try context.account, in: directory).account
            context.output.json(
                parts: try await reauth.changes(context).exported(for: account, withSecrets: withSecrets))
        }
    }

    struct Import: AccountIndependent, PrintsJSON {
        static let output = View<(added: Int, existing: Int)> {
            Field("imported", of: { Int64($0.added) })
            Field("existing", of: { Int64($0.existing) })
        }

        static let configuration = CommandConfiguration(
            abstract: "Import the accounts of an export that do not exist here, without tokens.")
        static let examples: Examples = [
            "Import accounts from a file.": "authctl accounts import accounts.json",
            "Import an encrypted export into another profile.":
                "age -d -i key.txt accounts.age | authctl accounts import - --profile work",
        ]

        @Argument(help: .init("The export, or - for standard input.", valueName: "file|-"), completion: .file())
        var file: String

        @OptionGroup var options: GlobalOptions

        var errorContext: ErrorContext { .init("accounts not imported") }

        func run(_ context: Context) async throws {
            let document = try SecretInput.bytes(file)
            let (added, existing) = try await context.profile.localDirectory(creating: true).importAccounts(document)
            context.output.done(
                Self.output.json((added, existing)),
                "imported \(added) account\(added == 1 ? "" : "s")")
            if existing > 0 {
                context.output.note("\(existing) already existed, and did not change")
            }
        }
    }
}
