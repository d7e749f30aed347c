import AuthCore

extension NotSignedIn: UserFacingError {
    var isComplete: Bool { true }

    func explanation(_ context: ErrorContext) -> Explanation {
        switch self {
        case .noAccount: "not signed in".hint(run: context.newSession)
        case .noCurrent(let others): NotSignedIn.noCurrent(others, context)
        case .passwordSessionOnly:
            "a sign-in by password does not provide tokens"
                .hint("to add a provider with tokens: \(run: "authctl link")")
        case .unknownAccount(let name):
            "no account on this machine matches '\(shown: name)'".hint(
                run: "authctl accounts list")
        case .ambiguousAccount(let name, let uids):
            "'\(shown: name)' is ambiguous: choose an account by its uid (\(shown: uids))"
                .hint(run: "authctl accounts list")
        case .ambiguousPrefix(let prefix, let accounts):
            "'\(shown: prefix)' could be \(accounts.map { ServerText.shown($0) }.joined(separator: " or "))"
                .hint(run: "authctl accounts list")
        case .noSession(let provider?, let user):
            "not signed in to '\(shown: provider)'\(user.map { " as '\(shown: $0)'" } ?? "")".hint(
                run: user.map { "authctl signin \("\(provider)/\($0)")" } ?? .signIn(provider))
        case .noSession(nil, _): "this account has no session on this machine".hint(.signIn(nil))
        case .signedOut(let account):
            "this account has no session on this machine".hint(
                run: context.purpose == .linkPending ? "\(.signIn(to: account)) --link-pending" : .signIn(to: account))
        case .ambiguous(let providers):
            "this account has sessions with several providers: choose one (\(providers.joined(separator: ", ")))"
                .hint("add --provider \(providers[0])")
        case .otherAccounts(let provider, let account, let accounts):
            """
            \(account.map { "'\(shown: $0)'" } ?? "the current account") is not signed in to '\(shown: provider)', \
            but \(accounts.count == 1 ? "\(shown: accounts) is" : "several others are: choose one (\(shown: accounts))")
            """.hint("add --account \(accounts[0])")
        case .onlyForResources(let resources, _):
            "this account has only tokens for protected resources: choose one (\(resources.joined(separator: ", ")))"
                .hint("add --resource \(resources[0])")
        case .noSessionForResource(let url, let others) where others.isEmpty:
            "no token for the resource '\(shown: url)'".hint(run: "authctl signin --resource \(url)")
        case .noSessionForResource(let url, let others):
            "this account has no token for the resource '\(shown: url)', but another account has one (\(shown: others))"
                .hint("add --account \(others[0])")
        case .challenged(let url):
            "'\(shown: url)' requires a token, but no session has one for it"
                .hint(run: "authctl signin --resource \(url)")
        case .ofResource(let error, let resource, let provider, let source):
            error.explanation(context).adding("", hint: .run(.signIn(provider, for: resource, as: source)))
        case .noToken(.access, let provider):
            "the session with '\(provider)' has no access token"
                .hint(run: "authctl token --type id --provider \(provider)")
        case .noToken(.id, let provider) where Dialect.named(provider)?.hasIDTokens == false:
            "the session with '\(provider)' has no ID token".hint(run: "authctl token \(provider)")
        case .noToken(.id, let provider): "the session with '\(provider)' has no ID token".hint(.signIn(provider))
        case .expired(let provider):
            "the session with '\(provider)' cannot be refreshed, because it has no valid refresh token; sign in again"
                .hint(.signIn(provider))
        case .ended(let provider, let end):
            "the session with '\(provider)' ended on \(RelativeTime.date(end)); sign in again".hint(.signIn(provider))
        case .personalTokenExpired(let provider, let isExpired):
            "the personal access token of '\(provider)' \(isExpired ? "has expired" : "cannot be refreshed")"
                .hint(run: .signInWithToken(provider))
        case .refused(let provider): "'\(provider)' rejected the refresh token; sign in again".hint(.signIn(provider))
        case .clientForgotten(let provider):
            "'\(provider)' does not know the client any more that authctl registered; sign in again"
                .hint(.signIn(provider))
        case .responseLost(let provider):
            "the last response of '\(provider)' was lost, and it does not accept the refresh token again; sign in again"
                .hint(.signIn(provider))
        case .tokenRejected(let provider, let isPersonal):
            "'\(provider)' rejects the access token, which cannot be refreshed; sign in again"
                .hint(run: isPersonal ? .signInWithToken(provider) : .signIn(provider))
        case .tokenRejectedFor(let path, let provider):
            "the server rejected the token of '\(provider)' for '\(shown: path)'"
                .hint("this account may have no access to it")
        case .noIDTokenAtRefresh(let provider):
            "'\(provider)' returns no ID token when it refreshes".hint(
                "to use the access token: add --type access; for a new ID token: \(run: .signIn(provider))")
        case .keyLost(let provider):
            "the DPoP key of the tokens of '\(provider)' is missing on this machine".hint(.signIn(provider))
        case .otherCertificate(let provider):
            "the tokens of '\(provider)' are bound to another certificate than the configured one"
                .hint(.signIn(provider))
        case .certificateMissing(let provider):
            "the tokens of '\(provider)' are bound to a certificate, but none is configured".hint(.signIn(provider))
        case .unbound(let provider):
            "the tokens of '\(provider)' are not sender-constrained, as FAPI 2.0 requires".hint(.signIn(provider))
        case .jobTokensExpired(let platform):
            "'\(platform)' does not provide a new token to this process"
                .hint("in a CI job: \(run: "authctl signin --ci \(platform)")")
        case .otherIssuer(let provider, let issuer):
            "this session with '\(provider)' is from the issuer '\(ServerText(issuer))', which is not the configured issuer"
                .hint(.signIn(provider))
        }
    }

    private static func noCurrent(_ others: [String], _ context: ErrorContext) -> Explanation {
        let more = others.count > 3 ? " and \(others.count - 3) more" : ""
        return "no current account; signed in: \(shown: others.prefix(3))\(more)".hint(
            run: "authctl accounts switch \(others[0])")
    }
}

extension SignInError: UserFacingError {
    var isComplete: Bool { if case .startedAs = self { true } else { false } }

    func explanation(_ context: ErrorContext) -> Explanation {
        switch self {
        case .timedOut(let seconds):
            "timed out waiting for the sign-in after \(seconds) s"
                .hint("the page in the browser may show the reason")
        case .recentlyTimedOut(let pause):
            "the last sign-in timed out; the browser can be opened again in \(pause) seconds"
                .hint("on a terminal, it is opened at once")
        case .noBrowser:
            "no browser can be opened, and the callback URL cannot be pasted"
                .hint("to print the URL instead: add --no-browser")
        case .interactionRequired:
            "user interaction is required, but this run is non-interactive".hint(unattended(context))
        case .unreachableRedirectURI(let uri):
            "'\(uri)' is not a loopback redirect URI"
                .hint("set --port to the local port of your proxy or tunnel, or add --flow paste")
        case .redirectURINeeded(let provider):
            "'\(provider)' does not accept loopback redirect URIs".hint(
                "set the https URL of a proxy or tunnel that forwards to --port: \(run: "authctl providers set \(provider) --redirect-uri URL")"
            )
        case .registeredPortInUse(let port):
            "port \(port) of the redirect URI is in use by another program".hint(
                "end that program, or paste the callback URL: add --flow paste")
        case .noFixedPort: "--listen requires a fixed port, which the container publishes".hint("add --port 8400")
        case .confirmationNeedsTerminal:
            "--listen requires a terminal, to confirm that the callback came from your browser"
                .hint("use a code on another device: add --flow device")
        case .notConfirmed:
            "the browser does not show the number, so another program sent the callback"
                .hint("sign in without a published port: add --flow device or --flow paste")
        case .browserNeedsSecret(let provider, let flow):
            "'\(provider)' is configured without a client secret and uses the device flow, which does not support \(SignInError.option(flow))"
                .hint(context.setting(["--client-secret-stdin": true], if: "if it has a secret: "))
        case .notThroughProject(let option, let provider):
            "\(option.flag) can be checked only if this machine has a client of '\(provider)'"
                .hint(SignInError.omitting(option.flag, at: provider))
        case .onlyByOwnClient(let option, let provider):
            "\(option.flag) requires a client on this machine, but '\(provider)' is used through the Firebase project"
                .hint(SignInError.omitting(option.flag, at: provider))
        case .nonceUsedBefore: "this nonce was used before".hint("get a new ID token with a new nonce")
        case .noPendingSignIn(let id):
            "pending sign-in not found: '\(shown: id)'".hint("it may have expired; to begin another: --begin")
        case .startedAs(let kind, let id):
            "this sign-in was started by \(kind.command.text)".hint(run: "\(kind.command) --complete \(id)")
        case .notTheCallback(let fault, let redirectURI, let kind, let id):
            "unexpected input: \(fault.message(at: ServerText.shown(redirectURI)))"
                .hint("the sign-in is still pending: \(run: "\(kind.command) --complete \(id)")")
        case .emptyInput: "input ended before the callback URL"
        }
    }

    private func unattended(_ context: ErrorContext) -> Hint {
        if context.provider == PasswordProvider.id || context.purpose == .changePassword {
            return "add --password-stdin"
        }
        return context.purpose == .signIn ? .run(context.signingIn) : "run it on a terminal"
    }

    private static func option(_ flow: SignInRequest.Flow) -> String {
        flow == .auto ? "--begin" : "--flow \(flow.rawValue)"
    }

    private static func omitting(_ option: String, at provider: String) -> Hint {
        let omission: Hint = "omit \(Hint(prose: option))"
        // A project ignores the client that this machine configures.
        return Dialect.isOnlyProjects(provider) ? omission : "\(run: .setup(provider)), or \(omission)"
    }
}

extension SignInOperation.Kind {
    fileprivate var command: ShellCommand {
        switch self {
        case .signIn: "authctl signin"
        case .link: "authctl link"
        case .reauthenticate: "authctl reauth"
        }
    }
}

extension PastedResponseFault {
    /// Explains what was pasted, and how the callback URL begins.
    func message(at redirectURI: String) -> String {
        let what =
            switch self {
            case .notACallback: "not a callback URL"
            case .anotherPage: "the URL of another page"
            case .anotherSignIn: "the callback URL of another sign-in"
            case .cutOff: "the end of the callback URL is missing"
            }
        return "\(what); the callback URL begins with \(redirectURI)?"
    }
}

extension OwnClientOption {
    fileprivate var flag: String {
        switch self {
        case .pushedRequest: "--par"
        case .boundTokens: "--dpop"
        }
    }
}
