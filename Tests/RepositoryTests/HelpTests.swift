import Testing

@Suite struct `Help and completions` {
    @Test(arguments: ["authctl", "authctl-emulator"], [("bash", "%.bash"), ("zsh", "_%"), ("fish", "%.fish")])
    func `The completion files match the argument parser`(program: String, shell: (name: String, file: String)) throws {
        let written = try Repository.text("completions/" + shell.file.replacing("%", with: program))
        #expect(
            try Program.output([program, "--generate-completion-script", shell.name]) == written, "run make completions"
        )
    }

    @Test(arguments: ["authctl", "authctl-emulator"])
    func `Each help text starts with a capital and ends with a period or a bracket`(program: String)
        throws
    {
        for text in try CommandDump.of(program).abstracts {
            #expect(text.first?.isUppercase == true, "\(text)")
            #expect(
                text.hasSuffix(".") || text.hasSuffix("].") || text.hasSuffix("]") || text.hasSuffix(")."), "\(text)")
        }
    }

    @Test(arguments: ["authctl", "authctl-emulator"])
    func `A command does not have two options with the same name`(program: String) throws {
        for command in try CommandDump.of(program).command.all {
            let names = (command.arguments ?? []).flatMap { $0.names ?? [] }.map { $0.kind + $0.name }
            #expect(names.count == Set(names).count, "\(command.commandName): \(names)")
        }
    }
}
