import AuthCore

extension ProviderError: UserFacingError {
    func explanation(_ context: ErrorContext) -> Explanation {
        switch self {
        case .unknownID(let id) where WorkloadPlatform.isPlatform(id) && context.purpose == .reauthenticate:
            "the account of a CI job cannot re-authenticate"
                .hint("for a new token, in the job: \(run: "authctl signin --ci \(String(id.dropFirst(3)))")")
        case .notConfigured(let id) where WorkloadPlatform.isPlatform(id),
            .unknownID(let id) where WorkloadPlatform.isPlatform(id):
            "'\(id)' identifies CI jobs and does not issue access tokens".hint(
                "sign in with --exchange and the provider that issues them")
        case .unknownID(SessionIssuer.projectID):
            "'firebase' stands for the project itself, not for a provider".hint(
                "for the project's token: \(run: "authctl token")")
        case .unknownID(let id): unknown(id, context)
        case .notConfigured(let id): "'\(id)' is not configured".hint(context.settingUp(id))
        case .onlyAnApp(let id):
            "'\(id)' is configured as a GitHub App, which cannot sign users in".hint(
                "for a token of the app: \(run: "authctl token --repository OWNER/REPO"); to sign users in: \(run: "authctl providers set \(id) --client-id ID")"
            )
        case .noClient(let id):
            "'\(id)' is configured without a client ID".hint(
                "with a personal access token: \(run: .signInWithToken(id)); to add a client: \(run: "authctl providers set \(id) --client-id ID")"
            )
        case .sharedVariable(let variable, let ids):
            "\(variable) matches several providers: \(quoted: ids)".hint(run: "unset \(variable)")
        case .noSuchOption(let option, let provider): "'\(provider)' does not support \(option.flag)"
        case .invalid(let setting, .keyNotSupported(let family, let taken)):
            "\(setting): \(SettingFault.keyNotSupported(family, supported: taken).message)"
                .hint("to use it anyway: --key-alg \(family.algorithms[0].rawValue)")
        case .invalid(let setting, .secretNeeded(let method)) where !setting.hasPrefix("--"):
            "\(setting): \(SettingFault.secretNeeded(method).message)".hint(
                context.setting(["--client-secret-stdin": true]))
        case .invalid(let setting, let fault):
            "\(setting): \(fault.message)".hint(setting.hasPrefix("--") ? nil : context.settings)
        case .notAURL(let setting, let text): "\(setting): '\(text)' is not a URL".hint(context.settings)
        case .fapi2(let provider, let fault):
            "'\(provider)' must comply with FAPI 2.0, but \(fault.message) (\(fault.requirement.section))"
                .hint(context.settings)
        case .noProof(let provider):
            "\(provider): the client credentials grant requires a client secret or a private key".hint(
                context.setting(["--client-secret-stdin": true])
                    ?? .run("authctl providers set \(provider) --client-secret-stdin"))
        }
    }

    private func unknown(_ id: String, _ context: ErrorContext) -> Explanation {
        let known = Dialect.builtIn.map(\.id)
        guard context.service(id) == nil else { return "'\(id)' is not configured".hint(context.settingUp(id)) }
        var near = Spelling.suggestions(for: id, among: known + Catalog.entries.map(\.name))
        if near.isEmpty {
            let short = known.compactMap { $0.split(separator: ".").first.map(String.init) }
            near = Spelling.suggestions(for: id, among: short)
        }
        return "unknown provider '\(id)'\(Spelling.question(near))".hint(near.isEmpty ? context.settingUp(id) : nil)
    }
}

extension CredentialError: UserFacingError {
    func explanation(_ context: ErrorContext) -> Explanation {
        let provider = context.provider.map { "'\($0)'" } ?? "the provider"
        return switch self {
        case .neverAccepted:
            "the client of an access token of \(provider) cannot be verified".hint(run: context.signingIn)
        case .noIDTokens: "\(provider) does not issue ID tokens".hint(run: context.signingIn)
        case .namesNoUser:
            "a sign-in at \(provider) does not say who the user is".hint(
                "to add another sign-in method: \(run: "authctl link"); to remove the account: \(run: "authctl accounts delete")"
            )
        case .invalid(let message):
            "\(provider) rejects the token\(message.map { ": \($0)" } ?? "")".hint(run: context.signingIn)
        case .notPersonalToken(let page):
            "it is not a personal access token of \(provider), and other tokens require a client ID".hint(
                "to create a personal access token: \(page); to add a client: \(run: .setup(context.provider))")
        case .personalTokenRejected(let page):
            "\(provider) rejects the token: it is wrong, has expired or was revoked".hint("create a new one: \(page)")
        case .otherClient: "the token was not issued to this client".hint(run: context.signingIn)
        case .nonceRequired: "ID tokens of \(provider) require their nonce".hint("give the raw nonce with --nonce")
        case .secretNeeded:
            "\(provider) requires the client secret for that".hint(context.setting(["--client-secret-stdin": true]))
        case .installationToken:
            "an installation token of \(provider) belongs to an app and not to a user".hint(
                "to use it without storing it: AUTHCTL_\(context.provider.map(Provider.environmentName) ?? "PROVIDER")_TOKEN"
            )
        case .refreshToken:
            "the token is a refresh token of \(provider), not an access token".hint(run: context.signingIn)
        case .personalTokenInProject:
            "a Firebase project does not accept personal access tokens".hint(run: context.signingIn)
        }
    }
}

extension InstallationError: UserFacingError {
    func explanation(_ context: ErrorContext) -> Explanation {
        switch self {
        case .unsupported(let provider):
            "'\(provider)' does not issue installation tokens".hint(run: "authctl token \(provider)")
        case .notAnApp(let provider, isConfigured: false):
            "'\(provider)' is not configured as a GitHub App"
                .hint(run: "authctl providers add \(provider) --app-id ID --private-key FILE")
        case .notAnApp(let provider, isConfigured: true):
            "'\(provider)' is configured without the ID and the key of a GitHub App"
                .hint(run: "authctl providers set \(provider) --app-id ID --private-key FILE")
        case .keyMissing(let provider):
            "the private key of the GitHub App '\(provider)' is not configured"
                .hint(run: "authctl providers set \(provider) --private-key FILE")
        case .notInstalled(let repository, let provider):
            "the GitHub App is not installed on '\(repository.text)', or there is no such repository"
                .hint("for the page where it can be installed: \(run: "authctl providers check \(provider)")")
        case .permissionsRefused(let request, let provider, let message):
            "the installation on '\(request.repository.text)' does not have \(request.needed)\(message.sentence)"
                .hint("for the page of the GitHub App: \(run: "authctl providers check \(provider)")")
        case .appRejected(let provider, let message):
            "'\(provider)' rejects the app ID with this private key\(message.sentence)"
                .hint("compare both with the page of the GitHub App: \(run: "authctl providers show \(provider)")")
        case .refused(let provider, let status, let message):
            "'\(provider)' refused the installation token with status \(status)\(message.sentence)"
        }
    }
}

extension ServerText? {
    fileprivate var sentence: String { map { ": \($0)" } ?? "" }
}

extension InstallationRequest {
    fileprivate var needed: String {
        "the permission\(permissions.count == 1 ? "" : "s") \(quoted: permissions.map(\.text))"
    }
}

extension WorkloadError: UserFacingError {
    func explanation(_ context: ErrorContext) -> Explanation {
        switch self {
        case .unknown(let name): WorkloadError.unknown(name, among: WorkloadPlatform.all.map(\.name))
        case .notInAJob:
            "no known CI system was detected".hint("for a token in a file: --ci file --ci-source FILE")
        case .missing(let what, let platform, let remedy):
            "'\(platform)' does not give this job a token: \(what) is missing".hint(remedy.hint)
        case .noFile(let path, let platform):
            "'\(platform)' does not give this job a token: \(path) is missing".hint(
                "for another file: --ci-source FILE")
        case .ambiguous(let names, _):
            "several variables contain a token: choose one with --ci-source (\(names.joined(separator: ", ")))"
        case .audienceNeeded(let platform):
            "--ci \(platform) requires --audience".hint("it is the audience that the API expects")
        case .issuerNeeded(let platform, let issuer):
            "--ci \(platform) requires --issuer; the token's issuer is '\(issuer)'"
                .hint("if that issuer is correct: pass it with --issuer")
        case .command(let program, let message):
            "'\(program)' did not return a token: \(message)"
        case .noToken(let platform, let status):
            "'\(platform)' did not give this job a token: \(status.map { "status \($0)" } ?? "no token in its response")"
                .hint("the job may lack a permission, or --audience an accepted value")
        case .issuer(let issuer, let platform):
            "the token's issuer is '\(issuer)', not the issuer of '\(platform)'"
                .hint("if that issuer is correct: pass it with --issuer")
        case .claim(let name):
            "the token's claim '\(shown: name)' is missing or contradicts its other claims"
        case .requirement(let name, let actual):
            (actual.map { "the token's claim '\(shown: name)' is '\($0)', which is not the required value" }
                ?? "the token has no claim '\(shown: name)'").hint(nil)
        case .usedBefore: "this token was used before".hint("each token can be used for one sign-in")
        }
    }

    private static func unknown(_ name: String, among known: [String]) -> Explanation {
        "unknown CI system '\(name)'\(Spelling.question(Spelling.suggestions(for: name, among: known)))"
            .hint("use auto, \(list: known)")
    }
}

extension WorkloadRefused: UserFacingError {
    func explanation(_ context: ErrorContext) -> Explanation {
        error.explanation(ErrorContext(provider: provider)).message.hint(
            "at \(provider), configure the issuer \(issuer) and the audience \(audience) as trusted")
    }
}

extension WorkloadRemedy {
    fileprivate var hint: Hint {
        switch self {
        case .permission: "give the job 'permissions: id-token: write' in its workflow"
        case .namedToken:
            "add a token under 'id_tokens:' of the job, with its 'aud:'; if its name is another: --ci-source VARIABLE"
        case .context: "give the job a context, which provides a token"
        case .platform(let name): "this only works in a job of \(Hint(prose: name))"
        case .mappedVariable(let name): "map it in the step: env: \(name): $(System.AccessToken)"
        case .serviceConnection: "pass the service connection's ID with --ci-source"
        case .stepSetting: "set 'oidc: true' for the step"
        case .projectedVolume:
            "project a serviceAccountToken volume with your audience, and pass its path with --ci-source"
        case .path: "choose the file with --ci-source"
        }
    }
}

extension RequestOption {
    var flag: String {
        switch self {
        case .loginHint: "--login-hint"
        case .prompt: "--prompt"
        case .maximumAge: "--max-age"
        case .authenticationContexts: "--acr"
        case .language: "--language"
        }
    }
}
