import ArgumentParser

/// Which part of another tool is meant: what `credential install` changes, `uninstall` finds by the same flags.
struct ToolFlags: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The host to configure (git, docker); repeatable (default: the hosts of all configured providers; for uninstall, every configured host).",
            valueName: "host"))
    var host: [String] = []

    @Option(
        help: ArgumentHelp("Where the program is (docker): a directory of PATH.", valueName: "dir"),
        completion: .directory)
    var binDir: String?

    @Option(
        help: ArgumentHelp(
            "The name of the user (kubectl), of the profile (aws) or of the server (mcp).", valueName: "name"))
    var name = "authctl"

    @Option(help: ArgumentHelp("The URL of the server (mcp).", valueName: "url"))
    var resource: ResourceURL?

    @Option(
        help: ArgumentHelp("The client's file of servers (mcp); .mcp.json here unless given.", valueName: "file"),
        completion: .file())
    var file: String?
}
