import AuthCore

extension NotSignedIn: Told {
    func told(_ task: Undertaking) -> Failure {
        func make(_ message: String, _ hint: Hint) -> Failure { Failure(.notSignedIn, message, hint: hint) }
        switch self {
        case .noAccount: return make("not signed in", .run(task.signingIn))
        case .noCurrent(let others):
            let listed = others.prefix(3).map { ServerText.shown($0) }.joined(separator: ", ")
            let more = others.count > 3 ? " and \(others.count - 3) more" : ""
            let to: ShellCommand =
                others.count == 1 ? "authctl accounts switch \(others[0])" : "authctl accounts list"
            return make(
                "no account is the current one; signed in are \(listed)\(more)",
                "\(run: to)\(others.count == 1 ? "" : ", then accounts switch" as Hint); or as somebody else: \(run: task.signingIn)"
            )
        case .passwordAlone:
            return make(
                "this account signs in by password alone, which brings no tokens",
                "to add a provider that has some: \(run: "authctl link")")
        case .unknownAccount(let name):
            return Failure(
                .accountNotFound, "no account is called '\(ServerText.shown(name))' here",
                hint: .run("authctl accounts list"))
        case .ambiguousAccount(let name, let uids):
            let listed = uids.map { ServerText.shown($0) }.joined(separator: ", ")
            return make(
                "'\(ServerText.shown(name))' is ambiguous: several accounts here have it, name one by its uid (\(listed))",
                .run("authctl accounts list"))
        case .ambiguousPrefix(let prefix, let accounts):
            return task.usage(
                "'\(ServerText.shown(prefix))' could be \(accounts.map { ServerText.shown($0) }.joined(separator: " or "))",
                hint: .run("authctl accounts list"))
        case .noSession(let provider?):
            return make(
                "not signed in to '\(ServerText.shown(provider))'",
                .signIn(provider))
        case .noSession(nil): return make("this account has no session here", .signIn(nil))
        case .ambiguous(let providers):
            return task.usage(
                "this account has sessions with several providers: name one (\(providers.joined(separator: ", ")))",
                hint: "add --provider \(providers[0])")
        case .severalAccounts(let provider, let accounts):
            let listed = accounts.map { ServerText.shown($0) }.joined(separator: ", ")
            return make(
                "the current account is not signed in to '\(ServerText.shown(provider))', and several others are: name one (\(listed))",
                "add --account \(accounts[0])")
        case .onlyForResources(let resources, _):
            return task.usage(
                "this account has only tokens for protected resources: name one (\(resources.joined(separator: ", ")))",
                hint: "add --resource \(resources[0])")
        case .noSessionForResource(let url, let others):
            let said = "no token is for '\(ServerText.shown(url))'"
            guard let other = others.first else { return make(said, .run("authctl signin --resource \(url)")) }
            return make(
                "\(said), but for one of another account (\(others.map { ServerText.shown($0) }.joined(separator: ", ")))",
                "if that is meant: add --account \(other); else: \(run: "authctl signin --resource \(url)")")
        case .challenged(let url, let scopes):
            let command: ShellCommand = "authctl signin --resource \(url)"
            return make(
                "'\(ServerText.shown(url))' requires a token, and you are not signed in for it",
                .run(scopes.isEmpty ? command : "\(command) --scope \(scopes.joined(separator: " "))"))
        case .noToken(.access, let provider):
            return make(
                "the session with '\(provider)' has no access token",
                .run("authctl token --type id --provider \(provider)"))
        case .noToken(.id, let provider):
            return make(
                "the session with '\(provider)' has no ID token",
                Dialect.named(provider)?.hasIDTokens == false
                    ? .run("authctl token --provider \(provider)") : .signIn(provider))
        case .expired(let provider):
            return make(
                "the session with '\(provider)' has expired and cannot be renewed without you",
                .signIn(provider))
        case .personalTokenExpired(let provider):
            return make(
                "the personal access token of '\(provider)' has expired or expires too soon, and cannot be refreshed",
                .run(.handingOver(provider)))
        case .refused(let provider):
            return make("'\(provider)' no longer renews this session", .signIn(provider))
        case .keyLost(let provider):
            return make(
                "the key that the tokens of '\(provider)' are bound to is no longer here", .signIn(provider))
        case .otherCertificate(let provider):
            return make(
                "the tokens of '\(provider)' are bound to another certificate than its entry names now",
                "name that one again, or sign in with this one: \(run: .signIn(provider))")
        case .certificateGone(let provider):
            return make(
                "the tokens of '\(provider)' are bound to a certificate, and its entry names none now",
                "name it again with providers set --certificate, or sign in without it: \(run: .signIn(provider))")
        case .unbound(let provider):
            return make(
                "the tokens of '\(provider)' are bound to nothing, and its entry is held to FAPI 2.0",
                .signIn(provider))
        case .jobOver(let platform):
            return make(
                "the session of this job has expired, and its CI system gives no new token here",
                "in a job: \(run: "authctl signin --ci \(platform)")")
        case .elsewhere(let provider, let issuer):
            return make(
                "this session with '\(provider)' was made at '\(ServerText(issuer))', and its entry now names another",
                .signIn(provider))
        }
    }
}

extension SignInError: Told {
    func told(_ task: Undertaking) -> Failure {
        switch self {
        case .timedOut(let seconds):
            return task.failure(
                .timeout, "nobody answered within \(seconds) seconds",
                hint: "if the browser showed an error of the provider, read it there; else: \(run: task.again)")
        case .unanswered(let pause):
            return task.failure(
                .interactionRequired,
                "nobody answered the last one with these flags, so no browser is opened again for \(pause) seconds",
                hint:
                    "on a terminal: \(run: task.again); for a script that shows the URL itself: \(run: "\(task.again) --begin")"
            )
        case .noBrowser:
            return task.failure(
                .interactionRequired, "no browser can be opened here, and nobody can paste anything",
                hint:
                    "to visit the URL on another machine: \(run: "\(task.again) --begin"), then --complete; to visit it on this one: \(run: "\(task.again) --no-browser")"
            )
        case .interactionRequired:
            return task.failure(
                .interactionRequired, "a person is needed, and none may be asked", hint: task.unattended)
        case .unreachableRedirectURI(let uri):
            return task.failure(
                .invalidConfiguration, "'\(uri)' does not end at this machine by itself",
                hint: "name the port that your proxy or tunnel ends at with --port, or use --flow paste")
        case .redirectURINeeded(let provider):
            return task.failure(
                .invalidConfiguration, "'\(provider)' takes no loopback redirect URI",
                hint:
                    "name an https URL of a proxy or tunnel of yours that ends at --port, with --redirect-uri: \(run: "authctl providers set \(provider) --help"); where a Firebase project is its client: \(run: "authctl profile set --help")"
            )
        case .browserNeedsSecret(let provider):
            return task.failure(
                .invalidConfiguration,
                "'\(provider)' has no client secret here, so it signs in by a code for another device, which no second call ends",
                hint:
                    "without --begin: \(run: task.again); or give it one: \(run: "authctl providers set \(provider) --help")"
            )
        case .notThroughProject(let option, let provider):
            return task.usage(
                "\(task.failed): \(option.flag) can be checked only where this machine is a client of '\(provider)'",
                hint: "\(task.registering(provider)), or leave \(Hint(ours: option.flag)) out")
        case .onlyByOwnClient(let option, let provider):
            return task.usage(
                "\(task.failed): \(option.flag) is for a client of this machine, and that of '\(provider)' is the Firebase project",
                hint: "\(task.registering(provider)), or leave \(Hint(ours: option.flag)) out")
        case .nonceUsedBefore:
            return task.failure(
                .missingOrInvalidNonce, "this nonce was used before",
                hint: "get a new ID token with a new nonce")
        case .notBegun(let id):
            return task.failure(
                .invalidCredential, "no sign-in '\(ServerText.shown(id))' waits for its answer",
                hint: "each waits as long as --begin said: begin another one")
        case .begunAs(let kind, let id):
            let command = Self.command(kind)
            return task.usage("it was begun by \(command.text)", hint: .run("\(command) --complete \(id)"))
        case .notTheAnswer(let fault, let redirectURI, let kind, let id):
            return task.failure(
                .invalidResponse, "that is not it: \(fault.words(at: ServerText.shown(redirectURI)))",
                hint: "it is still waited for: \(run: "\(Self.command(kind)) --complete \(id)")")
        case .nothingPasted:
            return task.failure(.userCancelled, "input ended before a callback URL came", hint: .run(task.again))
        }
    }

    /// What begins it.
    private static func command(_ kind: SignInOperation.Kind) -> ShellCommand {
        switch kind {
        case .signIn: "authctl signin"
        case .link: "authctl link"
        case .reauthenticate: "authctl reauth"
        }
    }
}

extension PastedFault {
    /// What somebody pasted instead, and what to look for.
    func words(at redirectURI: String) -> String {
        let what =
            switch self {
            case .noAnswer: "no URL that a browser ended at"
            case .anotherPage: "another page's URL"
            case .anotherSignIn: "the answer to another sign-in"
            }
        return "\(what); the one to paste begins with \(redirectURI)?"
    }
}

extension RequestRefused: Told {
    func told(_ task: Undertaking) -> Failure {
        switch self {
        case .host(let origin, let provider, let owner):
            let said = "the token of '\(provider)' is not for '\(origin)'"
            guard provider != DirectorySession.id else {
                return task.failure(
                    .operationNotAllowed, "the project's own token is not for '\(origin)'",
                    hint:
                        "if it is: \(run: "authctl profile set --api-host \(origin)"); for a provider's token: --provider"
                )
            }
            guard let owner else {
                return task.failure(
                    .operationNotAllowed, said,
                    hint: "if it is: \(run: "authctl providers set \(provider) --api-host \(origin)")")
            }
            guard let account = owner.account else {
                guard owner.provider != provider else {
                    return task.failure(
                        .operationNotAllowed, "\(said), because its entry names another server",
                        hint: .run("authctl providers show \(provider)"))
                }
                return task.failure(
                    .operationNotAllowed, "\(said), which is a host of '\(owner.provider)'",
                    hint: .signIn(owner.provider))
            }
            return task.failure(
                .operationNotAllowed, "\(said), where '\(owner.provider)' of \(ServerText.shown(account)) is",
                hint: "add --account \(account) --provider \(owner.provider)")
        case .otherResource(let url, let provider):
            return task.failure(
                .operationNotAllowed,
                "the tokens of '\(provider)' are for protected resources, and '\(ServerText.shown(url))' is not part of one",
                hint: .run("authctl signin --resource \(url)"))
        case .exchange(let resource, let provider, let other):
            return task.failure(
                .operationNotAllowed,
                "the token of '\(provider)' is for '\(ServerText.shown(resource))', and '\(other)' is another issuer",
                hint: "if it may see it: add --provider \(provider)")
        case .status(let status):
            return task.failure(
                .requestFailed, exitCode: status == 401 ? 4 : status >= 500 || status == 429 ? 69 : 1,
                "status \(status)",
                hint: status == 401
                    ? "\(run: "authctl token --force-refresh"), or sign in again" : "the answer says why")
        }
    }
}

extension StepUpNeeded: Told {
    func told(_ task: Undertaking) -> Failure {
        let asked: ShellCommand =
            if let resource { "authctl signin --resource \(resource.text)" } else {
                "authctl signin --provider \(providerID)"
            }
        switch wanted.reason {
        case .scope:
            let named = scopesToName
            guard wanted.scopes.isEmpty || named.count > granted.count || named.count == scopes.count else {
                return task.failure(
                    .insufficientScope, "status \(status): the API wants \(wanted.words)",
                    hint: "they are another API's: whoever runs this one must say why it wants them")
            }
            let scopes = named.joined(separator: " ")
            // Without a name for it, all that the resource knows is asked for.
            let isNamed = !wanted.scopes.isEmpty || resource == nil
            let command: ShellCommand = isNamed && !scopes.isEmpty ? "\(asked) --scope \(scopes)" : asked
            return task.failure(
                .insufficientScope, "status \(status): the API wants \(wanted.words)",
                hint: "to sign in for it: \(run: command); or let 'request' do so: --step-up")
        case .authentication:
            var command = asked
            if !wanted.authenticationContexts.isEmpty {
                command = "\(command) --acr \(wanted.authenticationContexts.joined(separator: " "))"
            }
            if let age = wanted.maximumAge { command = "\(command) --max-age \(String(age))" }
            return task.failure(
                .requiresRecentLogin, "status \(status): the API wants \(wanted.words)",
                hint: "to prove it: \(run: command); or let 'request' do so: --step-up")
        }
    }
}

extension StepUp {
    /// What is wanted, as part of a sentence.
    var words: String {
        switch reason {
        case .scope:
            return scopes.isEmpty
                ? "more scopes, and does not say which"
                : "the scopes \(scopes.map { "'\(ServerText.shown($0))'" }.joined(separator: ", "))"
        case .authentication:
            let contexts = authenticationContexts.map { "'\(ServerText.shown($0))'" }.joined(separator: " or ")
            let age = maximumAge.map { "at most \($0) seconds ago" }
            return
                (["a new proof of who you are"] + (contexts.isEmpty ? [] : ["by \(contexts)"]) + [age].compactMap { $0 })
                .joined(separator: ", ")
        }
    }
}

extension StepUpRefused: Told {
    func told(_ task: Undertaking) -> Failure {
        task.failure(
            .consentRequired,
            "after \(rounds == 1 ? "another sign-in" : "\(rounds) sign-ins") the API still wants \(wanted.words)",
            hint: "ask whoever runs it what your account may do")
    }
}

extension AssumeRoleError: Told {
    func told(_ task: Undertaking) -> Failure {
        switch self {
        case .refused(let code, let message):
            return task.failure(
                .accessDenied, "the Security Token Service says \(code): \(message)",
                hint: "the role's trust policy must name the token's issuer and audience")
        case .malformed:
            return task.failure(
                .invalidResponse, "the Security Token Service's answer cannot be used",
                hint: "check --region and --sts-endpoint")
        }
    }
}

extension IDTokenRefused: Told {
    func told(_ task: Undertaking) -> Failure { rejection.told(task, offset: clockOffset, host: issuer.host) }
}

extension OwnClientOption {
    /// What a person types for it.
    fileprivate var flag: String {
        switch self {
        case .pushedRequest: "--par"
        case .boundTokens: "--dpop"
        }
    }
}

extension BoundToken: Told {
    func told(_ task: Undertaking) -> Failure {
        switch self {
        case .bearerOnly(let provider, .certificate):
            return task.failure(
                .unsupported,
                "tokens of '\(provider)' are bound to this client's certificate, and this is for bearer tokens",
                hint:
                    "to call an API: \(run: "authctl request --help"); with another tool that presents the certificate: \(run: "authctl token --provider \(provider)")"
            )
        case .byCertificate(let provider):
            return task.failure(
                .unsupported,
                "tokens of '\(provider)' are bound to this client's certificate: whoever opens the connection presents it, and there is nothing to print",
                hint:
                    "to call an API: \(run: "authctl request --help"); with curl: --cert and --key, and the token of \(run: "authctl token --provider \(provider)")"
            )
        case .bearerOnly(let provider, _):
            return task.failure(
                .unsupported,
                "tokens of '\(provider)' are bound to a key of this machine, and this is for bearer tokens",
                hint:
                    "to call an API: \(run: "authctl request --help"); for both headers of one request: \(run: "authctl token --help")"
            )
        case .notBound(let provider):
            return task.failure(
                .unsupported, "tokens of '\(provider)' are bound to no key, so that there is nothing to prove",
                hint:
                    "to have them bound, where the provider can: \(run: "authctl signin --provider \(provider) --dpop")"
            )
        case .tradedUnbound(let provider):
            return task.failure(
                .unsupported, "what '\(provider)' made is bound to no key, so that there is nothing to prove",
                hint:
                    "to have it bound, where the provider can: \(run: "authctl providers set \(provider) --dpop"), and where the session is its own, sign in anew"
            )
        case .givenElsewhere(let variable):
            return task.failure(
                .unsupported, "the token is that of \(variable), and no key is here that it could be bound to",
                hint: "for a session's token name its account with --account, or unset the variable")
        case .otherIssuer(let provider, let binding, let other):
            let what = binding == .certificate ? "this client's certificate" : "a key of this machine"
            return task.failure(
                .unsupported, "tokens of '\(provider)' are bound to \(what), and are nothing to '\(other)'",
                hint: "where that has one, its ID token is not bound: --type id")
        case .noTokenType(let provider):
            return task.failure(
                .unsupported, "'\(provider)' says that the token it made is used as no access token",
                hint: "for the token alone: without --header and --env")
        }
    }
}

extension TokenNotGood: Told {
    func told(_ task: Undertaking) -> Failure {
        switch reason {
        case .inactive:
            return task.failure(
                .invalidCredential, "the provider says that the token is not active",
                hint: "it has expired, was revoked, or is not for this client to ask about")
        case .expired:
            return task.failure(
                .invalidCredential, "the token has expired, although the provider says that it is active",
                hint: "check the clock of this machine, or get a new token")
        case .notYetValid:
            return task.failure(
                .invalidCredential, "the token is not valid yet, although the provider says that it is active",
                hint: "check the clock of this machine, or wait until the token is valid")
        case .differs(let name):
            return task.failure(
                .invalidCredential,
                "what the provider says of the token's '\(ServerText.shown(name))' is not what was asked for",
                hint: "to see what it says, ask without that: \(run: task.help)")
        }
    }
}
