import AuthCore

extension ProviderError: UserFacingError {
    func explanation(_ context: ErrorContext) -> Explanation {
        switch self {
        case .notConfigured(let id) where WorkloadPlatform.isPlatform(id),
            .unknownID(let id) where WorkloadPlatform.isPlatform(id):
            "'\(id)' says who a job is, and has nothing else to offer".hint(
                "for an access token, with --exchange: \(run: "authctl signin --ci \(String(id.dropFirst(3))) --help")")
        case .unknownID(DirectorySession.id):
            "the project's own token is for services that ask for it"
                .hint("name a provider with --provider, or send what this prints: \(run: "authctl token")")
        case .unknownID(let id):
            "'\(id)' is no provider of this version\(Spelling.question(Spelling.meant(by: id, among: Dialect.builtIn.map(\.id))))"
                .hint("it is one of \(list: Dialect.builtIn.map(\.id)), or 'oidc.NAME'")
        case .notConfigured(let id): "'\(id)' is not configured".hint(context.registering(id))
        case .sharedVariable(let variable, let ids):
            "\(variable) fits several providers: \(quoted: ids)".hint(run: "unset \(variable)")
        case .noSuchOption(let option, let provider):
            "'\(provider)' has nothing that \(option.flag) could ask for"
                .hint(run: "authctl providers show \(provider)")
        case .invalid(let setting, let fault): "\(setting): \(fault.message)".hint(run: context.settings)
        case .noURL(let setting, let text): "\(setting): '\(text)' is no URL".hint(run: context.settings)
        case .fapi2(let provider, let fault):
            "'\(provider)' is held to FAPI 2.0, and \(fault.message) (\(fault.demand.section))"
                .hint(run: fault.isOfProvider ? "authctl providers check \(provider)" : context.settings)
        case .noProof(let provider):
            "\(provider): a program signs in for itself with a client secret or a private key"
                .hint(run: context.settings)
        }
    }
}

extension CredentialError: UserFacingError {
    func explanation(_ context: ErrorContext) -> Explanation {
        let provider = context.provider.map { "'\($0)'" } ?? "the provider"
        return switch self {
        case .neverAccepted:
            "nobody can tell for which client an access token of \(provider) was made"
                .hint("use its ID token (--id-token), or sign in: \(run: context.again)")
        case .noIDTokens: "\(provider) issues no ID tokens".hint(run: context.again)
        case .invalid(let said):
            "\(provider) says that the token is not good\(said.map { ": \($0)" } ?? "")".hint(run: context.again)
        case .otherClient: "the token was not made for this client".hint(run: context.again)
        case .nonceRequired: "ID tokens of \(provider) need their nonce".hint("give the raw nonce with --nonce")
        case .secretNeeded:
            "\(provider) tells that only to who has the client secret".hint(
                run: context.provider.map { "authctl providers set \($0) --client-secret-stdin" }
                    ?? "authctl providers set --help")
        case .installationToken:
            "an installation token of \(provider) belongs to an app and not to a user".hint(
                "to use it without storing it: AUTHCTL_\(context.provider.map(Provider.environmentName) ?? "PROVIDER")_TOKEN"
            )
        case .refreshToken:
            "the token is a refresh token of \(provider), not an access token".hint(run: context.again)
        case .personalTokenInProject:
            "a Firebase project does not accept personal access tokens"
                .hint("sign in: \(run: context.again); or use a profile without a project")
        }
    }
}

extension WorkloadError: UserFacingError {
    func explanation(_ context: ErrorContext) -> Explanation {
        switch self {
        case .unknown(let name):
            "--ci: '\(name)' is not known".hint("it is one of auto, \(list: WorkloadPlatform.all.map(\.name))")
        case .notInAJob:
            "this is no job of a CI system that is known"
                .hint("where the token is in a file, name it: --ci file, and the path with --ci-source")
        case .missing(let what, let platform, let remedy):
            "'\(platform)' gives this job no token: no \(what)".hint(remedy.hint)
        case .noFile(let path, let platform):
            "'\(platform)' gives this job no token: no \(path)".hint("name the file with --ci-source")
        case .ambiguous(let names, _):
            "several variables hold a token: name one with --ci-source (\(names.joined(separator: ", ")))"
                .hint("--ci-source \(names[0])")
        case .audienceNeeded(let platform):
            "--ci \(platform) needs to know for whom the token is".hint("add --audience")
        case .issuerNeeded(let platform, let issuer):
            "--ci \(platform) needs to know whose tokens count: the one here calls itself '\(issuer)'s"
                .hint("where that is the one you mean, name it with --issuer")
        case .command(let program, let said):
            "'\(program)' gave no token: \(said)".hint("run \(program) by itself in the job")
        case .noToken(let platform, let status):
            "'\(platform)' gave this job no token: \(status.map { "status \($0)" } ?? "no token in its answer")"
                .hint("look at the job's permissions and at --audience")
        case .issuer(let issuer, let platform):
            "the token is of issuer '\(issuer)', which is not '\(platform)' here"
                .hint("where that is the one you mean: --issuer")
        case .claim(let name):
            "the token's '\(shown: name)' is not what it must be"
                .hint("to see a token's claims: \(run: "authctl verify --help")")
        case .usedBefore: "this token was used before".hint("get a new one: each is good for one sign-in")
        }
    }
}

extension WorkloadRemedy {
    fileprivate var hint: Hint {
        switch self {
        case .permission: "give the job 'permissions: id-token: write' in its workflow"
        case .namedToken: "name one under 'id_tokens:' of the job, with its 'aud:'"
        case .context: "give the job a context: it gets a token then"
        case .platform(let name): "this runs in a job of \(Hint(ours: name)) only"
        case .mappedVariable(let name): "map it in the step: env: \(name): $(System.AccessToken)"
        case .serviceConnection: "name the service connection's ID with --ci-source"
        case .stepSetting: "set 'oidc: true' for the step"
        case .projectedVolume:
            "project a serviceAccountToken volume with your audience, and name its path with --ci-source"
        case .path: "name the file with --ci-source"
        }
    }
}

extension RequestOption {
    /// What a person types for it.
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
