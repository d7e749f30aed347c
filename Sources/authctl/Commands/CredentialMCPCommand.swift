import ArgumentParser
import AuthCore

extension CredentialCommand {
    struct MCP: Command {
        static let configuration = CommandConfiguration(
            commandName: "mcp", abstract: "Act as the headers helper of an MCP client.",
            discussion: """
                Prints the headers for a server as a JSON object, with a valid token. Sign in first with: authctl \
                signin --resource URL.
                """)
        static let examples = [
            Example(
                "Print the headers that an MCP client would get.", "authctl credential mcp https://mcp.example.com/mcp"),
            Example(
                "Configure an MCP client to use authctl.",
                "authctl credential install mcp --resource https://mcp.example.com/mcp"),
        ]

        @Argument(help: ArgumentHelp("The URL of the server.", valueName: "url"))
        var url: ResourceURL

        @OptionGroup var options: GlobalOptions

        var task: ErrorContext {
            var task = ErrorContext("no headers", again: "authctl signin --resource \(url.text)")
            task.resource = url.text
            return task
        }

        func run(_ context: Context) async throws {
            var request = CurrentToken.Request()
            request.account = try context.account
            request.resource = url.url
            request.isForHost = true
            let result = try await context.token(request)
            _ = try result.bearer()
            context.show(result.notes)
            let headers: JSONObject = ["Authorization": .string("Bearer \(result.token.revealed())")]
            context.output.exactly(JSONValue.object(headers).text)
        }
    }
}
