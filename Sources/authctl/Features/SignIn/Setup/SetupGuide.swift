import AuthCore

/// The steps to set up a provider: the registration page, the values to fill in, and the commands that follow.
struct SetupGuide {
    @Shared var provider: Provider
    /// The registration page; nil if only the provider's operator knows the URL.
    let page: String?
    /// The path in the console of a known service.
    let console: String?
    let kind: String?
    let values: [(label: String, value: String)]
    let needs: [(variable: String, label: String)]
    let secret: String?
    private let entry: CatalogEntry?
    var commands: [ShellCommand]
    var isConfigured = false

    /// - Parameter hasIssuer: whether the provider has its own issuer, and not that of an example.
    init(
        _ provider: Provider, of service: CatalogEntry? = nil, at base: String? = nil, registers: Bool = false,
        hasIssuer: Bool = true
    ) {
        _provider = Shared(wrappedValue: provider)
        entry = registers ? nil : service ?? Catalog.entry(of: provider)
        // A page that depends on an answer, and that of an example, are not shown.
        let own = hasIssuer || entry?.questions.allSatisfy { $0.standard != nil } ?? false
        page = entry?.page.flatMap { $0.contains("{") ? nil : $0 } ?? (own ? provider.registrationPage : nil)
        // With dynamic client registration, the user does not register a client.
        let registration = registers ? nil : provider.dialect.registration
        let details = registers ? [] : SetupGuide.details(of: provider, entry)
        console = entry?.steps
        kind = entry?.secret == .required ? "a client with a client secret" : registration?.kind?.description
        values = (registration?.fields ?? []).map { $0.row(redirectURI: provider.redirectURIToRegister) }
        var needs = details.compactMap { SetupGuide.step($0).need }
        var add: ShellCommand = "authctl providers add \(service?.name ?? provider.id)"
        if let service, !hasIssuer {
            needs.insert(contentsOf: service.questions.map { ($0.name.uppercased(), $0.text) }, at: 0)
            for name in service.questions.map(\.name) { add = "\(add) --answer \(name)=\"$\(name.uppercased())\"" }
        } else if !Provider.isBuiltIn(provider.id) {
            if !hasIssuer { needs.insert(("ISSUER", "issuer"), at: 0) }
            add = hasIssuer ? "\(add) --issuer \(provider.issuer.text)" : "\(add) --issuer \"$ISSUER\""
        }
        add = add.with([
            "--base-url": provider.baseURL?.text ?? base, "--preset": service == nil ? provider.preset?.rawValue : nil,
            "--register": registers,
        ])
        for option in details.compactMap({ SetupGuide.step($0).option }) { add = "\(add) \(option)" }
        let requiresRedirect = details.contains { if case .redirectURI = $0 { true } else { false } }
        if let uri = provider.redirectURI, !requiresRedirect, service?.redirectURI != uri {
            add = "\(add) --redirect-uri \(uri)"
        }
        if let tenant = provider.tenant, tenant != Provider.defaultTenant { add = "\(add) --tenant \(tenant)" }
        // A public redirect URI leads through the user's proxy or tunnel to a local port.
        commands = [add, requiresRedirect ? "\(.signIn(provider.id)) --port \"$PORT\"" : .signIn(provider.id)]
        if requiresRedirect { needs.append(("PORT", "the local port of your proxy or tunnel")) }
        secret = details.lazy.compactMap { if case .clientSecret(let label) = $0 { label } else { nil } }.first
        self.needs = needs
    }

    init(configured provider: Provider) {
        _provider = Shared(wrappedValue: provider)
        (page, console, kind, values, needs, secret, entry) = (nil, nil, nil, [], [], nil, nil)
        commands = [.signIn(provider.id)]
        isConfigured = true
    }

    static func title(of id: String) -> String { Dialect.named(id)?.registration?.owner ?? id }

    var unconfirmed: [String] { entry?.unconfirmed ?? [] }

    /// What to do, before the values.
    var instruction: String {
        let registration = provider.dialect.registration
        let host = provider.baseURL?.host ?? provider.issuer.host
        let owner = entry?.title ?? registration?.owner
        return "Register \(registration?.client ?? "a client") at \(provider.baseURL == nil ? owner ?? host : host),"
            + " with exactly these values:"
    }

    /// How to sign in without a client.
    func withoutClient(in context: Context) -> String? {
        guard provider.dialect.personalTokens != nil, !isConfigured else { return nil }
        var command = ShellCommand.signInWithToken(provider.id)
        if let base = provider.baseURL { command = "authctl providers add \(provider.id) --base-url \(base.text)" }
        return "With a personal access token, no client is required: \(context.text(of: command))"
    }

    /// The values that the configuration requires. Only an entry knows whether the client has a secret.
    static func details(of provider: Provider, _ entry: CatalogEntry?) -> [Dialect.Registration.Detail] {
        (provider.dialect.registration?.details ?? []).compactMap { detail in
            guard case .secretIfAny(let label) = detail, let entry else { return detail }
            return switch entry.secret {
            case .none: nil
            case .optional: detail
            case .required: .clientSecret(label)
            }
        }
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
        Field("unconfirmed", of: \.unconfirmed, means: "facts without two sources")
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
