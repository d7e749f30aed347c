import ArgumentParser

/// Which part of another tool is meant: what `credential install` changes, `uninstall` finds by the same flags.
struct ToolFlags: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "For this host alone (git, docker); repeatable. Unless given, those of the configured providers, --api-host included; of uninstall, all that were set up.",
            valueName: "host"))
    var host: [String] = []

    @Option(
        help: ArgumentHelp("Where the program is (docker): a directory of PATH.", valueName: "dir"),
        completion: .directory)
    var binDir: String?

    @Option(help: ArgumentHelp("The name of the user (kubectl) or of the profile (aws).", valueName: "name"))
    var name = "authctl"
}
