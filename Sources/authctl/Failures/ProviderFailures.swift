import AuthCore

extension ProviderError: Told {
    func told(_ task: Undertaking) -> Failure {
        switch self {
        case .notConfigured(let id) where WorkloadPlatform.isPlatform(id),
            .unknownID(let id) where WorkloadPlatform.isPlatform(id):
            return task.failure(
                .operationNotAllowed, "'\(id)' says who a job is, and has nothing else to offer",
                hint:
                    "for an access token, with --exchange: \(run: "authctl signin --ci \(String(id.dropFirst(3))) --help")"
            )
        case .unknownID(DirectorySession.id):
            return task.failure(
                .operationNotAllowed, "the project's own token is for services that ask for it",
                hint: "name a provider with --provider, or send what this prints: \(run: "authctl token")")
        case .unknownID(let id):
            return task.failure(
                .invalidConfiguration,
                "'\(id)' is no provider of this version"
                    + Spelling.question(Spelling.meant(by: id, among: Dialect.builtIn.map(\.id))),
                hint: "it is one of \(list: Dialect.builtIn.map(\.id)), or 'oidc.NAME'")
        case .notConfigured(let id):
            return task.failure(
                .invalidConfiguration, "'\(id)' is not configured",
                hint: task.registering(id))
        case .sharedVariable(let variable, let ids):
            return task.failure(
                .invalidConfiguration,
                "\(variable) fits several providers: \(ids.map { "'\($0)'" }.joined(separator: ", "))",
                hint: .run("unset \(variable)"))
        case .noSuchOption(let option, let provider):
            return task.usage(
                "'\(provider)' has nothing that \(option.flag) could ask for",
                hint: .run("authctl providers show \(provider)"))
        case .invalid(let setting, let fault):
            return task.failure(.invalidConfiguration, "\(setting): \(fault.words)", hint: .run(task.settings))
        case .noURL(let setting, let text):
            return task.failure(
                .invalidConfiguration, "\(setting): '\(text)' is no URL", hint: .run(task.settings))
        case .fapi2(let provider, let fault):
            return task.failure(
                fault.isOfProvider ? .unsupported : .invalidConfiguration,
                "'\(provider)' is held to FAPI 2.0, and \(fault.words) (\(fault.demand.section))",
                hint: .run(fault.isOfProvider ? "authctl providers check \(provider)" : task.settings))
        case .noProof(let provider):
            return task.failure(
                .invalidConfiguration,
                "\(provider): a program signs in for itself with a client secret or a private key",
                hint: .run(task.settings))
        }
    }
}

extension CredentialError: Told {
    func told(_ task: Undertaking) -> Failure {
        let provider = task.provider.map { "'\($0)'" } ?? "the provider"
        switch self {
        case .neverAccepted:
            return task.failure(
                .operationNotAllowed, "nobody can tell for which client an access token of \(provider) was made",
                hint: "use its ID token (--id-token), or sign in: \(run: task.again)")
        case .noIDTokens:
            return task.failure(.operationNotAllowed, "\(provider) issues no ID tokens", hint: .run(task.again))
        case .invalid(let said):
            return task.failure(
                .invalidCredential, "\(provider) says that the token is not good\(said.map { ": \($0)" } ?? "")",
                hint: .run(task.again))
        case .otherClient:
            return task.failure(.invalidCredential, "the token was not made for this client", hint: .run(task.again))
        case .nonceRequired:
            return task.failure(
                .missingOrInvalidNonce, "ID tokens of \(provider) need their nonce",
                hint: "give the raw nonce with --nonce")
        case .secretNeeded:
            return task.failure(
                .invalidConfiguration, "\(provider) tells that only to who has the client secret",
                hint: .run(
                    task.provider.map { "authctl providers set \($0) --client-secret-stdin" }
                        ?? "authctl providers set --help"))
        case .installationToken:
            let name = task.provider.map(Provider.environmentName) ?? "PROVIDER"
            return task.failure(
                .operationNotAllowed, "an installation token of \(provider) belongs to an app and not to a user",
                hint: "to use it without storing it: AUTHCTL_\(name)_TOKEN")
        case .refreshToken:
            return task.failure(
                .operationNotAllowed, "the token is a refresh token of \(provider), not an access token",
                hint: .run(task.again))
        case .personalTokenInProject:
            return task.failure(
                .operationNotAllowed, "a Firebase project does not accept personal access tokens",
                hint: "sign in: \(run: task.again); or use a profile without a project")
        }
    }
}

extension WorkloadError: Told {
    func told(_ task: Undertaking) -> Failure {
        func make(_ code: Failure.Code, _ message: String, _ hint: Hint) -> Failure {
            task.failure(code, message, hint: hint)
        }
        switch self {
        case .unknown(let name):
            let names = WorkloadPlatform.all.map(\.name)
            return task.usage("--ci: '\(name)' is not known", hint: "it is one of auto, \(list: names)")
        case .notInAJob:
            return make(
                .invalidConfiguration, "this is no job of a CI system that is known",
                "where the token is in a file, name it: --ci file, and the path with --ci-source")
        case .missing(let what, let platform, let remedy):
            return make(.invalidConfiguration, "'\(platform)' gives this job no token: no \(what)", remedy.hint)
        case .noFile(let path, let platform):
            return make(
                .invalidConfiguration, "'\(platform)' gives this job no token: no \(path)",
                "name the file with --ci-source")
        case .ambiguous(let names, _):
            return task.usage(
                "several variables hold a token: name one with --ci-source (\(names.joined(separator: ", ")))",
                hint: "--ci-source \(names[0])")
        case .audienceNeeded(let platform):
            return task.usage("--ci \(platform) needs to know for whom the token is", hint: "add --audience")
        case .issuerNeeded(let platform, let issuer):
            return task.usage(
                "--ci \(platform) needs to know whose tokens count: the one here calls itself '\(issuer)'s",
                hint: "where that is the one you mean, name it with --issuer")
        case .command(let program, let said):
            return make(
                .providerUnavailable, "'\(program)' gave no token: \(said)",
                "run \(program) by itself in the job")
        case .noToken(let platform, let status):
            let why = status.map { "status \($0)" } ?? "no token in its answer"
            return make(
                .invalidResponse, "'\(platform)' gave this job no token: \(why)",
                "look at the job's permissions and at --audience")
        case .issuer(let issuer, let platform):
            return make(
                .invalidIDToken, "the token is of issuer '\(issuer)', which is not '\(platform)' here",
                "where that is the one you mean: --issuer")
        case .claim(let name):
            return make(
                .invalidCredential, "the token's '\(ServerText.shown(name))' is not what it must be",
                "to see a token's claims: \(run: "authctl verify --help")")
        case .usedBefore:
            return make(.invalidCredential, "this token was used before", "get a new one: each is good for one sign-in")
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
