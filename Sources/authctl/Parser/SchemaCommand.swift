import ArgumentParser
import AuthCore

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

    /// Replaces an alias by the command's name.
    private static func named(_ words: [String]) -> [String] {
        let aliased: [any Command.Type] = [SignInCommand.self, SignOutCommand.self]
        guard let first = words.first, let command = aliased.first(where: { $0.configuration.aliases.contains(first) })
        else { return words }
        return [command._commandName] + words.dropFirst()
    }

    func run(_ context: Context) async throws {
        let all = context.outputs().keys.sorted()
        guard !command.isEmpty else { return context.output.result(Self.output.json(all)) { all } }
        let name = Self.named(command).joined(separator: " ")
        guard let outputs = context.outputs()[name] else {
            let inner = all.filter { $0.hasPrefix("\(name) ") }
            let near = Spelling.suggestions(for: name, among: all)
            let words = (inner.first ?? near.first ?? "").split(separator: " ").map(String.init)
            let problem = inner.isEmpty ? "does not have a schema" : "has several commands, each with a schema"
            throw UsageProblem.other(
                "'\(shown: name)' \(problem)\(inner.isEmpty ? Spelling.question(near) : "")",
                hint: .run(ShellCommand(words: ["authctl", "schema"] + words)))
        }
        context.output.json(Self.schema(of: name, outputs))
    }

    /// The JSON Schema of the outputs of a command.
    static func schema(of command: String, _ outputs: [any Outlined]) -> JSONValue {
        var types = JSONObject()
        let shapes = outputs.map { output -> JSONObject in
            let title = output.name.contains(" ") ? "\(command) \(output.name)" : command
            var shape: JSONObject = ["title": .string("authctl \(title)")]
            shape.merge(output.schema(&types))
            return shape
        }
        var json: JSONObject = ["$schema": "https://json-schema.org/draft/2020-12/schema"]
        if shapes.count == 1 { json.merge(shapes[0]) } else { json["anyOf"] = .array(shapes.map { .object($0) }) }
        if !types.members.isEmpty { json["$defs"] = .object(types) }
        return .object(json)
    }
}
