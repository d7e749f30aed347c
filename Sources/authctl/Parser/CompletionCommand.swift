import ArgumentParser

struct CompletionCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "completion", abstract: "Print a shell completion script.",
        discussion: """
            Packages and 'make install' install the scripts. Use this command if only the program is installed.
            """)
    static let examples: Examples = [
        "Enable completion in the current bash.": "source <(authctl completion bash)",
        "Install completion for fish.": "authctl completion fish >~/.config/fish/completions/authctl.fish",
    ]

    @Argument(help: "The shell: bash, zsh or fish.", completion: .list(shells), transform: shell(called:))
    var shell: CompletionShell

    @OptionGroup var options: GlobalOptions

    var errorContext: ErrorContext { .init("nothing to complete") }

    private static let shells = ["bash", "zsh", "fish"]

    @Sendable private static func shell(called name: String) throws -> CompletionShell {
        guard let shell = CompletionShell(rawValue: name) else {
            throw UsageProblem.other("the shells are \(shells.joined(separator: ", "))")
        }
        return shell
    }

    func run(_ context: Context) async throws {}
}
