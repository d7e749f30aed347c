import ArgumentParser
import AuthCore

struct ProvidersDiscoverCommand: SupportsFields, AccountIndependent, PrintsJSON {
    static let output = View<DiscoverResource.Chain> {
        Field("resource", of: { ($0.found.resource?.resource ?? $0.found.requestedURL).text })
        Field("metadata", of: \.found.metadataURL?.text, means: "its URL; null: not found")
        Field("authorizationServers", of: { $0.found.resource?.authorizationServers.map(\.text) ?? [] })
        Field("issuer", of: \.server?.issuer.text, means: "null: none, or several")
        Field("scopes", of: { $0.found.scopes ?? [] })
        Field("dpop", of: \.binding.rawValue, means: "required, supported, no")
        Field(
            "client", of: { ($0.server?.client ?? .none).text },
            means: "configured, metadata-document, registration, none")
        Field("providerId", of: \.server?.client.providerID, means: "if client is configured")
    }
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

    var errorContext: ErrorContext { .init("discovery failed") }

    func run(_ context: Context) async throws {
        let chain = try await DiscoverResource(context.profile).run(url)
        try context.show(Self.output.json(chain)) {
            Table.lines(Self.rows(chain).map { [Cell($0[0]), Cell($0[1])] }, on: $0)
        }
        for note in Self.notes(chain) { context.output.note(note) }
    }

    private static func rows(_ chain: DiscoverResource.Chain) -> [[String]] {
        let (found, server) = (chain.found, chain.server)
        var rows = [["resource", (found.resource?.resource ?? found.requestedURL).text]]
        rows.append(["metadata", found.metadataURL?.text ?? "none"])
        if let resource = found.resource {
            rows.append(["authorization servers", resource.authorizationServers.map(\.text).joined(separator: " ")])
        }
        guard let server else { return rows }
        rows += [
            ["issuer", server.issuer.text], ["scopes", (found.scopes ?? []).joined(separator: " ")],
            ["DPoP-bound tokens", chain.binding.rawValue], ["client", server.client.description],
        ]
        return rows.filter { !$0[1].isEmpty }
    }

    private static func notes(_ chain: DiscoverResource.Chain) -> [String] {
        guard let resource = chain.found.resource else {
            return ["no protected resource metadata found for '\(chain.found.requestedURL.text)'"]
        }
        var notes: [String] = []
        if let wider = chain.found.wider {
            notes.append("its metadata is for '\(wider.text)', which includes '\(chain.found.requestedURL.text)'")
        }
        if chain.server == nil {
            notes.append(
                "\(resource.authorizationServers.count) servers issue tokens for it, and none of them is configured")
        }
        return notes
    }
}

extension DiscoverResource.Client {
    fileprivate var providerID: String? { if case .configured(let id) = self { id } else { nil } }

    fileprivate var description: String {
        switch self {
        case .configured(let id): "configured, '\(id)'"
        case .metadataDocument: "the URL of a metadata document (--client-metadata)"
        case .registration: "registers itself"
        case .none: "none: register a client with the provider"
        }
    }
}
