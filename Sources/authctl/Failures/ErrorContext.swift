import AuthCore

/// The operation of a command, for its error line.
struct ErrorContext {
    let failed: String?
    var provider: String?
    var resource: String?
    var audiences: [String] = []
    var again: ShellCommand
    var bindsTokens = false
    var requiresUser = false
    var command: [String] = []
    /// The services that the command takes by name.
    var services: [String] = []
    /// The options of the command, with the name of each value.
    var options: [String: String?] = [:]

    init(_ failed: String? = nil, provider: String? = nil, again: ShellCommand) {
        self.failed = failed
        self.provider = provider
        self.again = again
    }

    var providerNames: [String] { Dialect.builtIn.map(\.id) + services }

    var help: ShellCommand { ShellCommand(words: ["authctl"] + command + ["--help"]) }

    /// Names the option that a message reports as missing, otherwise the command's help.
    func usageHint(_ message: String) -> Hint {
        guard
            let match = message.firstMatch(of: /requires? (--[a-z-]+)$/)
                ?? message.firstMatch(of: /(?:^|: )(--[a-z-]+) is required$/),
            let value = options[String(match.1)]
        else { return .run(help) }
        return Hint(fixed: "add \(match.1)" + (value.map { " <\($0)>" } ?? ""))
    }

    var signingIn: ShellCommand { resource.map { "authctl signin --resource \($0)" } ?? .signIn(provider) }

    var bound: ShellCommand? {
        guard !bindsTokens else { return nil }
        let isSignIn = ["signin", "link", "reauth"].contains(command.first)
        return "\(isSignIn ? again : .signIn(provider)) --dpop"
    }

    var settings: ShellCommand {
        // There is nothing to show yet.
        if isAdding, provider != nil { return adding }
        return provider.map { "authctl providers show \($0)" } ?? "authctl providers list"
    }

    var isAdding: Bool { command == ["providers", "add"] }

    var adding: ShellCommand {
        provider.map { "authctl providers add \($0) --help" } ?? "authctl providers add --help"
    }

    func registering(_ provider: String) -> Hint {
        // Text that is not a provider's ID cannot be set up either.
        guard (try? ProviderID(provider)) != nil else {
            return "to list providers: \(run: "authctl providers list"); to add one: \(run: "authctl setup")"
        }
        guard command == ["link"] else { return "to set it up: \(run: "authctl setup \(provider)")" }
        return "to set it up: \(run: "authctl setup \(provider) --no-signin"), then: \(run: again)"
    }

    var unattended: Hint {
        guard command == ["signin"] else { return .run(again) }
        if provider == PasswordProvider.id { return .run("\(again) --password-stdin") }
        guard let provider else {
            return "in a CI job: \(run: "authctl signin --ci auto"); on a terminal: \(run: again)"
        }
        return """
            in a CI job: \(run: "authctl signin --ci auto"); with an existing token: set AUTHCTL_\(Provider.environmentName(provider))_TOKEN; \
            \(asProgram)at a terminal: \(run: again)
            """
    }

    private var asProgram: Hint {
        requiresUser ? "" : "as a client without a user: \(run: "\(again) --flow client-credentials"); "
    }

    /// How to use the issuer that a provider's metadata names instead of the configured one.
    func namingIssuer(_ issuer: String) -> Hint {
        if ["add", "set"].contains(command.last) || command == ["setup"] {
            return "if that issuer is correct: add --issuer \(issuer)"
        }
        guard let provider else { return "the server's administrator must correct the issuer in its metadata" }
        return "if that issuer is correct: \(run: "authctl providers set \(provider) --issuer \(issuer)")"
    }

    var check: ShellCommand {
        provider.map { "authctl providers check \($0)" } ?? "authctl providers check"
    }
}
