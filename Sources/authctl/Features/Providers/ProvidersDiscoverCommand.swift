import ArgumentParser
import AuthCore

struct ProvidersDiscoverCommand: SupportsFields, AccountIndependent, PrintsJSON {
    static let output = ResourceText.output
    static let configuration = CommandConfiguration(
        commandName: "discover", abstract: "Find the authorization server of a resource URL, without signing in.",
        discussion: """
            Requests the URL without a token, then the metadata of the resource and of its authorization server.
            """)
    static let examples: Examples = [
        "Show which server issues tokens for an API.": "authctl providers discover https://api.example.com/",
        "Print only the issuer, for a script.": "authctl providers discover https://mcp.example.com/mcp --field issuer",
    ]
    var whole: Hint? { .run("authctl providers discover \(url.text) --json") }

    @Argument(help: "The URL.")
    var url: HTTPURL

    @OptionGroup var options: GlobalOptions
    @OptionGroup var part: FieldFlag

    var errorContext: ErrorContext { .init("discovery failed", again: "authctl providers discover \(url.text)") }

    func run(_ context: Context) async throws {
        let chain = try await DiscoverResource(context.profile).run(url)
        try context.show(Self.output.json(chain)) {
            Table.lines(ResourceText.rows(chain).map { [Cell($0[0]), Cell($0[1])] }, on: $0)
        }
        for note in ResourceText.notes(chain) { context.output.note(note) }
    }
}
