import AuthCore

/// What failed in a command, for its error message and hint.
struct ErrorContext {
    /// What the command does, if a hint depends on it.
    enum Purpose {
        case signIn, link, reauthenticate, changePassword, deleteAccount, exportAccounts, importAccounts
        case setUp, addProvider, changeProvider, removeProvider
        case request, verify, bridge
        /// The token is given to another program.
        case giveToken
        case other
    }

    let failed: String?
    var purpose: Purpose
    var provider: String?
    var resource: String?
    var audiences: [String] = []
    var again: ShellCommand
    var bindsTokens = false
    var requiresUser = false
    /// Whether a pending credential is linked.
    var linksPending = false
    /// Whether a rule or the environment chooses the account of the next command too.
    var hasChosenAccount = false
    /// How to send the client secret in the other way, after a server rejected it.
    var otherMethod: Hint = ""
    /// The command's words, for its help.
    var command: [String] = []
    /// The names of the services that `setup` configures.
    var services: [String] = []
    /// The words after the program's name; empty if they may contain a secret.
    var typed: [String] = []
    /// The options of the command, with the name of each value.
    var options: [String: String?] = [:]

    /// - Parameter again: the next command; by default, the sign-in.
    init(
        _ failed: String? = nil, for purpose: Purpose = .other, provider: String? = nil, resource: String? = nil,
        again: ShellCommand? = nil
    ) {
        (self.failed, self.purpose, self.provider, self.resource) = (failed, purpose, provider, resource)
        self.again = again ?? resource.map { "authctl signin --resource \($0)" } ?? .signIn(provider)
    }

    var providerNames: [String] { Dialect.builtIn.map(\.id) + (purpose == .setUp ? services : []) }

    /// How to set up the service with this name, if `setup` knows it, or the provider with this URL.
    func settingUp(_ name: String) -> Hint? {
        let isURL = (try? HTTPURL(name)) != nil
        let target = isURL ? name : services.first { name == $0 || name == "\($0).com" }
        return target.map { target in
            let setup: Hint = .run(.setup(target))
            guard isURL, purpose == .signIn else { return "to set it up: \(setup)" }
            return "\(Self.resource(target)); to set up a provider: \(setup)"
        }
    }

    private static func resource(_ url: String) -> Hint {
        "for an API or MCP server: \(run: "authctl signin --resource \(url)")"
    }

    /// How to correct an issuer without metadata. The user of `setup` may have meant a protected resource.
    var checkingIssuer: Hint {
        let url = purpose == .setUp ? typed.first { (try? HTTPURL($0)) != nil } : nil
        return url.map { "\(Hint.issuer); \(Self.resource($0))" } ?? .issuer
    }

    /// Provider names similar to a wrong one, also without `.com`.
    func providers(like name: String) -> [String] {
        let like = Spelling.suggestions(for: name, among: Dialect.builtIn.map(\.id) + services)
        guard like.isEmpty else { return like }
        let short = Dialect.builtIn.compactMap { $0.id.split(separator: ".").first.map(String.init) }
        return Spelling.suggestions(for: name, among: short)
    }

    var help: ShellCommand { ShellCommand(words: ["authctl"] + command + ["--help"]) }

    /// The command line with these options, as `--name`, or arguments, as `<name>`. Nil if one of them is not known.
    func adding(_ names: [String]) -> Hint? {
        let missing = names.filter { name in !typed.contains { $0 == name || $0.hasPrefix("\(name)=") } }
        let words = missing.compactMap { name in
            if name.hasPrefix("<") { return [Self.placeholder(name.dropFirst().dropLast())] }
            return options[name].map { value in [name] + (value.map { [Self.placeholder($0[...])] } ?? []) }
        }
        guard words.count == missing.count else { return nil }
        let added = Array(words.joined())
        return repeated(with: added) ?? Hint(prose: "add \(Shell.words(added))")
    }

    /// The command line with another option. Nil if it may contain a secret.
    func replacing(_ option: String, with other: String) -> Hint? {
        guard !typed.isEmpty else { return nil }
        // Also of the form --option=value.
        return correcting { $0.split(separator: "=").first == option[...] ? other + $0.dropFirst(option.count) : $0 }
    }

    /// The command line with these words at its end. Nil if it may contain a secret.
    func repeated(with words: [String]) -> Hint? {
        typed.isEmpty ? nil : .run(ShellCommand(words: ["authctl"] + typed + words))
    }

    /// The command line with `--reauth`, if the command supports it.
    var reauthenticating: Hint? {
        guard options.keys.contains("--reauth") else { return nil }
        return repeated(with: typed.contains("--reauth") ? [] : ["--reauth"])
    }

    /// `accounts delete` for an account of this machine.
    var withoutHere: ShellCommand {
        let words = typed.filter { $0 != "--here" }
        return ShellCommand(words: ["authctl"] + words + (words.contains("--reauth") ? [] : ["--reauth"]))
    }

    /// A placeholder in capitals for a value that the user must fill in.
    static func placeholder(_ name: Substring) -> String {
        name.split(separator: "|").first.map { $0.uppercased() } ?? "VALUE"
    }

    private func correcting(_ change: (String) -> String) -> Hint {
        .run(ShellCommand(words: ["authctl"] + typed.map(change)))
    }

    /// The command line with another value of an option or argument. Nil if the user did not type the value.
    func correcting(_ value: String, to other: String) -> Hint? {
        // Also of the form --option=value.
        let hint = correcting { $0 == value || $0.hasSuffix("=\(value)") ? $0.dropLast(value.count) + other : $0 }
        return hint == correcting { $0 } ? nil : hint
    }

    /// The sign-in for the corrected resource URL.
    func correctingResource(_ resource: String, to other: String) -> Hint {
        typed.contains(resource) && purpose == .signIn
            ? correcting { $0 == resource ? other : $0 } : .run("authctl signin --resource \(other)")
    }

    /// The command line with the corrected provider.
    func correctingProvider(_ id: String, to other: String?) -> Hint? {
        // A guess must not remove or change a provider, or give its token to a program.
        if [.removeProvider, .changeProvider, .giveToken].contains(purpose) {
            return .run("authctl providers list")
        }
        guard let other, typed.contains(where: { Dialect.id(called: $0) == id }) else { return nil }
        guard purpose == .setUp || !services.contains(other) else { return .run(.setup(other)) }
        return correcting { Dialect.id(called: $0) == id ? other : $0 }
    }

    var signingIn: ShellCommand { resource.map { "authctl signin --resource \($0)" } ?? .signIn(provider) }

    var bound: ShellCommand? {
        guard !bindsTokens else { return nil }
        return "\(signsIn ? again : .signIn(provider)) --dpop"
    }

    var signsIn: Bool { [.signIn, .link, .reauthenticate].contains(purpose) }

    /// A placeholder for a provider.
    static let anyProvider = "oidc.NAME"

    var providerName: String { provider ?? Self.anyProvider }

    var certificate: ShellCommand { "authctl providers set \(providerName) --certificate FILE --private-key FILE" }

    var settings: ShellCommand {
        // The configuration does not exist yet.
        if purpose == .addProvider, provider != nil { return .setup(provider) }
        if purpose == .setUp { return help }
        return provider.map { "authctl providers show \($0)" } ?? "authctl providers list"
    }

    func registering(_ provider: String) -> Hint {
        if purpose == .removeProvider { return .run("authctl providers list") }
        // Text that is not a provider's ID cannot be set up either.
        guard (try? ProviderID(provider)) != nil else {
            return "to list providers: \(run: "authctl providers list"); to add one: \(run: "authctl setup")"
        }
        guard purpose == .link else { return "to set it up: \(run: "authctl setup \(provider)")" }
        return "to set it up: \(run: "authctl setup \(provider) --no-signin"), then: \(run: again)"
    }

    var unattended: Hint {
        let canBePassword = [.signIn, .link].contains(purpose)
        let isPassword = canBePassword ? provider == PasswordProvider.id : purpose == .changePassword
        if isPassword, !typed.contains("--password-stdin") {
            return .run("\(again) --password-stdin")
        }
        guard purpose == .signIn else {
            let onTerminal: Hint = "on a terminal: \(run: again)"
            let reauthenticates = purpose == .reauthenticate || typed.contains("--reauth")
            guard reauthenticates, provider == nil || provider == PasswordProvider.id else { return onTerminal }
            let then: Hint = purpose == .reauthenticate ? "" : ", then run it again"
            return "with a password: \(run: "authctl reauth --password-stdin")\(then); \(onTerminal)"
        }
        guard let provider else {
            return "in a CI job: \(run: "authctl signin --ci auto"); on a terminal: \(run: again)"
        }
        return """
            in a CI job: \(run: "authctl signin --ci auto"); with an existing token: set AUTHCTL_\(Provider.environmentName(provider))_TOKEN; \
            \(asProgram)on a terminal: \(run: again)
            """
    }

    private var asProgram: Hint {
        requiresUser ? "" : "as a client without a user: \(run: "\(again) --flow client-credentials"); "
    }

    /// How to use the issuer that a provider's metadata names instead of the configured one.
    func namingIssuer(_ issuer: String) -> Hint {
        if [.addProvider, .changeProvider, .setUp].contains(purpose) {
            return "if that issuer is correct: add --issuer \(issuer)"
        }
        guard let provider else { return "the server's administrator must correct the issuer in its metadata" }
        return "if that issuer is correct: \(run: "authctl providers set \(provider) --issuer \(issuer)")"
    }

    /// How to use the issuer whose discovery document has this URL.
    func naming(_ document: String) -> Hint {
        let issuer = document.withoutDiscoveryPath
        return issuer == document ? .issuer : namingIssuer(issuer)
    }

    func readingOAuthDocument(of issuer: String) -> Hint {
        if [.addProvider, .changeProvider].contains(purpose) {
            return repeated(with: ["--discovery", "oauth"]) ?? "add --discovery oauth"
        }
        return purpose == .setUp
            ? .run("authctl providers add \(Self.anyProvider) --issuer \(issuer) --client-id ID --discovery oauth")
            : .run("authctl providers set \(providerName) --discovery oauth")
    }

    var allowingHTTP: Hint {
        if [.addProvider, .changeProvider].contains(purpose) {
            return "use https; for a trusted network only: add --allow-http"
        }
        guard let provider, resource == nil, (try? ProviderID(provider)) != nil else { return "use https" }
        return "use https; for a trusted network only: \(run: "authctl providers set \(provider) --allow-http")"
    }

    var check: ShellCommand { provider.map { "authctl providers check \($0)" } ?? "authctl providers check" }
}
