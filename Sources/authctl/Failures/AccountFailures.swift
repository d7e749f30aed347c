import AuthCore

extension AccountConflict: UserFacingError {
    func explanation(_ context: ErrorContext) -> Explanation {
        switch self {
        case .existsWithDifferentCredential(let email, let providers, let pendingID):
            "'\(ServerText(email))' already signs in with \(quoted: providers)"
                .hint(AccountConflict.linking(email, providers, pendingID))
                .details([
                    "email": .string(email), "providers": JSONValue(providers), "pendingId": .string(pendingID),
                ])
        case .credentialAlreadyInUse(let provider, let email, let pendingID):
            "this identity of '\(provider)' is another account's"
                .hint("to open that account: \(run: "authctl signin --pending \(pendingID)")")
                .details([
                    "email": JSONValue(email), "providers": JSONValue([provider]), "pendingId": .string(pendingID),
                ])
        case .providerAlreadyLinked(let provider):
            "this account has '\(provider)' already".hint(
                "to see what is linked: \(run: "authctl whoami"); to link another, first: \(run: "authctl unlink --provider \(provider)")"
            )
        case .noSuchProvider(let provider):
            "this account has no '\(shown: provider)'".hint("to see what is linked: \(run: "authctl whoami")")
        case .emailAlreadyInUse(let email):
            "'\(ServerText(email))' is another account's address"
                .hint("sign in to that account: \(run: "authctl accounts lookup \(email)")")
                .details(["email": .string(email)])
        case .userMismatch:
            "that is somebody else; nothing was changed"
                .hint("sign in at the provider as the person this account belongs to: \(run: "authctl whoami")")
        }
    }

    /// How to sign in to the account that has the address, and link to it.
    private static func linking(_ email: String, _ providers: [String], _ pendingID: String) -> Hint? {
        // A project may name ways that end in no command here, such as phone numbers.
        let addressed = [PasswordProvider.id, ProjectWay.emailLink]
        guard let way = providers.first(where: { addressed.contains($0) || (try? ProviderID($0)) != nil })
        else { return nil }
        var signIn: ShellCommand = "authctl signin --provider \(way)"
        if addressed.contains(way) { signIn = "\(signIn) --email \(email)" }
        return
            "\(run: signIn) && \(run: "authctl link --pending \(pendingID)"), or in one: \(run: "\(signIn) --link-pending")"
    }
}

extension AccountRefusal: UserFacingError {
    func explanation(_ context: ErrorContext) -> Explanation {
        switch self {
        case .lastProvider(let provider):
            "'\(provider)' is the last way in to this account"
                .hint("link another provider first, or delete the account: \(run: "authctl accounts delete")")
        case .consentRequired(let provider):
            "tying an identity of '\(provider)' to other data needs the person's consent"
                .hint("where the person has agreed: --consent")
        case .requiresRecentLogin:
            "the last proof of who you are is older than five minutes"
                .hint("\(run: "authctl reauth"), then run it again; or run it with --reauth")
        case .customTokenNeeded:
            "this account re-authenticates with a custom token of the project's server"
                .hint("\(run: "authctl reauth --custom-token -"), then run it again")
        case .staleProof:
            "the proof that came is not a new one".hint("sign in at the provider again: \(run: "authctl reauth")")
        case .noSuchPending(let id):
            "no pending credential \(id.map { "'\(shown: $0)'" } ?? "fits"): each waits for an hour"
                .hint(run: "authctl pending list")
        case .ambiguousPending(let ids):
            "several credentials wait: name one (\(ids.joined(separator: ", ")))".hint(run: "authctl pending list")
        case .machine:
            "a machine's identity and a person's account stay apart"
                .hint("to see which is which: \(run: "authctl accounts list")")
        case .anonymous(let uid):
            "an anonymous account has nothing that could prove whose it is".hint(
                "to give it a way in: \(run: "authctl link --provider password"); to forget it on this machine alone: \(run: "authctl accounts delete \(uid) --here --yes")"
            )
        case .signedOut(let uid):
            "nobody is signed in to this account, so its project cannot be asked".hint(
                "sign in to it; or, to forget it on this machine alone: \(run: "authctl accounts delete \(uid) --here --yes")"
            )
        case .livesHere:
            "this account lives on this machine: to forget it is to delete it"
                .hint(run: "authctl accounts delete --reauth")
        case .noEmail:
            "this account has no address to sign in with".hint(
                "to give it one, with a password: \(run: "authctl link --provider password"); alone: \(run: "authctl accounts set-email --help")"
            )
        case .otherAddress(let own):
            "this account's address is '\(ServerText(own))', and it signs in with no other"
                .hint("to change the address: \(run: "authctl accounts set-email --help")")
        case .invalidImport(let fault): "\(ServerText(fault.message))".hint("nothing was changed")
        }
    }
}

extension ImportFault {
    fileprivate var message: String {
        switch self {
        case .noJSON: "it is not the JSON that an export is"
        case .otherVersion: "it is no export of this version"
        case .accountTaken(let uid): "account '\(uid)' is there already"
        case .identityTaken(let key): "identity '\(key.federatedID)' of '\(key.providerID)' is another account's"
        case .entry(let number, .noUIDOrDate): "account \(number): 'uid' or 'createdAt' is missing or wrong"
        case .entry(let number, .malformedIdentity): "account \(number): 'providerData'"
        case .entry(let number, .noneOrRepeatedProvider):
            "account \(number): 'providerData' is empty, or has a provider twice"
        case .entry(let number, .unusableHash):
            "account \(number): 'passwordHash' is damaged, or costs more than is bearable"
        case .entry(let number, .machineWithPassword): "account \(number): a machine has no password"
        }
    }
}

extension AccountNameError: UserFacingError {
    func explanation(_ context: ErrorContext) -> Explanation {
        switch self {
        case .noName(let text):
            "'\(shown: text)' is no name: it has letters, digits, '-', '_' and '.', a letter or digit first, and at most 64 of them"
        case .taken(let name, let owner):
            "'\(name)' is the name of \(shown: owner)"
                .hint("to take it from there: \(run: "authctl accounts name \(name) --remove")")
        case .uid(let name): "'\(name)' is the uid of an account"
        case .unnamed(let account): "\(shown: account) has no name"
        }
    }
}

extension PasswordError: UserFacingError {
    func explanation(_ context: ErrorContext) -> Explanation {
        let reset: Hint = "if it is forgotten: \(run: "authctl accounts reset-password --help")"
        return switch (self, context.command) {
        case (.wrong, ["signin"]):
            "the address or the password is wrong".hint("with --create it makes a new account")
        case (.wrong, _): "the address or the password is wrong".hint("try again")
        case (.wrongInProject, ["signin"]):
            "the address or the password is wrong".hint("\(reset); with --create it makes a new account")
        case (.wrongInProject, ["reauth"]):
            "the address or the password is wrong"
                .hint("\(reset); if the address has changed: \(run: "authctl signin --provider password")")
        case (.wrongInProject, _): "the address or the password is wrong".hint(reset)
        case (.weak(let reason), _): "this password is too weak: \(reason.message)".hint(.goodPassword)
        case (.throttled(let seconds), _):
            "too many wrong passwords for this address".hint("try again in \(seconds) seconds")
        case (.invalidEmail(let email), _): "'\(email)' is no email address"
        }
    }
}

extension PasswordError.Weakness {
    fileprivate var message: String {
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

extension DirectoryMismatch: UserFacingError {
    func explanation(_ context: ErrorContext) -> Explanation {
        let what = thing == .session ? "this session is" : "this sign-in was begun for an account"
        return "\(what) of \(made.name), and the accounts here are those of \(present.name) now"
            .hint(hint)
    }

    private var hint: Hint {
        switch (made, present) {
        case (.project(let made, let tenant, nil), .project(let id, let here, .some))
        where made == id && tenant == here:
            .run("unset FIREBASE_AUTH_EMULATOR_HOST")
        case (.project(let made, let tenant, let emulator?), .project(let id, let here, _))
        where made == id && tenant == here:
            .run("export FIREBASE_AUTH_EMULATOR_HOST=\(emulator)")
        case (_, .local): .signIn(nil)
        default: .signIn(provider)
        }
    }
}

extension DirectoryOrigin? {
    /// A directory as a person knows it.
    var name: String { self?.name ?? "an emulator that nobody noted" }
}

extension DirectoryOrigin {
    /// As a person knows it.
    var name: String {
        switch self {
        case .local: return "this machine"
        case .project(let id, let tenant, let emulator):
            let project =
                "the Firebase project '\(ServerText(id))'" + (tenant.map { ", tenant '\(ServerText($0))'" } ?? "")
            return emulator.map { "\(project) at the emulator '\(shown: $0)'" } ?? project
        }
    }
}

extension NotRenewed: UserFacingError {
    var isComplete: Bool { cause != .disabled }

    func explanation(_ context: ErrorContext) -> Explanation {
        switch cause {
        case .disabled:
            "an administrator of the project has disabled this account".hint("ask the project's administrator")
        case .accountGone: "this account is gone at the project".hint(.signIn(provider))
        case .ended: "the project has ended this session".hint(.signIn(provider))
        }
    }
}
