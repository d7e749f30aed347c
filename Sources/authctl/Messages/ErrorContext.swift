import AuthCore

/// What failed in a command, for its error message and hint.
struct ErrorContext {
    let failed: String?
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
    var command: [String] = []
    /// The names of the services that `setup` configures.
    var services: [String] = []
    /// The words after the program's name; empty if they may contain a secret.
    var typed: [String] = []
    /// The options of the command, with the name of each value.
    var options: [String: String?] = [:]

    init(_ failed: String? = nil, provider: String? = nil, again: ShellCommand) {
        self.failed = failed
        self.provider = provider
        self.again = again
    }

    var providerNames: [String] { Dialect.builtIn.map(\.id) + (command == ["setup"] ? services : []) }

    /// How to set up the service with this name, if `setup` knows it, or the provider with this URL.
    func settingUp(_ name: String) -> Hint? {
        let isURL = (try? HTTPURL(name)) != nil
        let target = isURL ? name : services.first { name == $0 || name == "\($0).com" }
        return target.map { target in
            let setup: Hint = .run(.setup(target))
            guard isURL, command == ["signin"] else { return "to set it up: \(setup)" }
            return "\(Self.resource(target)); to set up a provider: \(setup)"
        }
    }

    private static func resource(_ url: String) -> Hint {
        "for an API or MCP server: \(run: "authctl signin --resource \(url)")"
    }

    /// How to correct an issuer without metadata. The user of `setup` may have meant a protected resource.
    var checkingIssuer: Hint {
        let url = command == ["setup"] ? typed.first { (try? HTTPURL($0)) != nil } : nil
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

    /// The command line with the values that the message reports as missing, otherwise the command's help.
    func usageHint(_ message: String) -> Hint {
        // An option after `exec -- COMMAND` would belong to that command.
        let isRepeated = !typed.isEmpty && command != ["exec"]
        if isRepeated {
            let value = message.firstMatch(of: /^Missing value for '(--?[a-z-]+) <([^>]+)>'/)
            if let value, typed.last == String(value.1) { return repeating(with: [Self.placeholder(value.2)]) }
            if isAdding, message.hasPrefix("Missing expected argument ") {
                return "to be asked for each value: \(run: .setup(nil))"
            }
            if let argument = message.firstMatch(of: /^Missing expected argument '<([^>]+)>/) {
                return repeating(with: [Self.placeholder(argument.1)])
            }
            if let other = message.firstMatch(of: /^(--[a-z-]+) cannot be used with .*, use (--[a-z-]+)$/),
                typed.contains(where: { $0.hasPrefix(String(other.1)) })
            {
                // Also of the form --option=value.
                let corrected = typed.map { $0.hasPrefix(other.1) ? String(other.2 + $0.dropFirst(other.1.count)) : $0 }
                return .run(ShellCommand(words: ["authctl"] + corrected))
            }
            if let names = message.firstMatch(of: /^(--[a-z-]+) and (--[a-z-]+) are required/)
                ?? message.firstMatch(of: /requires (--[a-z-]+) and (--[a-z-]+)$/)
            {
                return repeating(with: [names.1, names.2].filter { !typed.contains(String($0)) }.flatMap(option))
            }
            if let wrong = message.firstMatch(
                of: /^The value '(.+)' is invalid for .* Please provide one of (?:the following: )?(.+?)\.?$/)
            {
                // Without quotation marks if there are many.
                let values = wrong.2.matches(of: /[A-Za-z0-9_-]+/).map { String($0.0) }.filter { $0 != "or" }
                if let near = Spelling.suggestions(for: String(wrong.1), among: values).first {
                    // Also of the form --option=value.
                    let corrected = typed.map { word in
                        word == wrong.1 || word.hasSuffix("=\(wrong.1)") ? word.dropLast(wrong.1.count) + near : word
                    }
                    if corrected != typed { return .run(ShellCommand(words: ["authctl"] + corrected)) }
                }
            }
            if isAdding, message.contains(" or --register is required"),
                let id = typed.first(where: { (try? ProviderID(Dialect.id(called: $0))) != nil })
            {
                return "to be asked for each value: \(run: .setup(id))"
            }
        }
        guard
            let match = message.firstMatch(of: /requires? (--[a-z-]+)$/)
                ?? message.firstMatch(of: /(?:^|: )(--[a-z-]+) is required(?:, for example .*)?$/),
            let value = options[String(match.1)]
        else { return .run(help) }
        guard isRepeated else { return Hint(prose: "add \(match.1)" + (value.map { " <\($0)>" } ?? "")) }
        return repeating(with: option(match.1))
    }

    /// The command line with these words at its end.
    private func repeating(with words: [String]) -> Hint { .run(ShellCommand(words: ["authctl"] + typed + words)) }

    /// The command line with these words at its end. Nil if it may contain a secret, or for `exec`, whose command would
    /// receive the words.
    func repeated(with words: [String]) -> Hint? { typed.isEmpty || command == ["exec"] ? nil : repeating(with: words) }

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

    private func option(_ name: Substring) -> [String] {
        [String(name)] + ((options[String(name)] ?? nil).map { [Self.placeholder($0[...])] } ?? [])
    }

    /// A placeholder in capitals for a value that the user must fill in.
    private static func placeholder(_ name: Substring) -> String {
        name.split(separator: "|").first.map { $0.uppercased() } ?? "VALUE"
    }

    private func correcting(_ isWrong: (String) -> Bool, to other: String) -> Hint {
        .run(ShellCommand(words: ["authctl"] + typed.map { isWrong($0) ? other : $0 }))
    }

    /// The sign-in for the corrected resource URL.
    func correctingResource(_ resource: String, to other: String) -> Hint {
        typed.contains(resource) && command == ["signin"]
            ? correcting({ $0 == resource }, to: other) : .run("authctl signin --resource \(other)")
    }

    /// The command line with the corrected provider.
    func correcting(_ id: String, to other: String?) -> Hint? {
        // A guess must not remove or change a provider, or give its token to a program.
        if removes || [["providers", "set"], ["exec"], ["serve"]].contains(command) {
            return .run("authctl providers list")
        }
        guard let other, typed.contains(where: { Dialect.id(called: $0) == id }) else { return nil }
        guard command == ["setup"] || !services.contains(other) else { return .run(.setup(other)) }
        return correcting({ Dialect.id(called: $0) == id }, to: other)
    }

    var signingIn: ShellCommand { resource.map { "authctl signin --resource \($0)" } ?? .signIn(provider) }

    var bound: ShellCommand? {
        guard !bindsTokens else { return nil }
        let isSignIn = ["signin", "link", "reauth"].contains(command.first)
        return "\(isSignIn ? again : .signIn(provider)) --dpop"
    }

    /// A placeholder for a provider.
    static let anyProvider = "oidc.NAME"

    var providerName: String { provider ?? Self.anyProvider }

    var certificate: ShellCommand { "authctl providers set \(providerName) --certificate FILE --private-key FILE" }

    var settings: ShellCommand {
        // The configuration does not exist yet.
        if isAdding, provider != nil { return adding }
        if command == ["setup"] { return help }
        return provider.map { "authctl providers show \($0)" } ?? "authctl providers list"
    }

    var isAdding: Bool { command == ["providers", "add"] }

    var adding: ShellCommand { .setup(provider) }

    /// Whether the command removes a configuration, which cannot be restored.
    private var removes: Bool { command == ["providers", "remove"] }

    func registering(_ provider: String) -> Hint {
        if removes { return .run("authctl providers list") }
        // Text that is not a provider's ID cannot be set up either.
        guard (try? ProviderID(provider)) != nil else {
            return "to list providers: \(run: "authctl providers list"); to add one: \(run: "authctl setup")"
        }
        guard command == ["link"] else { return "to set it up: \(run: "authctl setup \(provider)")" }
        return "to set it up: \(run: "authctl setup \(provider) --no-signin"), then: \(run: again)"
    }

    /// Whether a password is the command's only input.
    private var readsPassword: Bool {
        [["accounts", "set-password"], ["accounts", "reset-password"]].contains(command)
    }

    var unattended: Hint {
        let canBePassword = ["signin", "link"].contains(command.first)
        let isPassword = canBePassword ? provider == PasswordProvider.id : readsPassword
        if isPassword, !typed.contains("--password-stdin") {
            return .run("\(again) --password-stdin")
        }
        guard command == ["signin"] else {
            let onTerminal: Hint = "on a terminal: \(run: again)"
            let reauthenticates = command == ["reauth"] || typed.contains("--reauth")
            guard reauthenticates, provider == nil || provider == PasswordProvider.id else { return onTerminal }
            let then: Hint = command == ["reauth"] ? "" : ", then run it again"
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
        if ["add", "set"].contains(command.last) || command == ["setup"] {
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
        if ["add", "set"].contains(command.last) {
            return repeated(with: ["--discovery", "oauth"]) ?? "add --discovery oauth"
        }
        return command == ["setup"]
            ? .run("authctl providers add \(Self.anyProvider) --issuer \(issuer) --client-id ID --discovery oauth")
            : .run("authctl providers set \(providerName) --discovery oauth")
    }

    var allowingHTTP: Hint {
        if [["providers", "add"], ["providers", "set"]].contains(command) {
            return "use https; for a trusted network only: add --allow-http"
        }
        guard let provider, resource == nil, (try? ProviderID(provider)) != nil else { return "use https" }
        return "use https; for a trusted network only: \(run: "authctl providers set \(provider) --allow-http")"
    }

    var check: ShellCommand { provider.map { "authctl providers check \($0)" } ?? "authctl providers check" }
}
