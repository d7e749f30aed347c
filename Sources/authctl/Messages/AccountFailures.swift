import AuthCore

extension AccountConflict: UserFacingError {
    func explanation(_ context: ErrorContext) -> Explanation {
        switch self {
        case .existsWithDifferentCredential(let email, let providers, let pendingID):
            "'\(ServerText(email))' already signs in with \(quoted: providers)"
                .hint(AccountConflict.linking(email, with: providers))
                .details([
                    "email": .string(email), "providers": JSONValue(providers), "pendingId": .string(pendingID),
                ])
        case .credentialAlreadyInUse(let provider, let email, let pendingID):
            "this identity of '\(provider)' is linked to another account"
                .hint("to open that account: \(run: "authctl signin --pending \(pendingID)")")
                .details([
                    "email": JSONValue(email), "providers": JSONValue([provider]), "pendingId": .string(pendingID),
                ])
        case .providerAlreadyLinked(PasswordProvider.id):
            "this account already has a password sign-in".hint(
                "to change the password: \(run: "authctl accounts set-password")")
        case .providerAlreadyLinked(let provider):
            "this account is already linked to '\(provider)'"
        case .noSuchProvider(let provider):
            "this account is not linked to '\(shown: provider)'".hint(run: "authctl whoami")
        case .emailAlreadyInUse(let email):
            "'\(ServerText(email))' is the address of another account"
                .hint(run: "authctl accounts lookup \(email)")
                .details(["email": .string(email)])
        case .userMismatch:
            "a different user signed in; nothing was changed"
                .hint("the browser may be signed in at the provider as another user: sign out there")
        }
    }

    private static func linking(_ email: String, with providers: [String]) -> Hint? {
        // A project may list sign-in methods that no command supports, such as phone numbers.
        let addressed = ProjectSignInProvider.byAddress
        let provider = providers.first { addressed.contains($0) || (try? ProviderID($0)) != nil }
        return provider.map { .run("\(.signIn($0, email: email, suggestsUser: true)) --link-pending") }
    }
}

extension AccountRefusal: UserFacingError {
    func explanation(_ context: ErrorContext) -> Explanation {
        switch self {
        case .lastProvider(let provider):
            "'\(provider)' is the only sign-in method of this account"
                .hint("link another provider first, or delete the account: \(run: "authctl accounts delete")")
        case .consentRequired(let provider):
            "linking an identity of '\(provider)' requires the user's consent"
                .hint("after the user has agreed: add --consent")
        case .requiresRecentLogin:
            "this requires a sign-in within the last five minutes".hint("to re-authenticate first: add --reauth")
        case .customTokenNeeded:
            "this account re-authenticates with a custom token of the project's server".hint(
                run: "authctl reauth --custom-token -")
        case .staleAuthentication:
            "the provider did not re-authenticate the user".hint(
                "it used the session of the browser: sign out on the provider's web page first")
        case .onlyPersonalToken(let provider):
            "a personal access token cannot re-authenticate".hint("to add a client: \(run: .setup(provider))")
        case .accessTokenWithoutTime(let provider):
            "an access token cannot re-authenticate, because it does not say when the user authenticated"
                .hint(run: "authctl reauth \(provider)")
        case .noSuchPending(let id):
            "pending credential\(id.map { " '\(shown: $0)'" } ?? "") not found; pending credentials expire after one hour"
        case .otherPending(let pending):
            "the pending credential '\(pending.id)' is for another account".hint(pending.command([]))
        case .ambiguousPending(let ids):
            "several credentials are pending: choose one (\(ids.joined(separator: ", ")))".hint(
                run: "authctl pending list")
        case .machine:
            "a CI job's account cannot be linked to a user's account, and has no email address or password"
        case .anonymous(let uid):
            "an anonymous account cannot re-authenticate".hint(
                "to add a sign-in method: \(run: "authctl link password"); to remove it from this machine only: \(run: "authctl accounts delete \(uid) --here --yes")"
            )
        case .signedOut(let uid):
            "the user is not signed in to this account, so its project cannot be contacted".hint(
                "sign in to it; or, to remove it from this machine only: \(run: "authctl accounts delete \(uid) --here --yes")"
            )
        case .isLocalAccount:
            "this account exists only on this machine; --here is for accounts of a Firebase project".hint("omit --here")
        case .noEmail:
            "this account has no email address to sign in with".hint(run: "authctl accounts set-email ADDRESS")
        case .otherAddress(let own):
            "this account's address is '\(ServerText(own))'; it cannot sign in with another address"
                .hint("to change the address: \(run: "authctl accounts set-email ADDRESS")")
        case .sharedToken(let provider):
            "the token of '\(shown: provider)' is the token of gh: revoking it would sign gh out"
                .hint("without revoking it: \(run: "authctl signout --provider \(provider)")")
        case .invalidImport(let fault): "\(ServerText(fault.message))".hint("nothing was changed")
        }
    }
}

extension PendingCredential {
    /// The command that uses the credential.
    ///
    /// - Parameter accounts: the known accounts, which can include that of the conflict.
    func command(_ accounts: [AccountStatus], isOnly: Bool = false) -> Hint {
        switch reason {
        case .accountExists:
            // The credential can only be linked to the account of the conflict.
            let status = accounts.first { names($0.account) }
            if let status, status.sessions.isEmpty { return "\(run: "\(.signIn(to: status.account)) --link-pending")" }
            let other = accountUID == nil && status?.isCurrent != true ? email : nil
            let link: ShellCommand = isOnly ? "authctl link --pending" : "authctl link --pending \(id)"
            return .run(link.with(["--account": other]))
        case .alreadyInUse: return .run(isOnly ? "authctl signin --pending" : "authctl signin --pending \(id)")
        }
    }
}

extension ImportFault {
    fileprivate var message: String {
        switch self {
        case .notJSON: "it is not a JSON export"
        case .otherVersion: "it is not an export of this version"
        case .accountTaken(let uid): "account '\(uid)' already exists, with other identities"
        case .identityTaken(let key): "identity '\(key.federatedID)' of '\(key.providerID)' belongs to another account"
        case .entry(let number, .noUIDOrDate): "account \(number): 'uid' or 'createdAt' is missing or invalid"
        case .entry(let number, .malformedIdentity): "account \(number): 'providerData'"
        case .entry(let number, .noneOrRepeatedProvider):
            "account \(number): 'providerData' is empty or has a duplicate provider"
        case .entry(let number, .unusableHash):
            "account \(number): 'passwordHash' is damaged or requires too much time or memory"
        case .entry(let number, .machineWithPassword): "account \(number): a CI job's account cannot have a password"
        }
    }
}

extension AccountNameError: UserFacingError {
    func explanation(_ context: ErrorContext) -> Explanation {
        switch self {
        case .noName(let text):
            "'\(shown: text)' is not a valid alias: use at most 64 letters, digits, '-', '_' and '.', with a letter or digit first"
        case .taken(let name, let owner):
            "'\(name)' is already the alias of \(shown: owner)".hint(
                "to remove it there: \(run: "authctl accounts name \(name) --remove")")
        case .uid(let name): "'\(name)' is already the uid of an account"
        case .unnamed(let account): "\(shown: account) has no alias"
        }
    }
}

extension PasswordError: UserFacingError {
    func explanation(_ context: ErrorContext) -> Explanation {
        switch self {
        case .wrong:
            "the address or the password is wrong"
                .hint(context.purpose == .signIn ? "for a new account: add --create" : nil)
        case .wrongInProject:
            "the address or the password is wrong".hint(
                "if you forgot the password: \(run: "authctl accounts reset-password ADDRESS")")
        case .weak(let reason): "this password is too weak: \(reason.message)".hint(.strongPassword)
        case .throttled(let seconds): "too many wrong passwords for this address".hint(.again(after: seconds))
        case .invalidEmail(let email): "'\(email)' is not an email address"
        }
    }
}

extension PasswordError.Weakness {
    fileprivate var message: String {
        switch self {
        case .tooLong(let maximumBytes): "it is longer than \(maximumBytes) bytes"
        case .tooShort(let minimumLength): "it has fewer than \(minimumLength) characters"
        case .fewCharacters: "it repeats a few characters"
        case .hasAddress: "it contains the email address"
        case .sequence: "it is a sequence of letters or digits"
        case .common: "it is a common password"
        }
    }
}

extension DirectoryMismatch: UserFacingError {
    func explanation(_ context: ErrorContext) -> Explanation {
        let what = kind == .session ? "this session is" : "this sign-in began for an account"
        return "\(what) of \(origin.name), but this profile uses \(current.name)".hint(hint)
    }

    private var hint: Hint {
        switch (origin, current) {
        case (.project(let former, let tenant, nil), .project(let id, let here, .some))
        where former == id && tenant == here: .run("unset FIREBASE_AUTH_EMULATOR_HOST")
        case (.project(let former, let tenant, let emulator?), .project(let id, let here, _))
        where former == id && tenant == here: .run("export FIREBASE_AUTH_EMULATOR_HOST=\(emulator)")
        case (.project(let former, let tenant, let emulator), .project(let id, _, let here))
        where former == id && emulator == here:
            "to use it: \(run: "authctl profile set --tenant-id \(tenant ?? "")")"
        case (_, .local): .signIn(nil)
        default: .signIn(provider)
        }
    }
}

extension DirectoryOrigin? {
    var name: String { self?.name ?? "an unknown emulator" }
}

extension DirectoryOrigin {
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

extension ProjectSessionEnded: UserFacingError {
    var isComplete: Bool { cause != .disabled }

    func explanation(_ context: ErrorContext) -> Explanation {
        switch cause {
        case .disabled:
            "an administrator of the project has disabled this account"
        case .accountDeleted: "this account no longer exists in the project".hint(.signIn(provider))
        case .ended: "the project has ended this session".hint(.signIn(provider))
        }
    }
}
