import ArgumentParser
import AuthCore

/// Options that select a part of another tool's configuration. With the same options, `credential uninstall` finds the
/// changes of `install`.
struct ToolFlags: ParsableArguments {
    @Option(
        help:
            "For git and docker: the host; repeatable (default: all hosts of the configured providers; with --remove, all configured hosts)."
    )
    var host: [String] = []

    @Option(help: .init("For docker: the directory of the program, in PATH.", valueName: "dir"), completion: .directory)
    var binDir: String?

    @Option(help: "The name of the kubectl user, AWS profile or MCP server.")
    var name = ToolName()

    @Option(help: .init("For mcp: the URL of the server.", valueName: "url"))
    var resource: HTTPURL?

    @OptionGroup var target: ToolFileFlag

    var given: GivenOptions {
        [
            "--host": host, "--bin-dir": binDir, "--name": name.given, "--resource": resource?.text,
            "--file": target.file,
        ]
    }
}

/// The value of `--name`. Even if it is equal to the default, it names an MCP server only if the user entered it.
struct ToolName: ExpressibleByArgument {
    let text: String
    let given: String?
    var defaultValueDescription: String { text }

    init() { (text, given) = ("authctl", nil) }
    init?(argument: String) { (text, given) = (argument, argument) }
}

struct ToolFileFlag: ParsableArguments {
    @Option(
        help: "For mcp and gcp: the configuration file (default: .mcp.json; for gcp, that of gcloud).",
        completion: .file())
    var file: String?
}
