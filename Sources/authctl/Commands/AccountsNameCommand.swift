import ArgumentParser
import AuthCore

struct AccountsNameCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "name", abstract: "Call an account by a name of yours, which every command takes for it.",
        discussion: "The alias is local: it is not sent to a provider or project.")
    static let examples = [
        Example("Call the current account by a name of yours.", "authctl accounts name work"),
        Example("Take the name away.", "authctl accounts name --remove work"),
    ]

    @Argument(help: "The name; with --remove the account that has one.", completion: .accounts)
    var name: String?

    @Argument(help: "The account, by its name, uid or address; the current one when left out.", completion: .accounts)
    var account: String?

    @OptionGroup var options: GlobalOptions

    @Flag(help: "Take an account's name away.")
    var remove = false

    var task: ErrorContext { ErrorContext("not named", again: "authctl accounts name --help") }

    func validate() throws {
        guard remove ? account == nil : name != nil else {
            throw ValidationError(remove ? "--remove takes one account" : "give a name")
        }
    }

    func run(_ context: Context) async throws {
        let directory = try context.profile.directory()
        let word = remove ? name : account
        var named = try await AccountStatus.one(word ?? context.account, in: directory, unproven: true).account
        try await directory.sessionStore.name(named, remove ? nil : name)
        named.name = remove ? nil : name
        let shown = AccountText.name(named)
        context.done(named, remove ? "\(shown) has no name now" : "the account is called \(shown)")
    }
}
