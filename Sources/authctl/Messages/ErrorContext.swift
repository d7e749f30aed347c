import AuthCore

/// What failed in a command, for its error message and hint.
struct ErrorContext {
    /// What the command does, if a hint depends on it.
    enum Purpose {
        case signIn, link, linkPending, reauthenticate, changePassword, setUp, addProvider, removeProvider
        case request, verify, bridge, other
    }

    let failed: String?
    var purpose: Purpose
    var provider: String?
    var resource: String?
    var audiences: [String] = []
    /// How to send the client secret in the other way, after a server rejected it.
    var otherMethod: Hint = ""
    /// The ID of the provider if only environment variables configure it.
    var variablesOf: String?
    /// The issuer at which authctl registered the provider's client.
    var registeredAt: String?
    /// The provider of a CI job that can sign in as its own client.
    var ownClient: String?
    /// The command's words, for its help.
    var command: [String] = []

    init(_ failed: String? = nil, for purpose: Purpose = .other, provider: String? = nil, resource: String? = nil) {
        (self.failed, self.purpose, self.provider, self.resource) = (failed, purpose, provider, resource)
    }

    var help: ShellCommand { ShellCommand(words: ["authctl"] + command + ["--help"]) }

    var signsIn: Bool { [.signIn, .link, .reauthenticate].contains(purpose) }

    /// The sign-in of this kind in a browser or with a prompt.
    var signingIn: ShellCommand {
        switch purpose {
        case .link: ShellCommand("authctl link").with(["--provider": provider])
        case .reauthenticate: ShellCommand("authctl reauth").with(["--provider": provider])
        default: newSession
        }
    }

    var newSession: ShellCommand { resource.map { "authctl signin --resource \($0)" } ?? .signIn(provider) }

    /// The sign-in, if the command needs a session.
    var signInAgain: Hint? { [.request, .bridge, .other].contains(purpose) ? .run(signingIn) : nil }

    private var isNewProvider: Bool { [.setUp, .addProvider].contains(purpose) }

    /// The provider, unless it is only a URL so far.
    private var configurable: String? { provider?.contains("://") == true ? nil : provider }

    var settings: Hint? {
        if isNewProvider { return nil }
        return .run(configurable.map { "authctl providers show \($0)" } ?? "authctl providers list")
    }

    private static let variables = [
        "--issuer": "ISSUER", "--client-id": "CLIENT_ID", "--client-secret-stdin": "CLIENT_SECRET",
    ]

    /// How to change these settings of the provider.
    func setting(_ options: GivenOptions, if condition: Hint = "") -> Hint? {
        if isNewProvider { return "\(condition)\(Hint(prose: ShellCommand("add").with(options).text))" }
        if let variablesOf, let option = options.list.first, let name = Self.variables[option.name] {
            let value = option.value.map { "=\($0)" } ?? ""
            return "\(condition)set \(Provider.variable(name, of: variablesOf) + value)"
        }
        return configurable.map { "\(condition)\(run: ShellCommand("authctl providers set \($0)").with(options))" }
    }

    /// How to add a server whose metadata is missing or cannot be used: with its endpoints.
    var withoutDiscovery: Hint? {
        guard isNewProvider, let configurable else { return nil }
        let id = "oauth.\(configurable.drop { $0 != "." }.dropFirst())"
        let add = ShellCommand("authctl providers add \(id)").with([
            "--authorization-endpoint": "URL", "--token-endpoint": "URL",
        ])
        return "to add it without metadata: \(run: add)"
    }

    /// What to do if the provider rejects the client.
    var secretAgain: Hint? {
        if let registeredAt, let configurable {
            let again = ShellCommand("authctl providers add \(configurable) --register --replace").with([
                "--issuer": registeredAt
            ])
            return "the server may not know the client any more that authctl registered: \(run: again)"
        }
        return setting(["--client-secret-stdin": true], if: "if the client ID is right, enter the secret again: ")
    }

    /// The service of the catalog that is called so, or the only one at this domain.
    func service(_ name: String) -> String? {
        let entries = Catalog.entries
        if let called = entries.first(where: { name == $0.name || name == "\($0.name).com" }) { return called.name }
        guard name.contains(".") else { return nil }
        let there = entries.filter { entry in
            entry.mentions(name) && entry.hosts.contains { $0 == name || $0.hasSuffix(".\(name)") }
        }
        return there.count == 1 ? there[0].name : nil
    }

    static func toResource(_ url: String) -> Hint {
        "for an API or MCP server: \(run: "authctl signin --resource \(url)")"
    }

    /// How to set up a provider, which has an ID, a URL or the name of a service that `setup` knows.
    func settingUp(_ name: String) -> Hint {
        if (try? HTTPURL(name)) != nil {
            let setup: Hint = "to set up a provider: \(run: .setup(name))"
            return signsIn ? "\(setup); \(Self.toResource(name))" : setup
        }
        // Text that is not a provider's ID cannot be set up either.
        guard purpose != .removeProvider, let id = service(name) ?? (try? ProviderID(name))?.description else {
            let url = "https://\(name)"
            if signsIn || purpose == .setUp, name.contains("."), (try? HTTPURL(url)) != nil {
                return .run(signsIn ? "authctl signin \(url)" : .setup(url))
            }
            return isNewProvider
                ? "the name of a provider that is not built in begins with oidc." : .run("authctl providers list")
        }
        return .run(ShellCommand.setup(id).with(["--no-signin": purpose == .link]))
    }
}
