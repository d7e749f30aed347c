import ArgumentParser
import AuthCore

struct PendingCommand: AsyncParsableCommand, HasExamples {
    static let configuration = CommandConfiguration(
        commandName: "pending", abstract: "List and discard pending credentials.",
        subcommands: [List.self, Discard.self])
    static let examples: Examples = [
        "List pending credentials, with the command that resolves each.": "authctl pending list",
        "Discard all of them.": "authctl pending discard",
    ]

    struct List: AccountIndependent, PrintsJSON {
        static let output = View<[PendingCredential]> { Field("pending", of: \.self) }

        static let configuration = CommandConfiguration(abstract: "List pending credentials (stored for one hour).")
        static let examples: Examples = [
            "List pending credentials, with the command that resolves each.": "authctl pending list",
            "Print JSON.": "authctl pending list --json",
        ]

        @OptionGroup var options: GlobalOptions

        var errorContext: ErrorContext { .init("pending credentials not listed") }

        func run(_ context: Context) async throws { try await Self.run(context) }

        static func run(_ context: Context) async throws {
            var (all, accounts): ([PendingCredential], [AccountStatus]) = ([], [])
            if let sessionStore = try context.profile.sessionStoreForDisplay() {
                all = try await sessionStore.pendingCredentials(now: context.clock.now())
                accounts = try await AccountStatus.signedIn(in: sessionStore, and: all.compactMap(\.accountUID))
            }
            context.output.result(output.json(all)) {
                Table.lines(
                    all.map { pending in
                        [
                            pending.id, pending.providerID, ServerText.shown(pending.email ?? "no email"),
                            "\(RelativeTime.span(pending.expiresAt - context.clock.now())) left",
                            pending.command(accounts).repeating(context.settings.repeatedOptions).text,
                        ]
                    })
            }
            if all.isEmpty { context.output.note("no credential is pending") }
        }
    }

    struct Discard: AccountIndependent, PrintsJSON {
        static let output = View<[String]> { Field("discarded", of: \.self) }

        static let configuration = CommandConfiguration(abstract: "Discard a pending credential, or all of them.")
        static let examples: Examples = [
            "Discard one.": "authctl pending discard p7Rk2w",
            "Discard all.": "authctl pending discard",
        ]

        @Argument(help: "The ID of the pending credential (default: all).", completion: .pending)
        var id: String?

        @OptionGroup var options: GlobalOptions

        var errorContext: ErrorContext { .init("not discarded") }

        func run(_ context: Context) async throws { try await Self.run(id, context) }

        static func run(_ id: String?, _ context: Context) async throws {
            let directory = try context.profile.directory()
            let credentials = PendingCredentials(directory: directory, clock: context.clock)
            let chosen = if let id { [id] } else { try await credentials.all().map(\.id) }
            for id in chosen where try await !directory.sessionStore.discardPending(id) {
                throw AccountRefusal.noSuchPending(id)
            }
            context.output.done(
                output.json(chosen),
                chosen.isEmpty ? "no credential is pending" : "discarded: \(chosen.joined(separator: ", "))")
        }
    }
}
