import AuthCore

extension AccountConflict: Told {
    func told(_ task: Undertaking) -> Failure {
        func make(_ code: Failure.Code, _ message: String, _ hint: Hint?) -> Failure {
            task.failure(code, message, hint: hint)
        }
        switch self {
        case .existsWithDifferentCredential(let email, let providers, let pendingID):
            let listed = providers.map { "'\($0)'" }.joined(separator: ", ")
            // A project may name ways that end in no command here, such as phone numbers.
            let addressed = [PasswordProvider.id, ProjectWay.emailLink]
            let way = providers.first { addressed.contains($0) || (try? ProviderID($0)) != nil }
            let signIn = way.map { provider -> ShellCommand in
                addressed.contains(provider)
                    ? "authctl signin --provider \(provider) --email \(email)"
                    : "authctl signin --provider \(provider)"
            }
            var failure = make(
                .accountExistsWithDifferentCredential, "'\(ServerText(email))' already signs in with \(listed)",
                signIn.map {
                    "\(run: $0) && \(run: "authctl link --pending \(pendingID)"), or in one: \(run: "\($0) --link-pending")"
                })
            failure.details["email"] = .string(email)
            failure.details["providers"] = JSONValue(providers)
            failure.details["pendingId"] = .string(pendingID)
            return failure
        case .credentialAlreadyInUse(let provider, let email, let pendingID):
            var failure = make(
                .credentialAlreadyInUse, "this identity of '\(provider)' is another account's",
                "to open that account: \(run: "authctl signin --pending \(pendingID)")")
            failure.details["email"] = JSONValue(email)
            failure.details["providers"] = JSONValue([provider])
            failure.details["pendingId"] = .string(pendingID)
            return failure
        case .providerAlreadyLinked(let provider):
            return make(
                .providerAlreadyLinked, "this account has '\(provider)' already",
                "to see what is linked: \(run: "authctl whoami"); to link another, first: \(run: "authctl unlink --provider \(provider)")"
            )
        case .noSuchProvider(let provider):
            return make(
                .noSuchProvider, "this account has no '\(ServerText.shown(provider))'",
                "to see what is linked: \(run: "authctl whoami")")
        case .emailAlreadyInUse(let email):
            var failure = make(
                .emailAlreadyInUse, "'\(ServerText(email))' is another account's address",
                "sign in to that account: \(run: "authctl accounts lookup \(email)")")
            failure.details["email"] = .string(email)
            return failure
        case .userMismatch:
            return make(
                .userMismatch, "that is somebody else; nothing was changed",
                "sign in at the provider as the person this account belongs to: \(run: "authctl whoami")")
        }
    }
}

extension AccountRefusal: Told {
    func told(_ task: Undertaking) -> Failure {
        func make(_ code: Failure.Code, _ message: String, _ hint: Hint?) -> Failure {
            task.failure(code, message, hint: hint)
        }
        switch self {
        case .lastProvider(let provider):
            return make(
                .operationNotAllowed, "'\(provider)' is the last way in to this account",
                "link another provider first, or delete the account: \(run: "authctl accounts delete")")
        case .consentRequired(let provider):
            return make(
                .consentRequired, "tying an identity of '\(provider)' to other data needs the person's consent",
                "where the person has agreed: --consent")
        case .requiresRecentLogin:
            return make(
                .requiresRecentLogin, "the last proof of who you are is older than five minutes",
                "\(run: "authctl reauth"), then run it again; or run it with --reauth")
        case .customTokenNeeded:
            return make(
                .requiresRecentLogin, "this account re-authenticates with a custom token of the project's server",
                "\(run: "authctl reauth --custom-token -"), then run it again")
        case .staleProof:
            return make(
                .requiresRecentLogin, "the proof that came is not a new one",
                "sign in at the provider again: \(run: "authctl reauth")")
        case .noSuchPending(let id):
            let what = id.map { "no pending credential '\(ServerText.shown($0))'" } ?? "no pending credential fits"
            return make(.invalidCredential, "\(what): each waits for an hour", .run("authctl pending list"))
        case .ambiguousPending(let ids):
            return task.usage(
                "several credentials wait: name one (\(ids.joined(separator: ", ")))",
                hint: .run("authctl pending list"))
        case .machine:
            return make(
                .operationNotAllowed, "a machine's identity and a person's account stay apart",
                "to see which is which: \(run: "authctl accounts list")")
        case .anonymous(let uid):
            return make(
                .operationNotAllowed, "an anonymous account has nothing that could prove whose it is",
                "to give it a way in: \(run: "authctl link --provider password"); to forget it on this machine alone: \(run: "authctl accounts delete \(uid) --here --yes")"
            )
        case .signedOut(let uid):
            return make(
                .notSignedIn, "nobody is signed in to this account, so its project cannot be asked",
                "sign in to it; or, to forget it on this machine alone: \(run: "authctl accounts delete \(uid) --here --yes")"
            )
        case .livesHere:
            return make(
                .operationNotAllowed, "this account lives on this machine: to forget it is to delete it",
                .run("authctl accounts delete --reauth"))
        case .noEmail:
            return make(
                .operationNotAllowed, "this account has no address to sign in with",
                "to give it one, with a password: \(run: "authctl link --provider password"); alone: \(run: "authctl accounts set-email --help")"
            )
        case .otherAddress(let own):
            return make(
                .operationNotAllowed, "this account's address is '\(ServerText(own))', and it signs in with no other",
                "to change the address: \(run: "authctl accounts set-email --help")")
        case .invalidImport(let fault):
            return task.failure(.invalidResponse, "\(ServerText(fault.words))", hint: "nothing was changed")
        }
    }
}

extension ImportFault {
    fileprivate var words: String {
        switch self {
        case .noJSON: "it is not the JSON that an export is"
        case .otherVersion: "it is no export of this version"
        case .accountTaken(let uid): "account '\(uid)' is there already"
        case .identityTaken(let key): "identity '\(key.federatedID)' of '\(key.providerID)' is another account's"
        case .entry(let number, let fault): "account \(number): \(fault.words)"
        }
    }
}

extension ImportFault.Entry {
    fileprivate var words: String {
        switch self {
        case .noUIDOrDate: "'uid' or 'createdAt' is missing or wrong"
        case .malformedIdentity: "'providerData'"
        case .noneOrRepeatedProvider: "'providerData' is empty, or has a provider twice"
        case .unusableHash: "'passwordHash' is damaged, or costs more than is bearable"
        case .machineWithPassword: "a machine has no password"
        }
    }
}

extension AccountNameError: Told {
    func told(_ task: Undertaking) -> Failure {
        switch self {
        case .noName(let text):
            return task.usage(
                "'\(ServerText.shown(text))' is no name: it has letters, digits, '-', '_' and '.', a letter or digit first, and at most 64 of them"
            )
        case .taken(let name, let owner):
            return task.usage(
                "'\(name)' is the name of \(ServerText.shown(owner))",
                hint: "to take it from there: \(run: "authctl accounts name \(name) --remove")")
        case .uid(let name): return task.usage("'\(name)' is the uid of an account")
        case .unnamed(let account): return task.usage("\(ServerText.shown(account)) has no name")
        }
    }
}

extension PasswordError: Told {
    func told(_ task: Undertaking) -> Failure {
        switch self {
        case .wrong:
            return task.failure(
                .wrongPassword, "the address or the password is wrong",
                hint: task.command == ["signin"] ? "with --create it makes a new account" : "try again")
        case .wrongInProject:
            let reset: Hint = "if it is forgotten: \(run: "authctl accounts reset-password --help")"
            let hint: Hint =
                switch task.command {
                case ["signin"]: "\(reset); with --create it makes a new account"
                case ["reauth"]:
                    "\(reset); if the address has changed: \(run: "authctl signin --provider password")"
                default: reset
                }
            return task.failure(.wrongPassword, "the address or the password is wrong", hint: hint)
        case .weak(let reason):
            return task.failure(
                .weakPassword, "this password is too weak: \(reason.words)",
                hint: "several unrelated words make a good one")
        case .throttled(let seconds):
            return task.failure(
                .tooManyRequests, "too many wrong passwords for this address",
                hint: "try again in \(seconds) seconds")
        case .invalidEmail(let email): return task.usage("'\(email)' is no email address")
        }
    }
}

extension PasswordError.Weakness {
    fileprivate var words: String {
        switch self {
        case .tooLong(let maximumBytes): "it is longer than \(maximumBytes) bytes"
        case .tooShort(let minimumLength): "it has fewer than \(minimumLength) characters"
        case .fewCharacters: "it repeats few characters"
        case .hasAddress: "it contains the email address"
        case .sequence: "it is a row of letters or digits"
        case .common: "it is one of those that are tried first"
        }
    }
}

extension MadeElsewhere: Told {
    func told(_ task: Undertaking) -> Failure {
        let what = thing == .session ? "this session is" : "this sign-in was begun for an account"
        let hint: Hint
        switch (made, present) {
        case (.project(let made, let tenant, nil), .project(let id, let here, .some))
        where made == id && tenant == here:
            hint = .run("unset FIREBASE_AUTH_EMULATOR_HOST")
        case (.project(let made, let tenant, let emulator?), .project(let id, let here, _))
        where made == id && tenant == here:
            hint = .run("export FIREBASE_AUTH_EMULATOR_HOST=\(emulator)")
        case (_, .local): hint = .signIn(nil)
        default: hint = Hint.signIn(provider)
        }
        return task.failure(
            .notSignedIn,
            "\(what) of \(Failure.text(made)), and the accounts here are those of \(Failure.text(present)) now",
            hint: hint)
    }
}

extension NotRenewed: Told {
    func told(_ task: Undertaking) -> Failure {
        switch cause {
        case .disabled:
            task.failure(
                .userDisabled, "an administrator of the project has disabled this account",
                hint: "ask the project's administrator")
        case .accountGone:
            Failure(.notSignedIn, "this account is gone at the project", hint: .signIn(provider))
        case .ended: Failure(.notSignedIn, "the project has ended this session", hint: .signIn(provider))
        }
    }
}

extension Failure {
    /// A directory as a person knows it.
    static func text(_ origin: DirectoryOrigin?) -> String {
        switch origin {
        case nil: return "an emulator that nobody noted"
        case .local: return "this machine"
        case .project(let id, let tenant, let emulator):
            let project =
                "the Firebase project '\(ServerText(id))'" + (tenant.map { ", tenant '\(ServerText($0))'" } ?? "")
            return emulator.map { "\(project) at the emulator '\(ServerText.shown($0))'" } ?? project
        }
    }
}
