import AuthCore

/// The steps to set up a provider: the registration page, the values to fill in, and the commands that follow.
struct SetupGuide {
    let provider: Provider
    /// The registration page; nil if only the provider's operator knows the URL.
    let page: String?
    /// The path in the console of a known service.
    let console: String?
    let kind: String?
    let values: [(label: String, value: String)]
    let needs: [(variable: String, label: String)]
    let secret: String?
    var commands: [ShellCommand]
    var isConfigured = false

    init(_ provider: Provider, registers: Bool = false, hasIssuer: Bool = true) {
        self.provider = provider
        page = hasIssuer ? provider.registrationPage : nil
        // With dynamic client registration, the user does not register a client.
        let registration = registers ? nil : provider.dialect.registration
        let service = registers ? nil : SetupService.of(provider)
        let details = registration?.details ?? []
        console = service?.console
        kind = registration?.kind?.description
        values = (registration?.fields ?? []).map { $0.row(redirectURI: provider.redirectURIToRegister) }
        var needs = details.compactMap { SetupGuide.step($0).need }
        if !hasIssuer {
            needs.insert(("ISSUER", service?.issuerForm.map { "issuer, of the form \($0)" } ?? "issuer"), at: 0)
        }
        var add: ShellCommand = "authctl providers add \(provider.id)"
        if !Provider.isBuiltIn(provider.id) {
            add = hasIssuer ? "\(add) --issuer \(provider.issuer.text)" : "\(add) --issuer \"$ISSUER\""
        }
        add = add.with([
            "--base-url": provider.baseURL?.text, "--preset": provider.preset?.rawValue, "--register": registers,
        ])
        for option in details.compactMap({ SetupGuide.step($0).option }) { add = "\(add) \(option)" }
        let requiresRedirect = details.contains { if case .redirectURI = $0 { true } else { false } }
        if let uri = provider.redirectURI, !requiresRedirect { add = "\(add) --redirect-uri \(uri)" }
        if let tenant = provider.tenant, tenant != Provider.defaultTenant { add = "\(add) --tenant \(tenant)" }
        // A public redirect URI leads through the user's proxy or tunnel to a local port.
        commands = [add, requiresRedirect ? "\(.signIn(provider.id)) --port \"$PORT\"" : .signIn(provider.id)]
        if requiresRedirect { needs.append(("PORT", "the local port of your proxy or tunnel")) }
        secret = details.lazy.compactMap { if case .clientSecret(let label) = $0 { label } else { nil } }.first
        self.needs = needs
    }

    init(configured provider: Provider) {
        self.provider = provider
        (page, console, kind, values, needs, secret) = (nil, nil, nil, [], [], nil)
        commands = [.signIn(provider.id)]
        isConfigured = true
    }

    /// The shell variable that the user sets, and the option of `providers add` that uses it.
    private static func step(
        _ detail: Dialect.Registration.Detail
    ) -> (need: (variable: String, label: String)?, option: ShellCommand?) {
        switch detail {
        case .clientID(let label, _): (("CLIENT_ID", label), "--client-id \"$CLIENT_ID\"")
        case .redirectURI(let label): (("REDIRECT_URI", label), "--redirect-uri \"$REDIRECT_URI\"")
        case .teamID(let label): (("TEAM_ID", label), "--team-id \"$TEAM_ID\"")
        case .keyID(let label): (("KEY_ID", label), "--key-id \"$KEY_ID\"")
        case .privateKey: (("PRIVATE_KEY", "the path of the .p8 file"), "--private-key \"$PRIVATE_KEY\"")
        // The secret is requested when the command runs; the others have a default.
        case .clientSecret: (nil, "--client-secret-stdin")
        case .secretIfAny, .tenant: (nil, nil)
        }
    }

    static let output = View<SetupGuide>("with a provider") {
        Field("providerId", of: \.provider.id)
        Field("isConfigured", of: \.isConfigured, means: "there is a configuration")
        Field("page", of: \.page, means: "where to register")
        Field("console", of: \.console, means: "the path in the console of a known service")
        Field("kind", of: \.kind, means: "the type to choose there")
        Field("values", each: value, of: \.values, means: "what to enter there")
        Field("needs", each: variable, of: \.needs, means: "what to set first")
        Field("secret", of: \.secret, means: "its name, if one is asked for")
        Field("commands", of: { $0.commands.map(\.text) }, means: "what to run")
    }

    private static let value = View<(label: String, value: String)>("Value") {
        Field("label", of: \.label)
        Field("value", of: \.value)
    }

    private static let variable = View<(variable: String, label: String)>("Variable") {
        Field("variable", of: \.variable)
        Field("label", of: \.label)
    }
}
