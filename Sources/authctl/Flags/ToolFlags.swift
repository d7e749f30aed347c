import ArgumentParser

/// The part of another tool's configuration. `credential uninstall` finds the changes of `install` by the same flags.
struct ToolFlags: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The host to configure (git, docker); repeatable (default: the hosts of all configured providers; for uninstall, every configured host).",
            valueName: "host"))
    var host: [String] = []

    @Option(
        help: ArgumentHelp("The directory for the helper program (docker), in PATH.", valueName: "dir"),
        completion: .directory)
    var binDir: String?

    @Option(
        help: ArgumentHelp(
            "The name of the kubectl user, AWS profile or MCP server.", valueName: "name"))
    var name = "authctl"

    @Option(help: ArgumentHelp("The URL of the server (mcp).", valueName: "url"))
    var resource: ResourceURL?

    @Option(
        help: ArgumentHelp("The MCP client's configuration file (default: .mcp.json).", valueName: "file"),
        completion: .file())
    var file: String?
}
