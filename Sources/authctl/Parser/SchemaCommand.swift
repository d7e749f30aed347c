import ArgumentParser

struct SchemaCommand: ProfileIndependent, PrintsJSON {
    static let output = View<[String]> { Field("commands", of: \.self) }

    static let configuration = CommandConfiguration(
        commandName: "schema", abstract: "Print the JSON Schema of a command's output.",
        discussion: """
            Without a command, lists those that have a schema. 'error' is the object that a failed command prints.
            """)
    static let examples: Examples = [
        "List what has a schema.": "authctl schema",
        "Print the schema of 'accounts list --json'.": "authctl schema accounts list",
    ]

    @Argument(help: "The command, for example status or accounts list.", completion: .shellCommand("authctl schema"))
    var command: [String] = []

    @OptionGroup var options: GlobalOptions

    var errorContext: ErrorContext { .init("schema not printed") }

    func run(_ context: Context) async throws {
        let all = context.outputs().keys.sorted()
        guard !command.isEmpty else { return context.output.result(Self.output.json(all)) { all } }
        // With the name of the command instead of its alias.
        let path = CommandPlace(of: command).path
        let name = (path.count == command.count ? path : command).joined(separator: " ")
        guard let outputs = context.outputs()[name] else {
            let inner = all.filter { $0.hasPrefix("\(name) ") }
            let near = Spelling.suggestions(for: name, among: all)
            let problem = inner.isEmpty ? "does not have a schema" : "has several commands, each with a schema"
            throw UsageProblem.other(
                "'\(shown: name)' \(problem)\(inner.isEmpty ? Spelling.question(near) : "")",
                hint: .run(
                    (inner.first ?? near.first).map {
                        ShellCommand(words: ["authctl", "schema"] + $0.split(separator: " ").map(String.init))
                    }
                        ?? "authctl schema"))
        }
        context.output.json(OutputSchema.json(of: name, outputs))
    }
}
