import ArgumentParser
import AuthCore

struct AccountsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "accounts", abstract: "List, show and switch accounts.",
        subcommands: [List.self, Switch.self, Show.self])

    struct List: Command {
        static let configuration = CommandConfiguration(abstract: "List the accounts of this profile.")

        @OptionGroup var options: GlobalOptions

        var task: Undertaking { Undertaking("no accounts", again: "authctl accounts list") }

        func run(_ context: Context) async throws {
            var all: [AccountStatus] = []
            if let store = try context.store(creating: false) {
                all = try await AccountStatus.all(in: LocalDirectory(store: store, profile: context.profile))
            }
            context.output.result(["accounts": .array(all.map { .object(JSONShapes.account($0.account)) })]) {
                Table.lines(
                    all.map { status in
                        let providers = status.account.providerData.map(\.key.providerID).joined(separator: ", ")
                        return [
                            status.isCurrent ? "*" : " ", AccountText.name(status.account), status.account.uid,
                            providers,
                        ]
                    })
            }
        }
    }

    struct Switch: Command {
        static let configuration = CommandConfiguration(abstract: "Make another account the current one.")

        @Argument(
            help: ArgumentHelp("The account.", valueName: "uid|email"),
            completion: .custom { _, _, _ in Completions.accounts() })
        var name: String

        @OptionGroup var options: GlobalOptions

        var task: Undertaking { Undertaking("not switched", again: "authctl accounts list") }

        func run(_ context: Context) async throws {
            let directory = try context.directory(creating: false)
            let status = try await AccountStatus.one(name, in: directory)
            try await directory.makeCurrent(status.account.uid)
            context.output.result(["account": .object(JSONShapes.account(status.account))]) { [] }
            context.output.note("the current account is \(AccountText.name(status.account))")
        }
    }

    struct Show: Command {
        static let configuration = CommandConfiguration(abstract: "Show one account.")

        @Argument(
            help: ArgumentHelp("The account; the current one when left out.", valueName: "uid|email"),
            completion: .custom { _, _, _ in Completions.accounts() })
        var name: String?

        @OptionGroup var options: GlobalOptions

        var task: Undertaking { Undertaking("nothing to show", again: "authctl accounts list") }

        func run(_ context: Context) async throws {
            let status = try await AccountStatus.one(name ?? context.account, in: context.directory(creating: false))
            context.output.result(["account": .object(JSONShapes.account(status.account))]) {
                AccountText.lines(status.account) + AccountText.lines(status, now: context.clock.now()).dropFirst()
            }
        }
    }
}
