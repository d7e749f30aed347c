import ArgumentParser
import AuthCore

struct AccountsNameCommand: PrintsAccount {
    static let configuration = CommandConfiguration(
        commandName: "name", abstract: "Set a local alias for an account.",
        discussion: "The alias is local: it is not sent to a provider or project.")
    static let examples: Examples = [
        "Set an alias for the current account.": "authctl accounts name work",
        "Remove the alias.": "authctl accounts name --remove work",
    ]

    @Argument(help: "The alias; with --remove: the account, by its alias, uid or address.", completion: .accounts)
    var name: String?

    @Argument(help: "The account, by its alias, uid or address (default: the current account).", completion: .accounts)
    var account: String?

    @OptionGroup var options: GlobalOptions

    @Flag(help: "Remove an account's alias.")
    var remove = false

    var errorContext: ErrorContext { .init("alias not set") }

    func validate() throws {
        try require(
            remove ? account == nil : name != nil,
            remove ? "--remove takes only one account" : .missing(["<alias>"]))
    }

    func run(_ context: Context) async throws {
        let directory = try context.profile.directory()
        try require(
            remove || name.flatMap { Dialect.named(Dialect.id(called: $0)) } == nil,
            "'\(shown: name ?? "")' is the name of a provider: choose another alias")
        let word = remove ? name : account
        var named = try await AccountStatus.one(try word ?? context.account, in: directory, unproven: true).account
        try await directory.sessionStore.name(named, remove ? nil : name)
        named.name = remove ? nil : name
        let shown = AccountText.name(named)
        context.done(named, remove ? "\(shown) no longer has an alias" : "the account's alias is \(shown)")
    }
}
