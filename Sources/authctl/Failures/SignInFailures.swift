import AuthCore

extension NotSignedIn: Told {
    func told(_ task: Undertaking) -> Failure {
        func make(_ message: String, _ hint: Hint) -> Failure { Failure(.notSignedIn, message, hint: hint) }
        switch self {
        case .noAccount: return make("not signed in", "authctl signin")
        case .unknownAccount(let name):
            return make("no account is called '\(ServerText.shown(name))' here", "authctl accounts list")
        case .ambiguousAccount(let name, let uids):
            let listed = uids.map { ServerText.shown($0) }.joined(separator: ", ")
            return make(
                "'\(ServerText.shown(name))' is ambiguous: several accounts here have it, name one by its uid (\(listed))",
                "authctl accounts list")
        case .noSession(let provider?):
            return make(
                "not signed in to '\(ServerText.shown(provider))'",
                "authctl signin --provider \(provider)")
        case .noSession(nil): return make("this account has no session here", "authctl signin")
        case .ambiguous(let providers):
            return .usage(
                "this account has sessions with several providers: name one (\(providers.joined(separator: ", ")))",
                hint: "add --provider \(providers[0])")
        case .noToken(.access, let provider):
            return make("the session with '\(provider)' has no access token", "authctl token --type id")
        case .noToken(.id, let provider):
            return make("the session with '\(provider)' has no ID token", "authctl signin --provider \(provider)")
        case .expired(let provider):
            return make(
                "the session with '\(provider)' has expired and cannot be renewed without you",
                "authctl signin --provider \(provider)")
        case .refused(let provider):
            return make("'\(provider)' no longer renews this session", "authctl signin --provider \(provider)")
        case .jobOver(let platform):
            return make(
                "the session of this job has expired, and its CI system gives no new token here",
                "in a job: authctl signin --ci \(platform)")
        case .elsewhere(let provider, let issuer):
            return make(
                "this session with '\(provider)' was made at '\(ServerText(issuer))', and its entry now names another",
                "authctl signin --provider \(provider)")
        }
    }
}

extension SignInError: Told {
    func told(_ task: Undertaking) -> Failure {
        switch self {
        case .timedOut(let seconds):
            return task.failure(
                .timeout, "nobody answered within \(seconds) seconds",
                hint: "if the browser showed an error of the provider, read it there; else \(task.again)")
        case .unanswered(let pause):
            return task.failure(
                .interactionRequired,
                "nobody answered the last one with these flags, so no browser is opened again for \(pause) seconds",
                hint: "on a terminal: \(task.again); for a script that shows the URL itself: \(task.again) --begin")
        case .noBrowser:
            return task.failure(
                .interactionRequired, "no browser can be opened here, and nobody can paste anything",
                hint: "who visits the URL elsewhere: --begin and --complete; who visits it here: --no-browser")
        case .interactionRequired:
            return task.failure(
                .interactionRequired, "a person is needed, and none may be asked", hint: task.again
            )
        case .unreachableRedirectURI(let uri):
            return task.failure(
                .invalidConfiguration, "'\(uri)' does not end at this machine by itself",
                hint: "name the port that your proxy or tunnel ends at with --port, or use --flow paste")
        case .redirectURINeeded(let provider):
            return task.failure(
                .invalidConfiguration, "'\(provider)' takes no loopback redirect URI",
                hint:
                    "authctl providers add \(provider) … --redirect-uri https://… (a proxy or tunnel of yours that ends at --port); where a Firebase project is its client, authctl profile set … --redirect-uri"
            )
        case .notThroughProject(let option, let provider):
            return .usage(
                "\(task.failed): \(option.flag) can be checked only where this machine is a client of '\(provider)'",
                hint: "authctl providers add \(provider) --client-id …, or leave \(Hint(ours: option.flag)) out")
        case .nonceUsedBefore:
            return task.failure(
                .missingOrInvalidNonce, "this nonce was used before",
                hint: "get a new ID token with a new nonce")
        case .notBegun(let id):
            return task.failure(
                .invalidCredential, "no sign-in '\(ServerText.shown(id))' waits for its answer",
                hint: "each waits as long as --begin said: begin another one")
        case .begunAs(let kind):
            let command =
                switch kind {
                case .signIn: "signin"
                case .link: "link"
                case .reauthenticate: "reauth"
                }
            return .usage("it was begun by authctl \(command)", hint: "authctl \(command) --complete …")
        case .nothingPasted:
            return task.failure(.userCancelled, "input ended before a callback URL came", hint: task.again)
        }
    }
}

extension RequestRefused: Told {
    func told(_ task: Undertaking) -> Failure {
        switch self {
        case .host(let origin, let provider, let owner):
            let said = "the token of '\(provider)' is not for '\(origin)'"
            guard let owner else {
                return task.failure(
                    .operationNotAllowed, said,
                    hint: "if it is: authctl providers set \(provider) --api-host \(origin)")
            }
            let account = owner.account
            return task.failure(
                .operationNotAllowed, "\(said), where '\(owner.provider)' of \(ServerText.shown(account)) is",
                hint: "add --account \(account) --provider \(owner.provider)")
        case .status(let status):
            return task.failure(
                .requestFailed, exitCode: status == 401 ? 4 : status >= 500 || status == 429 ? 69 : 1,
                "status \(status)",
                hint: status == 401 ? "authctl token --force-refresh, or sign in again" : "the answer says why")
        }
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
    func told(_ task: Undertaking) -> Failure { rejection.told(offset: clockOffset, host: issuer.host) }
}
