import ArgumentParser
import AuthCore

struct CredentialMCPCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "mcp", abstract: "Act as the headers helper of an MCP client, or connect it to a server.",
        discussion: """
            Prints the headers for a server as a JSON object, with a valid token. With --stdio, forwards the \
            messages of an MCP client on standard input and output, each with a valid token or DPoP proof. Never \
            opens a browser: sign in first with: authctl signin --resource URL.
            """)
    static let examples: Examples = [
        "Print the headers that an MCP client would get.": "authctl credential mcp https://mcp.example.com/mcp",
        "Connect an MCP client that starts a command to a server.":
            "authctl credential mcp --stdio https://mcp.example.com/mcp",
    ]

    @Argument(help: "The URL of the server.")
    var url: HTTPURL

    @OptionGroup var options: GlobalOptions

    @Flag(help: "Forward messages between standard input and output and the server.")
    var stdio = false

    var errorContext: ErrorContext { .init(stdio ? "not forwarded" : "no headers", for: .bridge, resource: url.text) }

    func run(_ context: Context) async throws {
        if stdio {
            // Standard input carries the client's messages, so the user cannot be prompted.
            return try await MCPBridge(context.reopened(), to: url, errorContext: errorContext).run()
        }
        // The client sends the headers there. The URL can be in a file that others wrote, like the command.
        if let server = context.environment["CLAUDE_CODE_MCP_SERVER_URL"],
            (try? HTTPURL(server)).map({ url.covers($0) || url.normalized == $0.normalized }) != true
        {
            throw CommandError(
                .operationNotAllowed, "the client would send the token of '\(url.text)' to '\(shown: server)'",
                hint: "correct the URLs of this server in the client's file, for example .mcp.json")
        }
        var request = CurrentToken.Request()
        request.account = try context.account
        request.resource = url
        request.isForHost = true
        let result = try await context.token(request)
        _ = try result.bearer()
        context.show(result.notes)
        let headers: JSONObject = ["Authorization": .string("Bearer \(result.token.revealed())")]
        context.output.exactly(JSONValue.object(headers).text)
    }
}
