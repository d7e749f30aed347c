import ArgumentParser
import AuthCore

struct WhoAmICommand: SupportsFields, PrintsJSON {
    static let configuration = CommandConfiguration(commandName: "whoami", abstract: "Show the current account.")
    static let examples: Examples = [
        "Show the current account.": "authctl whoami",
        "Print only the email address, for a script.": "authctl whoami --field account.email",
    ]

    static let output = View<(account: Account, origin: DirectoryOrigin?, claims: JSONObject?)> {
        Field("account", of: \.account)
        Field("projectId", of: \.origin.projectID, means: "the Firebase project")
        Field("tenantId", of: \.origin.tenantID, means: "its tenant")
        Field("emulator", of: \.origin?.emulator, means: "the Firebase emulator")
        Field("claims", of: \.claims, means: "claims of the project's last ID token")
    }

    @OptionGroup var options: GlobalOptions
    @OptionGroup var part: FieldFlag

    static let errorContext = ErrorContext("account not shown")
    var errorContext: ErrorContext { Self.errorContext }

    func run(_ context: Context) async throws { try await Self.show(context) }

    static func show(_ context: Context) async throws {
        let directory = try context.profile.directory()
        let status = try await AccountStatus.one(try context.account, in: directory)
        for session in status.sessions where context.profile.hasOtherIssuer(session) {
            context.output.note(
                "the session with '\(session.providerID)' is from another server than the configured one; sign in again"
            )
        }
        var claims: JSONObject?
        // The claims are encrypted: if the vault is locked, the account is shown without them.
        if case .project = directory.origin, context.output.isJSON || context.output.field != nil {
            claims = try? await directory.claims(of: status.account.uid)
        }
        try context.show(output.json((status.account, directory.origin, claims))) { screen in
            Table.lines(AccountText.rows(status.account), on: screen)
                + (directory.origin.emulator.map {
                    [Table.line("at the emulator '\($0)', which does not sign its tokens", on: screen)]
                } ?? [])
        }
    }
}

struct StatusCommand: SupportsFields, PrintsJSON, UsesSession {
    static let configuration = CommandConfiguration(
        commandName: "status", abstract: "Show the accounts, their sessions and when they expire.",
        discussion: """
            Exits with 4 if the account requires a new sign-in before it has a token, with 74 if the key of its tokens \
            is missing or unavailable, and with 78 if the settings are invalid. The account is the current one, or that \
            of --account.
            """)
    static let examples: Examples = [
        "Show the signed-in accounts, a line each.": "authctl status",
        "Show each session.": "authctl status --long",
        "Check in a script whether GitHub's session requires user interaction.":
            "authctl status --provider github.com --json",
    ]

    static var output: View<StatusReport> { StatusReport.output }

    @OptionGroup var options: GlobalOptions
    @OptionGroup var provider: ProviderArgument
    @OptionGroup var part: FieldFlag

    @Flag(help: "Also show what chose the account: an option, a rule, or that it is the current one.")
    var why = false

    @Flag(help: "Also show each session, when it expires, and where the encryption key is.")
    var long = false

    var errorContext: ErrorContext { Self.errorContext(provider.id) }

    static func errorContext(_ provider: String?) -> ErrorContext {
        ErrorContext("status not shown", provider: provider)
    }

    func run(_ context: Context) async throws {
        let report = try await StatusReport(of: provider.id, namesUser: provider.account != nil, in: context)
        try Self.show(report, isLong: long, why: why, in: context)
    }

    static func show(of provider: String?, _ context: Context) async throws {
        try show(try await StatusReport(of: provider, in: context), in: context)
    }

    private static func show(
        _ report: StatusReport, isLong: Bool = false, why: Bool = false, in context: Context
    ) throws {
        // An empty list is valid output; the exit code reports that no user is signed in.
        guard report.hasContent || context.output.isJSON && context.output.field == nil else {
            for _ in report.unrevoked.prefix(1) {
                context.output.note("revoke again: \(StatusReport.retry.repeating(report.view.given).text)")
            }
            throw report.absence
        }
        if why, let chosen = report.chosen {
            context.output.note("\(AccountText.name(chosen.account)): \(report.choice.text)")
        }
        try context.show(output.json(report)) { report.lines(on: $0, isLong: isLong) }
        if let problem = report.problem { throw problem }
    }
}
