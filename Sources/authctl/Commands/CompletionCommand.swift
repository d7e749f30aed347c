import ArgumentParser

struct CompletionCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "completion", abstract: "Print what a shell reads to complete authctl.",
        discussion: """
            Packages and 'make install' put it where the shells look; this is for who has the program alone.
            """)
    static let examples = [
        Example("For bash, in this shell.", "source <(authctl completion bash)"),
        Example("For fish, from now on.", "authctl completion fish >~/.config/fish/completions/authctl.fish"),
    ]

    @Argument(
        help: ArgumentHelp("The shell: bash, zsh or fish.", valueName: "shell"), completion: .list(shells),
        transform: shell(called:))
    var shell: CompletionShell

    @OptionGroup var options: GlobalOptions

    var task: ErrorContext { ErrorContext("nothing to complete", again: "authctl completion --help") }

    private static let shells = ["bash", "zsh", "fish"]

    @Sendable private static func shell(called name: String) throws -> CompletionShell {
        guard let shell = CompletionShell(rawValue: name) else {
            throw ValidationError("the shells are \(shells.joined(separator: ", "))")
        }
        return shell
    }

    /// Made by `main`, which knows every command.
    func run(_ context: Context) async throws {}
}
