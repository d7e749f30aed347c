import AuthCore

enum SetupText {
    static func lines(_ guide: SetupGuide) -> [String] {
        var rows: [[String]] = []
        if let page = guide.page { rows.append(["page", page]) }
        if let console = guide.console { rows.append(["console", console]) }
        if let kind = guide.kind { rows.append([guide.page == nil ? "register" : "choose", kind]) }
        rows += guide.values.map { [$0.label, $0.value] }
        return Table.lines(rows).map { "  " + $0 }
    }

    /// All steps as text, for output without prompts.
    static func whole(_ guide: SetupGuide) -> [String] {
        let id = guide.provider.id
        let commands = guide.commands.map { "  " + $0.text }
        guard !guide.isConfigured else {
            let clientID = guide.provider.clientID
            let client = clientID.isEmpty ? "by the profile's Firebase project" : "as the client '\(clientID)'"
            return ["'\(id)' is already configured, \(client):", ""] + commands
        }
        let register = lines(guide)
        guard !guide.needs.isEmpty else {
            return ["To configure '\(id)', which supports dynamic client registration:", ""] + commands
        }
        let needs = Table.lines(guide.needs.map { [$0.variable, $0.label] }).map { "  " + $0 }
        let instruction = guide.secret.map { "and run (it asks for the \($0.lowercased())):" } ?? "and run:"
        return ["To configure '\(id)', register a client:", ""] + register + ["", "Then set these variables:", ""]
            + needs + ["", instruction, ""] + commands
    }

    private static let listed = View<String>("Listed") {
        Field("providerId", of: \.self)
        Field("page", of: { try? Provider(builtIn: $0, clientID: "").registrationPage })
    }

    static let list = View<Void> {
        Field("providers", each: listed, of: { Dialect.builtIn.map(\.id) }, means: "what can be set up")
    }

    static func listed(_ context: Context) -> [String] {
        ["Choose the provider to configure:", ""] + choices.map { "  \(context.text(of: .setup($0.id)))" }
    }

    static let choices: [(id: String, name: String)] =
        Dialect.builtIn.map { id, _ in
            let name = Dialect.defaultName(of: id)
            return (id, name.map { "\(id) (\($0))" } ?? id)
        } + SetupService.all.map { ($0.name, $0.listedName) } + [
            ("oidc", "another provider, by its OpenID Connect issuer")
        ]
}
