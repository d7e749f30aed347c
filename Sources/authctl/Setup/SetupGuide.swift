import AuthCore

/// The steps of a provider's set-up: the registration page, the values to fill in, and the following commands.
struct SetupGuide {
    let provider: Provider
    /// Nil where only who runs the provider knows it.
    let page: String?
    /// The path in the console of a known service.
    let console: String?
    let kind: String?
    let values: [(label: String, value: String)]
    let needs: [(variable: String, label: String)]
    let secret: String?
    let commands: [ShellCommand]
    var isConfigured = false

    init(_ provider: Provider, registers: Bool = false, hasIssuer: Bool = true) {
        self.provider = provider
        let registration = provider.dialect.registration
        let details = registration?.details ?? []
        page = hasIssuer ? provider.registrationPage : nil
        let service = SetupService.of(provider)
        console = registers ? nil : service?.console
        kind = registers ? nil : registration?.kind?.description
        values =
            registers ? [] : (registration?.fields ?? []).map { $0.row(redirectURI: provider.redirectURIToRegister) }
        var needs = registers ? [] : details.compactMap(SetupGuide.need)
        if !hasIssuer {
            needs.insert(("ISSUER", service?.issuerForm.map { "issuer, of the form \($0)" } ?? "issuer"), at: 0)
        }
        var add: ShellCommand = "authctl providers add \(provider.id)"
        if !Provider.isBuiltIn(provider.id) {
            add = hasIssuer ? "\(add) --issuer \(provider.issuer.text)" : "\(add) --issuer \"$ISSUER\""
        }
        if let base = provider.baseURL { add = "\(add) --base-url \(base.text)" }
        if let preset = provider.preset { add = "\(add) --preset \(preset.rawValue)" }
        if registers {
            add = "\(add) --register"
        } else {
            for detail in details { add = SetupGuide.add(detail, to: add) }
        }
        let requiresRedirect = details.contains { if case .redirectURI = $0 { true } else { false } }
        if let uri = provider.redirectURI, !requiresRedirect { add = "\(add) --redirect-uri \(uri)" }
        if let tenant = provider.tenant, tenant != Provider.defaultTenant { add = "\(add) --tenant \(tenant)" }
        // A public redirect URI ends here at a port of one's own.
        commands = [add, requiresRedirect ? "\(.signIn(provider.id)) --port \"$PORT\"" : .signIn(provider.id)]
        if requiresRedirect { needs.append(("PORT", "the local port of your proxy or tunnel")) }
        secret =
            registers
            ? nil : details.lazy.compactMap { if case .clientSecret(let label) = $0 { label } else { nil } }.first
        self.needs = needs.map { (variable: $0.0, label: $0.1) }
    }

    init(configured provider: Provider) {
        self.provider = provider
        (page, console, kind, values, needs, secret) = (nil, nil, nil, [], [], nil)
        commands = [.signIn(provider.id)]
        isConfigured = true
    }

    private static func need(_ detail: Dialect.Registration.Detail) -> (String, String)? {
        switch detail {
        case .clientID(let label, _): ("CLIENT_ID", label)
        case .redirectURI(let label): ("REDIRECT_URI", label)
        case .teamID(let label): ("TEAM_ID", label)
        case .keyID(let label): ("KEY_ID", label)
        case .privateKey: ("PRIVATE_KEY", "the path of the .p8 file")
        // The secret is requested when the command runs; the others have a default.
        case .clientSecret, .secretIfAny, .tenant: nil
        }
    }

    private static func add(_ detail: Dialect.Registration.Detail, to command: ShellCommand) -> ShellCommand {
        switch detail {
        case .clientID: "\(command) --client-id \"$CLIENT_ID\""
        case .clientSecret: "\(command) --client-secret-stdin"
        case .redirectURI: "\(command) --redirect-uri \"$REDIRECT_URI\""
        case .teamID: "\(command) --team-id \"$TEAM_ID\""
        case .keyID: "\(command) --key-id \"$KEY_ID\""
        case .privateKey: "\(command) --private-key \"$PRIVATE_KEY\""
        case .secretIfAny, .tenant: command
        }
    }
}
