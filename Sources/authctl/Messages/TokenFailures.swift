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
                "check the URL; to allow another host: \(run: "authctl profile set --api-host HOST"); for a provider's token: --provider"
            )
        case .host(let origin, let provider, nil) where (try? HTTPURL(origin))?.protectsSecrets == false:
            "the token of '\(provider)' is not sent to '\(origin)' over plain http".hint("use https")
        case .hostWithoutConfiguration(let origin, let provider):
            "the token of '\(provider)' is not allowed for '\(origin)', and '\(provider)' has no configuration that could allow it"
                .hint("to configure it: \(run: .setup(provider))")
        case .host(let origin, let provider, nil):
            "the token of '\(provider)' is not allowed for '\(origin)'".hint(
                "check the URL; to allow another host: \(run: "authctl providers set \(provider) --api-host HOST")")
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
        case .status(401, nil, let session?):
            "status 401".hint(
                "see the response, or sign in again: \(session.explanation(context).hint ?? .signIn(nil))")
        case .status(let status, _, _): "status \(status)".hint("see the response")
        case .redirect(let status, let url):
            "status \(status): it redirects to '\(url)', which is not followed".hint(
                "request that URL, if its server may receive the token")
        case .tooManyRequests(let seconds): "status 429".hint(.again(after: seconds))
        }
    }
}

extension StepUpRequired: UserFacingError {
    func explanation(_ context: ErrorContext) -> Explanation {
        // `--step-up` is only suggested if `request` can sign the user in.
        "status \(status): the API requires \(requirement.message)"
            .hint(hint(isOffered(context) ? "; or let 'request' do so: --step-up" : ""))
    }

    private func isOffered(_ context: ErrorContext) -> Bool { !source.isMachine && context.purpose != .bridge }

    private func hint(_ otherwise: Hint) -> Hint {
        let base = ShellCommand.signIn(providerID, for: resource, as: source)
        switch requirement.reason {
        case .scope:
            let named = scopesToName
            guard requirement.scopes.isEmpty || named.count > granted.count || named.count == scopes.count else {
                return "they belong to another API; ask this API's administrator why it requires them"
            }
            // If no scope can be named, the sign-in requests all scopes of the resource.
            let isNamed = (!requirement.scopes.isEmpty || resource == nil) && !named.isEmpty
            let command: ShellCommand = isNamed ? "\(base) --scope \(named.joined(separator: " "))" : base
            return "to request it: \(run: command)\(otherwise)"
        case .authentication:
            var command = base
            if !requirement.authenticationContexts.isEmpty {
                command = "\(command) --acr \(requirement.authenticationContexts.joined(separator: " "))"
            }
            if let age = requirement.maximumAge { command = "\(command) --max-age \(String(age))" }
            return "to re-authenticate: \(run: command)\(otherwise)"
        }
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
            .hint("ask its administrator what your account may do")
    }
}

extension AssumeRoleError: UserFacingError {
    func explanation(_ context: ErrorContext) -> Explanation {
        switch self {
        case .refused(let code, let message):
            "the Security Token Service returned \(code): \(message)".hint(
                "the role's trust policy must name the token's issuer and audience")
        case .malformed: "invalid response from the Security Token Service".hint("check --region and --sts-endpoint")
        }
    }
}

extension TokenBindingError: UserFacingError {
    func explanation(_ context: ErrorContext) -> Explanation {
        let call: Hint = "to call an API: \(run: "authctl request URL")"
        return switch self {
        case .bearerOnly(let provider, .certificate):
            "tokens of '\(provider)' are bound to the client certificate, and this command only supports bearer tokens"
                .hint(
                    "\(call); with another tool that presents the certificate: \(run: "authctl token --provider \(provider)")"
                )
        case .byCertificate(let provider):
            "tokens of '\(provider)' are bound to the client certificate, which must be presented in TLS; authctl does not print them"
                .hint(
                    "\(call); with curl: --cert and --key, and the token of \(run: "authctl token --provider \(provider)")"
                )
        case .bearerOnly(let provider, _):
            "tokens of '\(provider)' are DPoP-bound, and this command only supports bearer tokens".hint(
                "\(call); for both headers of one request: \(run: "authctl token --provider \(provider) --proof GET https://HOST/")"
            )
        case .notBound(let provider):
            "tokens of '\(provider)' are not DPoP-bound, so there is no proof".hint(
                "for sender-constrained tokens, if the provider supports them: \(run: "authctl signin --provider \(provider) --dpop")"
            )
        case .exchangedUnbound(let provider):
            "the exchanged token of '\(provider)' is not DPoP-bound, so there is no proof".hint(
                "for a sender-constrained token, if the provider supports it: \(run: "authctl providers set \(provider) --dpop"), and sign in again"
            )
        case .fromEnvironment(let variable):
            "the token is from \(variable), and its DPoP key is not on this machine"
                .hint("choose a session's account with --account, or unset the variable")
        case .otherIssuer(let provider, let binding, let other):
            "tokens of '\(provider)' are bound to \(binding == .certificate ? "this client's certificate" : "a key on this machine"), and cannot be used at '\(other)'"
                .hint(
                    "the ID token is not sender-constrained: \(context.repeated(with: ["--type", "id"]) ?? "add --type id")"
                )
        case .noTokenType(let provider):
            "'\(provider)' issued a token that is not an access token"
                .hint("to print only the token: omit --header and --env")
        }
    }
}

extension TokenRejected: UserFacingError {
    /// The option that requires the value of a member.
    private func option(_ name: String, _ context: ErrorContext) -> Hint {
        let option = ["aud": "--audience", "iss": "--issuer"][name]
        guard let option, context.typed.contains(where: { $0.hasPrefix(option) }) else { return "--require" }
        return Hint(prose: option)
    }

    func explanation(_ context: ErrorContext) -> Explanation {
        switch reason {
        case .inactive:
            "the provider reports that the token is not active"
                .hint("it has expired, was revoked, or cannot be introspected by this client")
        case .expired:
            "the token has expired, although the provider reports that it is active"
                .hint("check the clock of this machine, or get a new token")
        case .notYetValid:
            "the token is not valid yet, although the provider reports that it is active"
                .hint("check the clock of this machine, or wait until the token is valid")
        case .differs(let name):
            "the token's '\(shown: name)' in the introspection response is not the required value"
                .hint("the response is above; or check the value of \(option(name, context))")
        }
    }
}

extension IdentityAssertionRefused: UserFacingError {
    func explanation(_ context: ErrorContext) -> Explanation {
        let own = ErrorContext(provider: provider, again: "authctl providers check \(provider)")
        return error.explanation(own).message.hint(
            "ask its administrator whether this client may get identity assertions for '\(audience)'; no other way to sign in is tried"
        )
    }
}
