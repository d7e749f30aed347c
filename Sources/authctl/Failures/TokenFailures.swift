import AuthCore

extension RequestRefused: UserFacingError {
    var exitCode: Int32 {
        guard case .status(let status) = self else { return code.exitCode }
        return status == 401 ? 4 : status >= 500 || status == 429 ? 69 : 1
    }

    func explanation(_ context: ErrorContext) -> Explanation {
        switch self {
        case .host(let origin, DirectorySession.id, _):
            "the project's own token is not for '\(origin)'".hint(
                "if it is: \(run: "authctl profile set --api-host \(origin)"); for a provider's token: --provider")
        case .host(let origin, let provider, nil):
            "the token of '\(provider)' is not for '\(origin)'"
                .hint("if it is: \(run: "authctl providers set \(provider) --api-host \(origin)")")
        case .host(let origin, let provider, let owner?):
            if let account = owner.account {
                "the token of '\(provider)' is not for '\(origin)', where '\(owner.provider)' of \(shown: account) is"
                    .hint("add --account \(account) --provider \(owner.provider)")
            } else if owner.provider == provider {
                "the token of '\(provider)' is not for '\(origin)', because its entry names another server"
                    .hint(run: "authctl providers show \(provider)")
            } else {
                "the token of '\(provider)' is not for '\(origin)', which is a host of '\(owner.provider)'"
                    .hint(.signIn(owner.provider))
            }
        case .otherResource(let url, let provider):
            "the tokens of '\(provider)' are for protected resources, and '\(shown: url)' is not part of one"
                .hint(run: "authctl signin --resource \(url)")
        case .exchange(let resource, let provider, let other):
            "the token of '\(provider)' is for '\(shown: resource)', and '\(other)' is another issuer"
                .hint("if it may see it: add --provider \(provider)")
        case .status(401): "status 401".hint("\(run: "authctl token --force-refresh"), or sign in again")
        case .status(let status): "status \(status)".hint("the answer says why")
        }
    }
}

extension StepUpRequired: UserFacingError {
    func explanation(_ context: ErrorContext) -> Explanation {
        "status \(status): the API wants \(wanted.message)".hint(hint)
    }

    private var hint: Hint {
        let asked: ShellCommand =
            resource.map { "authctl signin --resource \($0.text)" } ?? "authctl signin --provider \(providerID)"
        switch wanted.reason {
        case .scope:
            let named = scopesToName
            guard wanted.scopes.isEmpty || named.count > granted.count || named.count == scopes.count else {
                return "they are another API's: whoever runs this one must say why it wants them"
            }
            // Without a name for it, all that the resource knows is asked for.
            let isNamed = (!wanted.scopes.isEmpty || resource == nil) && !named.isEmpty
            let command: ShellCommand = isNamed ? "\(asked) --scope \(named.joined(separator: " "))" : asked
            return "to sign in for it: \(run: command); or let 'request' do so: --step-up"
        case .authentication:
            var command = asked
            if !wanted.authenticationContexts.isEmpty {
                command = "\(command) --acr \(wanted.authenticationContexts.joined(separator: " "))"
            }
            if let age = wanted.maximumAge { command = "\(command) --max-age \(String(age))" }
            return "to prove it: \(run: command); or let 'request' do so: --step-up"
        }
    }
}

extension StepUp {
    /// What is wanted, as part of a sentence.
    var message: String {
        switch reason {
        case .scope where scopes.isEmpty: return "more scopes, and does not say which"
        case .scope: return "the scopes \(quoted: scopes.map { ServerText.shown($0) })"
        case .authentication:
            let contexts = authenticationContexts.map { "'\(shown: $0)'" }.joined(separator: " or ")
            let age = maximumAge.map { "at most \($0) seconds ago" }
            return
                (["a new proof of who you are"] + (contexts.isEmpty ? [] : ["by \(contexts)"]) + [age].compactMap { $0 })
                .joined(separator: ", ")
        }
    }
}

extension StepUpRefused: UserFacingError {
    func explanation(_ context: ErrorContext) -> Explanation {
        "after \(rounds == 1 ? "another sign-in" : "\(rounds) sign-ins") the API still wants \(wanted.message)"
            .hint("ask whoever runs it what your account may do")
    }
}

extension AssumeRoleError: UserFacingError {
    func explanation(_ context: ErrorContext) -> Explanation {
        switch self {
        case .refused(let code, let message):
            "the Security Token Service says \(code): \(message)"
                .hint("the role's trust policy must name the token's issuer and audience")
        case .malformed:
            "the Security Token Service's answer cannot be used".hint("check --region and --sts-endpoint")
        }
    }
}

extension BoundToken: UserFacingError {
    func explanation(_ context: ErrorContext) -> Explanation {
        let call: Hint = "to call an API: \(run: "authctl request --help")"
        return switch self {
        case .bearerOnly(let provider, .certificate):
            "tokens of '\(provider)' are bound to this client's certificate, and this is for bearer tokens".hint(
                "\(call); with another tool that presents the certificate: \(run: "authctl token --provider \(provider)")"
            )
        case .byCertificate(let provider):
            "tokens of '\(provider)' are bound to this client's certificate: whoever opens the connection presents it, and there is nothing to print"
                .hint(
                    "\(call); with curl: --cert and --key, and the token of \(run: "authctl token --provider \(provider)")"
                )
        case .bearerOnly(let provider, _):
            "tokens of '\(provider)' are bound to a key of this machine, and this is for bearer tokens"
                .hint("\(call); for both headers of one request: \(run: "authctl token --help")")
        case .notBound(let provider):
            "tokens of '\(provider)' are bound to no key, so that there is nothing to prove".hint(
                "to have them bound, where the provider can: \(run: "authctl signin --provider \(provider) --dpop")")
        case .tradedUnbound(let provider):
            "what '\(provider)' made is bound to no key, so that there is nothing to prove".hint(
                "to have it bound, where the provider can: \(run: "authctl providers set \(provider) --dpop"), and where the session is its own, sign in anew"
            )
        case .givenElsewhere(let variable):
            "the token is that of \(variable), and no key is here that it could be bound to"
                .hint("for a session's token name its account with --account, or unset the variable")
        case .otherIssuer(let provider, let binding, let other):
            "tokens of '\(provider)' are bound to \(binding == .certificate ? "this client's certificate" : "a key of this machine"), and are nothing to '\(other)'"
                .hint("where that has one, its ID token is not bound: --type id")
        case .noTokenType(let provider):
            "'\(provider)' says that the token it made is used as no access token"
                .hint("for the token alone: without --header and --env")
        }
    }
}

extension TokenNotGood: UserFacingError {
    func explanation(_ context: ErrorContext) -> Explanation {
        switch reason {
        case .inactive:
            "the provider says that the token is not active"
                .hint("it has expired, was revoked, or is not for this client to ask about")
        case .expired:
            "the token has expired, although the provider says that it is active"
                .hint("check the clock of this machine, or get a new token")
        case .notYetValid:
            "the token is not valid yet, although the provider says that it is active"
                .hint("check the clock of this machine, or wait until the token is valid")
        case .differs(let name):
            "what the provider says of the token's '\(shown: name)' is not what was asked for"
                .hint("to see what it says, ask without that: \(run: context.help)")
        }
    }
}
