import ArgumentParser
import AuthCore

struct CredentialListCommand: AccountIndependent, PrintsJSON {
    static let output = View<[InstalledTool]> { Field("installed", of: \.self) }

    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the tools that are configured to use authctl.",
        discussion: """
            Reads the files that 'install' would change, and prints each host, user, profile or server with its \
            file.
            """)
    static let examples: Examples = [
        "List where authctl is installed.": "authctl credential list",
        "Also list the servers in another file of an MCP client.": "authctl credential list --file servers.json",
    ]

    @OptionGroup var options: GlobalOptions
    @OptionGroup var place: ToolFileFlag

    var errorContext: ErrorContext { .init("credential helpers not listed") }

    func run(_ context: Context) async throws {
        let all = try await ToolSetup(context: context, provider: nil).installed(place)
        try context.show(Self.output.json(all)) {
            Table.lines(all.map { $0.cells(home: context.environment.home) }, on: $0)
        }
        for entry in all {
            guard let problem = entry.problem else { continue }
            context.output.note(
                "\(entry.tool) '\(entry.name)' does not work: \(problem.reason); to repair it: \(problem.repair.text)"
            )
        }
        guard all.isEmpty else { return }
        let install: ShellCommand = "authctl credential install git"
        context.output.note(
            "no tool is configured to use authctl; to configure git: \(context.text(of: install))"
        )
    }
}
