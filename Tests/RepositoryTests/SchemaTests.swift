import Testing

/// The stories compare the output with the schemas (schemas.py).
@Suite struct `The schemas of the JSON output` {
    @Test func `Each command that accepts --json has a schema, unless it prints what other programs define`() throws {
        let schemas = Set(try Program.output(["authctl", "schema"]).split(separator: "\n").map(String.init))
        var commands: Set = ["error"]
        for command in try CommandDump.of("authctl").verbs {
            let inner = command.subcommands ?? []
            for leaf in inner.isEmpty ? [command] : inner where leaf.flags.contains("json") {
                commands.insert(command.commandName + (inner.isEmpty ? "" : " \(leaf.commandName)"))
            }
        }
        let others = [
            "completion", "exec", "request", "credential git", "credential docker", "credential kubectl",
            "credential aws", "credential gcp", "credential mcp", "credential netrc",
        ]
        #expect(schemas == commands.subtracting(others) && commands.isSuperset(of: others))
    }
}
