import AuthCore

enum SetupText {
    private static func rows(_ guide: SetupGuide) -> [[String]] {
        var rows: [[String]] = []
        if let page = guide.page { rows.append(["page", page]) }
        if let console = guide.console { rows.append(["console", console]) }
        if let kind = guide.kind { rows.append([guide.page == nil ? "register" : "choose", kind]) }
        rows += guide.values.map { [$0.label, $0.value] }
        let note = "the service may require another host or port for it: this was not confirmed"
        return rows + (guide.unconfirmed.contains("redirect") ? [["", note]] : [])
    }

    /// The steps on a terminal, before the questions.
    static func lines(_ guide: SetupGuide, on screen: Screen) -> [[Cell]] {
        var lines = Paragraph.lines(guide.instruction, on: screen) + [[]]
        if let page = guide.page { lines += [[Cell(page, as: .important, link: page)], []] }
        // A row about the page, which is above the table, or about a field whose value does not matter.
        let omitted = ["page", Dialect.Registration.Field.either("").row(redirectURI: nil).value]
        let rows = rows(guide).filter { row in !omitted.contains(where: row.contains) }
        let shown = zip(rows, Table.lines(rows)).flatMap { row, line in
            TextWidth.of(line) + 2 > screen.columns ?? .max ? ["  " + row[0], "    " + row[1]] : ["  " + line]
        }
        return lines + shown.map { [Cell($0)] } + [[]]
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
        let register = Table.lines(rows(guide)).map { "  " + $0 }
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
        }
        + services.compactMap(Catalog.named).map {
            ($0.name, $0.title.lowercased() == $0.name ? $0.name : "\($0.name) (\($0.title))")
        } + [("oidc", "another provider, by its OpenID Connect issuer; or type a part of the name of a service")]

    /// The services of the catalog that are listed, because they sign in whole organizations.
    static let services = ["okta", "auth0", "keycloak", "cognito", "gitlab", "entra"]
}
