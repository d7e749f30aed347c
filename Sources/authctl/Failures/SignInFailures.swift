import AuthCore

extension NotSignedIn: UserFacingError {
    var isComplete: Bool { true }

    func explanation(_ context: ErrorContext) -> Explanation {
        switch self {
        case .noAccount: "not signed in".hint(run: context.signingIn)
        case .noCurrent(let others): NotSignedIn.noCurrent(others, context)
        case .passwordAlone:
            "this account signs in by password alone, which brings no tokens"
                .hint("to add a provider that has some: \(run: "authctl link")")
        case .unknownAccount(let name): "no account is called '\(shown: name)' here".hint(run: "authctl accounts list")
        case .ambiguousAccount(let name, let uids):
            "'\(shown: name)' is ambiguous: several accounts here have it, name one by its uid (\(shown: uids))"
                .hint(run: "authctl accounts list")
        case .ambiguousPrefix(let prefix, let accounts):
            "'\(shown: prefix)' could be \(accounts.map { ServerText.shown($0) }.joined(separator: " or "))"
                .hint(run: "authctl accounts list")
        case .noSession(let provider?): "not signed in to '\(shown: provider)'".hint(.signIn(provider))
        case .noSession(nil): "this account has no session here".hint(.signIn(nil))
        case .ambiguous(let providers):
            "this account has sessions with several providers: name one (\(providers.joined(separator: ", ")))"
                .hint("add --provider \(providers[0])")
        case .severalAccounts(let provider, let accounts):
            "the current account is not signed in to '\(shown: provider)', and several others are: name one (\(shown: accounts))"
                .hint("add --account \(accounts[0])")
        case .onlyForResources(let resources, _):
            "this account has only tokens for protected resources: name one (\(resources.joined(separator: ", ")))"
                .hint("add --resource \(resources[0])")
        case .noSessionForResource(let url, let others) where others.isEmpty:
            "no token is for '\(shown: url)'".hint(run: "authctl signin --resource \(url)")
        case .noSessionForResource(let url, let others):
            "no token is for '\(shown: url)', but for one of another account (\(shown: others))"
                .hint("if that is meant: add --account \(others[0]); else: \(run: "authctl signin --resource \(url)")")
        case .challenged(let url, let scopes):
            "'\(shown: url)' requires a token, and you are not signed in for it"
                .hint(run: NotSignedIn.signingIn(for: url, scopes))
        case .noToken(.access, let provider):
            "the session with '\(provider)' has no access token"
                .hint(run: "authctl token --type id --provider \(provider)")
        case .noToken(.id, let provider) where Dialect.named(provider)?.hasIDTokens == false:
            "the session with '\(provider)' has no ID token".hint(run: "authctl token --provider \(provider)")
        case .noToken(.id, let provider): "the session with '\(provider)' has no ID token".hint(.signIn(provider))
        case .expired(let provider):
            "the session with '\(provider)' has expired and cannot be renewed without you".hint(.signIn(provider))
        case .personalTokenExpired(let provider):
            "the personal access token of '\(provider)' has expired or expires too soon, and cannot be refreshed"
                .hint(run: .handingOver(provider))
        case .refused(let provider): "'\(provider)' no longer renews this session".hint(.signIn(provider))
        case .keyLost(let provider):
            "the key that the tokens of '\(provider)' are bound to is no longer here".hint(.signIn(provider))
        case .otherCertificate(let provider):
            "the tokens of '\(provider)' are bound to another certificate than its entry names now"
                .hint("name that one again, or sign in with this one: \(run: .signIn(provider))")
        case .certificateGone(let provider):
            "the tokens of '\(provider)' are bound to a certificate, and its entry names none now".hint(
                "name it again with providers set --certificate, or sign in without it: \(run: .signIn(provider))")
        case .unbound(let provider):
            "the tokens of '\(provider)' are bound to nothing, and its entry is held to FAPI 2.0"
                .hint(.signIn(provider))
        case .jobOver(let platform):
            "the session of this job has expired, and its CI system gives no new token here"
                .hint("in a job: \(run: "authctl signin --ci \(platform)")")
        case .elsewhere(let provider, let issuer):
            "this session with '\(provider)' was made at '\(ServerText(issuer))', and its entry now names another"
                .hint(.signIn(provider))
        }
    }

    private static func noCurrent(_ others: [String], _ context: ErrorContext) -> Explanation {
        let more = others.count > 3 ? " and \(others.count - 3) more" : ""
        let change: Hint =
            others.count == 1
            ? .run("authctl accounts switch \(others[0])")
            : "\(run: "authctl accounts list"), then accounts switch"
        return "no account is the current one; signed in are \(shown: others.prefix(3))\(more)"
            .hint("\(change); or as somebody else: \(run: context.signingIn)")
    }

    private static func signingIn(for url: String, _ scopes: [String]) -> ShellCommand {
        let command: ShellCommand = "authctl signin --resource \(url)"
        return scopes.isEmpty ? command : "\(command) --scope \(scopes.joined(separator: " "))"
    }
}

extension SignInError: UserFacingError {
    var isComplete: Bool { if case .begunAs = self { true } else { false } }

    func explanation(_ context: ErrorContext) -> Explanation {
        switch self {
        case .timedOut(let seconds):
            "nobody answered within \(seconds) seconds"
                .hint("if the browser showed an error of the provider, read it there; else: \(run: context.again)")
        case .unanswered(let pause):
            "nobody answered the last one with these flags, so no browser is opened again for \(pause) seconds".hint(
                "on a terminal: \(run: context.again); for a script that shows the URL itself: \(run: "\(context.again) --begin")"
            )
        case .noBrowser:
            "no browser can be opened here, and nobody can paste anything".hint(
                "to visit the URL on another machine: \(run: "\(context.again) --begin"), then --complete; to visit it on this one: \(run: "\(context.again) --no-browser")"
            )
        case .interactionRequired: "a person is needed, and none may be asked".hint(context.unattended)
        case .unreachableRedirectURI(let uri):
            "'\(uri)' does not end at this machine by itself"
                .hint("name the port that your proxy or tunnel ends at with --port, or use --flow paste")
        case .redirectURINeeded(let provider):
            "'\(provider)' takes no loopback redirect URI".hint(
                "name an https URL of a proxy or tunnel of yours that ends at --port, with --redirect-uri: \(run: "authctl providers set \(provider) --help"); where a Firebase project is its client: \(run: "authctl profile set --help")"
            )
        case .browserNeedsSecret(let provider):
            "'\(provider)' has no client secret here, so it signs in by a code for another device, which no second call ends"
                .hint(
                    "without --begin: \(run: context.again); or give it one: \(run: "authctl providers set \(provider) --help")"
                )
        case .notThroughProject(let option, let provider):
            "\(option.flag) can be checked only where this machine is a client of '\(provider)'"
                .hint("\(context.registering(provider)), or leave \(Hint(ours: option.flag)) out")
        case .onlyByOwnClient(let option, let provider):
            "\(option.flag) is for a client of this machine, and that of '\(provider)' is the Firebase project"
                .hint("\(context.registering(provider)), or leave \(Hint(ours: option.flag)) out")
        case .nonceUsedBefore: "this nonce was used before".hint("get a new ID token with a new nonce")
        case .notBegun(let id):
            "no sign-in '\(shown: id)' waits for its answer"
                .hint("each waits as long as --begin said: begin another one")
        case .begunAs(let kind, let id):
            "it was begun by \(kind.command.text)".hint(run: "\(kind.command) --complete \(id)")
        case .notTheAnswer(let fault, let redirectURI, let kind, let id):
            "that is not it: \(fault.message(at: ServerText.shown(redirectURI)))"
                .hint("it is still waited for: \(run: "\(kind.command) --complete \(id)")")
        case .nothingPasted: "input ended before a callback URL came".hint(run: context.again)
        }
    }
}

extension SignInOperation.Kind {
    /// What begins it.
    fileprivate var command: ShellCommand {
        switch self {
        case .signIn: "authctl signin"
        case .link: "authctl link"
        case .reauthenticate: "authctl reauth"
        }
    }
}

extension PastedFault {
    /// What somebody pasted instead, and what to look for.
    func message(at redirectURI: String) -> String {
        let what =
            switch self {
            case .noAnswer: "no URL that a browser ended at"
            case .anotherPage: "another page's URL"
            case .anotherSignIn: "the answer to another sign-in"
            }
        return "\(what); the one to paste begins with \(redirectURI)?"
    }
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
