import AuthCore

extension RequestRefused: UserFacingError {
    var exitCode: Int32 {
        switch self {
        case .status(let status, _, _): status == 401 ? 4 : status >= 500 ? 69 : 1
        case .tooManyRequests: 69
        default: code.exitCode
        }
    }

    func explanation(_ context: ErrorContext) -> Explanation {
        switch self {
        case .host(let origin, SessionIssuer.projectID, _):
            "the project's own token is not allowed for '\(origin)'".hint(
                "it is sent only to hosts that the profile names: --api-host; for a provider's token: --provider")
        case .host(let origin, let provider, nil) where (try? HTTPURL(origin))?.protectsSecrets == false:
            "the token of '\(provider)' is not sent to '\(origin)' over plain http".hint("use https")
        case .hostWithoutConfiguration(let origin, let provider):
            "the token of '\(provider)' is not allowed for '\(origin)', and '\(provider)' has no configuration that could allow it"
                .hint(run: .setup(provider))
        case .host(let origin, let provider, nil):
            "the token of '\(provider)' is not allowed for '\(origin)'".hint(
                context.purpose == .request && context.resource == nil
                    ? "\(ErrorContext.toResource(origin)); \(.onlyNamedHosts)" : .onlyNamedHosts)
        case .host(let origin, let provider, let owner?):
            if let account = owner.account {
                "the token of '\(provider)' is not allowed for '\(origin)', but the token of '\(owner.provider)' of \(shown: account) is"
                    .hint("add --account \(account) --provider \(owner.provider)")
            } else if owner.provider == provider {
                "the token of '\(provider)' is not allowed for '\(origin)', because '\(provider)' is configured with another server"
                    .hint(run: "authctl providers show \(provider)")
            } else {
                "the token of '\(provider)' is not allowed for '\(origin)', which requires a token from '\(owner.provider)'"
                    .hint(.signIn(owner.provider))
            }
        case .otherResource(let url, let provider):
            "the tokens of '\(provider)' are only for its protected resources, not for '\(shown: url)'"
                .hint(run: "authctl signin --resource \(url)")
        case .exchange(let resource, let provider, let other):
            "the token of '\(provider)' is for '\(shown: resource)', and '\(other)' has another issuer"
                .hint("if that server may receive it: add --provider \(provider)")
        case .status(401, let variable?, _): "status 401".hint("put a new token into \(variable), or unset it")
        case .status(401, nil, let session?): "status 401".hint(session.explanation(context).hint)
        case .status(let status, _, _): "status \(status)"
        case .redirect(let status, let url):
            "status \(status): it redirects to '\(url)', which is not followed".hint(
                "request that URL, if its server may receive the token")
        case .tooManyRequests(let seconds): "status 429".hint(seconds.map(Hint.again))
        }
    }
}

extension StepUpRequired: UserFacingError {
    func explanation(_ context: ErrorContext) -> Explanation {
        "status \(status): the API requires \(requirement.message)".hint(hint(context))
    }

    private func hint(_ context: ErrorContext) -> Hint {
        if context.purpose == .request, !source.isMachine {
            return "to sign in for it and repeat the request: add --step-up"
        }
        let base = ShellCommand.signIn(providerID, for: resource, as: source)
        // The server's scopes would be the user's choice if they were pasted.
        if requirement.reason == .scope { return "sign in again, and name them with --scope: \(run: base)" }
        let contexts = requirement.authenticationContexts.joined(separator: " ")
        let age = requirement.maximumAge.map { String($0) }
        return .run(base.with(["--acr": contexts.isEmpty ? nil : contexts, "--max-age": age]))
    }
}

extension ShellCommand {
    /// The sign-in that replaces a session.
    static func signIn(_ provider: String, for resource: HTTPURL?, as source: Grant.Source) -> ShellCommand {
        let target: ShellCommand? = resource.map { "authctl signin --resource \($0.text)" }
        switch source {
        case .clientCredentials:
            return (target ?? .signIn(provider)).with(["--flow": SignInRequest.Flow.clientCredentials.rawValue])
        case .job(let system):
            let platform = String(system.dropFirst(WorkloadPlatform.prefix.count))
            return (target ?? "authctl signin").with(["--ci": platform, "--exchange": provider])
        default: return target ?? .signIn(provider)
        }
    }
}

extension StepUp {
    var message: String {
        switch reason {
        case .scope where scopes.isEmpty: return "more scopes, without naming them"
        case .scope: return "the scopes \(quoted: scopes.map { ServerText.shown($0) })"
        case .authentication:
            let contexts = authenticationContexts.map { "'\(shown: $0)'" }.joined(separator: " or ")
            let age = maximumAge.map { "at most \($0) seconds ago" }
            return (["re-authentication"] + (contexts.isEmpty ? [] : ["by \(contexts)"]) + [age].compactMap { $0 })
                .joined(separator: ", ")
        }
    }
}

extension StepUpRefused: UserFacingError {
    func explanation(_ context: ErrorContext) -> Explanation {
        "after \(rounds == 1 ? "another sign-in" : "\(rounds) sign-ins") the API still requires \(requirement.message)"
    }
}

extension AssumeRoleError: UserFacingError {
    func explanation(_ context: ErrorContext) -> Explanation {
        switch self {
        case .refused(let code, let message):
            "the Security Token Service returned \(code): \(message)".hint(
                "the role's trust policy must name the token's issuer and audience")
        case .malformed: "invalid response from the Security Token Service"
        }
    }
}

extension TokenBindingError: UserFacingError {
    func explanation(_ context: ErrorContext) -> Explanation {
        let call: Hint = "to call an API: \(run: "authctl request URL")"
        return switch self {
        case .bearerOnly(let provider, .certificate):
            "tokens of '\(provider)' are bound to the client certificate, and this command only supports bearer tokens"
                .hint(call)
        case .byCertificate(let provider):
            "tokens of '\(provider)' are bound to the client certificate, which must be presented in TLS; authctl does not print them"
                .hint(call)
        case .bearerOnly(let provider, _):
            "tokens of '\(provider)' are DPoP-bound, and this command only supports bearer tokens".hint(
                "\(call); for both headers of one request: \(run: "authctl token \(provider) --proof GET https://HOST/")"
            )
        case .notBound(let provider):
            "tokens of '\(provider)' are not DPoP-bound, so there is no proof".hint(
                run: "authctl signin \(provider) --dpop")
        case .exchangedUnbound(let provider):
            "the exchanged token of '\(provider)' is not DPoP-bound, so there is no proof".hint(
                run: "authctl providers set \(provider) --dpop")
        case .fromEnvironment(let variable):
            "the token is from \(variable), and its DPoP key is not on this machine".hint(run: "unset \(variable)")
        case .otherIssuer(let provider, let binding, let other):
            "tokens of '\(provider)' are bound to \(binding == .certificate ? "this client's certificate" : "a key on this machine"), and cannot be used at '\(other)'"
                .hint("the ID token is not sender-constrained: add --type id")
        case .noTokenType(let provider):
            "'\(provider)' issued a token that is not an access token".hint("omit --header and --env")
        }
    }
}

extension TokenRejected: UserFacingError {
    func explanation(_ context: ErrorContext) -> Explanation {
        switch reason {
        case .inactive:
            "the provider reports that the token is not active"
                .hint("it has expired, was revoked, or cannot be introspected by this client")
        case .expired: "the token has expired, although the provider reports that it is active"
        case .notYetValid: "the token is not valid yet, although the provider reports that it is active"
        case .differs(let name):
            "the token's '\(shown: name)' in the introspection response is not the required value"
        }
    }
}

extension IdentityAssertionRefused: UserFacingError {
    func explanation(_ context: ErrorContext) -> Explanation {
        error.explanation(ErrorContext(provider: provider)).message.hint(
            "its administrator decides which clients may get identity assertions for \(audience)")
    }
}
