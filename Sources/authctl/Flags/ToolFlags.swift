import ArgumentParser

/// The part of another tool's configuration. `credential uninstall` finds the changes of `install` by the same flags.
struct ToolFlags: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "For git and docker: the host; repeatable (default: all hosts of the configured providers; for uninstall, all configured hosts).",
            valueName: "host"))
    var host: [String] = []

    @Option(
        help: ArgumentHelp("For docker: the directory of the helper program, in PATH.", valueName: "dir"),
        completion: .directory)
    var binDir: String?

    @Option(
        help: ArgumentHelp(
            "The name of the kubectl user, AWS profile or MCP server.", valueName: "name"))
    var name = "authctl"

    @Option(help: ArgumentHelp("For mcp: the URL of the server.", valueName: "url"))
    var resource: ResourceURL?

    @OptionGroup var mcp: MCPFileFlag
}

struct MCPFileFlag: ParsableArguments {
    @Option(
        help: ArgumentHelp("For mcp: the client's configuration file (default: .mcp.json).", valueName: "file"),
        completion: .file())
    var file: String?
}
