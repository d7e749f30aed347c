import AuthCore

extension SignInCommand {
    /// The command as the parser makes it of these options. The parser needs a third of the time of a sign-in, because
    /// it finds the options of `signin` by reflection.
    init(of provider: String?, scopes: [String], opensBrowser: Bool, settings: Settings) {
        self.init()
        var (name, option) = (ProviderArgument(), ProviderOption())
        (option.all, name.operand) = ([], provider)
        name.option = option
        self.provider = name

        options = GlobalOptions(settings)
        flags = FlowFlags(scopes: scopes, opensBrowser: opensBrowser)

        var resource = ResourceFlags()
        (resource.resource, resource.clientMetadata) = (nil, nil)
        self.resource = resource

        var password = PasswordFlags()
        (password.email, password.passwordStdin, password.creates) = (nil, false, false)
        self.password = password

        var workload = WorkloadFlags()
        (workload.ci, workload.audience, workload.issuer, workload.ciSource) = (nil, nil, nil, nil)
        (workload.require, workload.exchange, workload.exchangeBy) = ([], nil, nil)
        self.workload = workload

        var (custom, link, factor) = (CustomTokenFlag(), EmailLinkFlags(), SecondFactorFlag())
        (custom.customToken, link.code, factor.totpStdin) = (nil, nil, false)
        (self.custom, self.link, self.factor) = (custom, link, factor)

        var conflict = ConflictFlags()
        (conflict.pending, conflict.linkPending, conflict.separate, conflict.consent) = (nil, false, false, false)
        self.conflict = conflict
    }
}

extension FlowFlags {
    fileprivate init(scopes: [String], opensBrowser: Bool) {
        self.init()
        (flow, port, listen, noBrowser) = (.auto, nil, nil, !opensBrowser)

        var request = AuthorizationOptions()
        (request.scope, request.param, request.loginHint, request.prompt) = (scopes, [], nil, nil)
        (request.maxAge, request.acr, request.par, request.dpop) = (nil, nil, false, false)
        (request.language, request.tenant) = (nil, nil)
        authorization = request

        var tokens = TokenInputOptions()
        (tokens.idToken, tokens.nonce, tokens.withToken, tokens.accessToken) = (nil, nil, false, nil)
        self.tokens = tokens

        var steps = StepFlags()
        (steps.begin, steps.complete) = (false, nil)
        self.steps = steps

        var others = CompatibilityOptions()
        (others.web, others.useDeviceCode, others.skipOpenBrowser) = (false, false, false)
        compatibility = others
    }
}

extension GlobalOptions {
    fileprivate init(_ settings: Settings) {
        self.init()
        (profile, account, configDir) = (settings.profile, settings.account, settings.configDir)
        (json, quiet, verbose, noInput) = (settings.json, settings.quiet, settings.verbose, settings.noInput)
        timeout = TimeSpan(seconds: Int64(settings.timeout))
        (passphraseDescriptor, helpAll) = (settings.passphraseDescriptor, false)
    }
}
