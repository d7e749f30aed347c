import Testing

/// The parser's help and completions.
@Suite struct `Help and completions` {
    @Test(arguments: ["authctl", "authctl-emulator"], [("bash", "%.bash"), ("zsh", "_%"), ("fish", "%.fish")])
    func `the completions match the parser`(program: String, shell: (name: String, file: String)) throws {
        let written = try Repository.text("completions/" + shell.file.replacing("%", with: program))
        #expect(
            try Program.output([program, "--generate-completion-script", shell.name]) == written, "run make completions"
        )
    }

    @Test(arguments: ["authctl", "authctl-emulator"])
    func `each option and command has a help text that starts with a capital and ends with a full stop`(program: String)
        throws
    {
        for text in try CommandDump.of(program).abstracts {
            #expect(text.first?.isUppercase == true, "\(text)")
            #expect(
                text.hasSuffix(".") || text.hasSuffix("].") || text.hasSuffix("]") || text.hasSuffix(")."), "\(text)")
        }
    }

    @Test(arguments: ["authctl", "authctl-emulator"])
    func `a command does not have two options with one name`(program: String) throws {
        for command in try CommandDump.of(program).command.all {
            let names = (command.arguments ?? []).flatMap { $0.names ?? [] }.map { $0.kind + $0.name }
            #expect(names.count == Set(names).count, "\(command.commandName): \(names)")
        }
    }
}
