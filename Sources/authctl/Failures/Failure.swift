import AuthCore
import Glibc

/// A failure as it is told: the stable code, the exit code, the wording and the next command. All wording of errors
/// stands in this file.
struct Failure {
    let code: String
    let exitCode: Int32
    let message: String
    let hint: Hint?
    var details = JSONObject()

    var lines: [String] {
        ["authctl: error: \(message) (\(code))"] + (hint.map { ["authctl: hint: \($0.text)"] } ?? [])
    }

    var json: JSONValue {
        var error = JSONObject()
        error["code"] = .string(code)
        error["message"] = .string(message)
        error["hint"] = JSONValue(hint?.text)
        error.merge(details)
        return ["error": .object(error)]
    }

    private init(_ code: String, _ exitCode: Int32, _ message: String, hint: Hint?) {
        self.code = code
        self.exitCode = exitCode
        // Whatever a part of it was let through at: a line, not a page.
        self.message = message.utf8.count > 4000 ? String(message.prefix(1000)) + "…" : message
        self.hint = hint
    }

    static func usage(_ message: String, hint: Hint = "authctl --help") -> Failure {
        Failure("usage", 64, message, hint: hint)
    }

    init(_ error: any Error, while task: Undertaking) {
        let what = task.failed
        switch error {
        case let error as UsageProblem: self = .usage(error.text)
        case let error as ConfigurationProblem:
            self.init("invalid-configuration", 78, "\(what): \(error.text)", hint: error.hint)
        case let error as InputProblem:
            self.init("usage", 64, "\(what): \(error.what) cannot be read: \(error.reason)", hint: "authctl --help")
        case let error as NothingToVerify:
            self.init(
                "invalid-id-token", 65, "\(what): there is no token in \(error.source)", hint: "authctl verify --help")
        case let error as SettingsDropped:
            self = .usage(
                "\(what): '\(error.provider)' is there already, and this would drop its \(error.settings.joined(separator: ", "))",
                hint: "authctl providers set \(error.provider) changes what is named alone; --replace drops the rest")
        case let error as Child.NotStarted:
            self.init(
                "command-not-run", error.exitCode,
                "\(what): '\(ServerText(error.command))': \(SystemText.of(error.code))", hint: "authctl exec --help")
        case let error as RevocationFailed:
            let listed = error.providers.map { "'\($0)'" }.joined(separator: ", ")
            self.init(
                "provider-unavailable", 69, "signed out here, but \(listed) did not confirm the revocation",
                hint: "revoke the session on the provider's own page")
        case let error as NotSignedIn: self = Failure.notSignedIn(error)
        case let error as MadeElsewhere: self = Failure.elsewhere(error, task)
        case let error as AccountConflict: self = Failure.conflict(error, task)
        case let error as AccountRefusal: self = Failure.refusal(error, task)
        case let error as PasswordError: self = Failure.password(error, task)
        case let error as SignInError: self = Failure.signIn(error, task)
        case let error as ListenerError: self = Failure.listener(error, what)
        case let error as ProviderError: self = Failure.provider(error, what)
        case let error as PrivateKeyProblem: self = Failure.privateKey(error, what)
        case let error as AssumeRoleError: self = Failure.assumeRole(error, task)
        case let error as FirebaseError: self = Failure.firebase(error, task)
        case is NotRenewed:
            self.init("not-signed-in", 4, "the project has ended this session", hint: "authctl signin")
        case is DirectoryElsewhere:
            self.init(
                "operation-not-allowed", 7, "\(what): the accounts of this profile live in a Firebase project",
                hint: "firebase auth:export, or another profile with --profile")
        case let error as ToolProblem: self.init("tool-not-set-up", 1, "\(what): \(error.text)", hint: error.hint)
        case let error as HostUnknown:
            self.init(
                "operation-not-allowed", 7, "\(what): no provider here is for '\(error.host)'",
                hint:
                    "if one is: authctl providers set \(error.provider ?? "ID") --api-host \(error.host)"
            )
        case let error as WorkloadError: self = Failure.workload(error, task)
        case let error as CredentialError: self = Failure.credential(error, task)
        case let error as RequestRefused: self = Failure.request(error, task)
        case let error as DiscoveryError: self = Failure.discovery(error, task)
        case let error as DocumentError: self = Failure.document(error, what)
        case let error as HTTPError: self = Failure.http(error, what)
        case let error as OAuthError: self = Failure.oauth(error, task)
        case let error as IDTokenRefused:
            self = Failure.idToken(error.rejection, offset: error.clockOffset, host: error.issuer.host)
        case let error as IDTokenRejection: self = Failure.idToken(error, offset: nil, host: nil)
        case let error as KeySetError:
            self.init(
                "invalid-response", 65, "\(what): the provider's keys cannot be used: \(Failure.text(error))",
                hint: "tell the provider's administrator; authctl providers check shows the details")
        case let error as JOSEError: self = Failure.idToken(.jose(error), offset: nil, host: nil)
        case let error as StoreError: self = Failure.store(error)
        case is HTTPURLError:
            self.init(
                "invalid-configuration", 78, "\(what): a URL that was made of the settings is none",
                hint: "authctl providers show")
        case is CancellationError: self.init("user-cancelled", 2, "\(what): cancelled", hint: task.again)
        default:
            self.init("internal-error", 1, "\(what): \(ServerText("\(error)"))", hint: "run it again with --verbose")
        }
    }

    // MARK: One function for each kind

    private static func notSignedIn(_ error: NotSignedIn) -> Failure {
        func make(_ message: String, _ hint: Hint) -> Failure { Failure("not-signed-in", 4, message, hint: hint) }
        switch error {
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
        case .noToken(let kind, let provider):
            let other: Hint =
                kind == "access token" ? "authctl token --type id" : "authctl signin --provider \(provider)"
            return make("the session with '\(provider)' has no \(kind)", other)
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

    private static func elsewhere(_ error: MadeElsewhere, _ task: Undertaking) -> Failure {
        let what = error.thing == .session ? "this session is" : "this sign-in was begun for an account"
        let hint: Hint
        switch (error.made, error.present) {
        case (.project(let made, let tenant, nil), .project(let id, let here, .some))
        where made == id && tenant == here:
            hint = "unset FIREBASE_AUTH_EMULATOR_HOST"
        case (.project(let made, let tenant, let emulator?), .project(let id, let here, _))
        where made == id && tenant == here:
            hint = "export FIREBASE_AUTH_EMULATOR_HOST=\(emulator)"
        case (_, .local): hint = "authctl signin"
        default: hint = Hint.signIn(error.provider)
        }
        return Failure(
            "not-signed-in", 4,
            "\(task.failed): \(what) of \(text(error.made)), and the accounts here are those of \(text(error.present)) now",
            hint: hint)
    }

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

    private static func conflict(_ error: AccountConflict, _ task: Undertaking) -> Failure {
        func make(_ code: String, _ message: String, _ hint: Hint?) -> Failure {
            Failure(code, 6, "\(task.failed): \(message)", hint: hint)
        }
        switch error {
        case .existsWithDifferentCredential(let email, let providers, let pendingID):
            let listed = providers.map { "'\($0)'" }.joined(separator: ", ")
            let signIn = providers.first.map { provider -> Hint in
                provider == PasswordProvider.id
                    ? "authctl signin --provider password --email \(email)"
                    : "authctl signin --provider \(provider)"
            }
            var failure = make(
                "account-exists-with-different-credential", "'\(ServerText(email))' already signs in with \(listed)",
                signIn.map { "\($0) && authctl link --pending \(pendingID), or in one: \($0) --link-pending" })
            failure.details["email"] = .string(email)
            failure.details["providers"] = JSONValue(providers)
            failure.details["pendingId"] = .string(pendingID)
            return failure
        case .credentialAlreadyInUse(let provider, let email, let pendingID):
            var failure = make(
                "credential-already-in-use", "this identity of '\(provider)' is another account's",
                "to open that account: authctl signin --pending \(pendingID)")
            failure.details["email"] = JSONValue(email)
            failure.details["providers"] = JSONValue([provider])
            failure.details["pendingId"] = .string(pendingID)
            return failure
        case .providerAlreadyLinked(let provider):
            return make(
                "provider-already-linked", "this account has '\(provider)' already",
                "authctl unlink --provider \(provider) first, or authctl whoami to see what is linked")
        case .noSuchProvider(let provider):
            return make(
                "no-such-provider", "this account has no '\(ServerText.shown(provider))'",
                "authctl whoami shows what is linked")
        case .emailAlreadyInUse(let email):
            var failure = make(
                "email-already-in-use", "'\(ServerText(email))' is another account's address",
                "sign in to that account: authctl accounts lookup \(email)")
            failure.details["email"] = .string(email)
            return failure
        case .userMismatch:
            return make(
                "user-mismatch", "that is somebody else; nothing was changed",
                "sign in at the provider as the person this account belongs to: authctl whoami")
        }
    }

    private static func refusal(_ error: AccountRefusal, _ task: Undertaking) -> Failure {
        func make(_ code: String, _ exit: Int32, _ message: String, _ hint: Hint?) -> Failure {
            Failure(code, exit, "\(task.failed): \(message)", hint: hint)
        }
        switch error {
        case .lastProvider(let provider):
            return make(
                "operation-not-allowed", 7, "'\(provider)' is the last way in to this account",
                "link another provider first, or delete the account: authctl accounts delete")
        case .consentRequired(let provider):
            return make(
                "consent-required", 7,
                "tying an identity of '\(provider)' to other data needs the person's consent",
                "where the person has agreed: --consent")
        case .requiresRecentLogin:
            return make(
                "requires-recent-login", 5, "the last proof of who you are is older than five minutes",
                "authctl reauth, then run it again; or run it with --reauth")
        case .staleProof:
            return make(
                "requires-recent-login", 5, "the proof that came is not a new one",
                "sign in at the provider again: authctl reauth")
        case .noSuchPending(let id):
            let what = id.map { "no pending credential '\(ServerText.shown($0))'" } ?? "no pending credential fits"
            return make("invalid-credential", 65, "\(what): each waits for an hour", "authctl pending list")
        case .ambiguousPending(let ids):
            return .usage(
                "several credentials wait: name one (\(ids.joined(separator: ", ")))", hint: "authctl pending list")
        case .machine:
            return make(
                "operation-not-allowed", 7, "a machine's identity and a person's account stay apart",
                "authctl accounts list shows which is which")
        case .otherProfile:
            return make(
                "operation-not-allowed", 7, "another profile of this machine keeps this account",
                "authctl profile list; then the same with --profile")
        case .otherDirectory:
            return make(
                "operation-not-allowed", 7,
                "this account has a session here that another directory made, and it would be lost",
                "authctl profile list; then the same with --profile")
        case .signedOut(let uid):
            return make(
                "not-signed-in", 4, "nobody is signed in to this account, so its project cannot be asked",
                "sign in to it; or, to forget it on this machine alone: authctl accounts delete --here --yes \(uid)"
            )
        case .livesHere:
            return make(
                "operation-not-allowed", 7, "this account lives on this machine: to forget it is to delete it",
                "authctl accounts delete --reauth")
        case .noEmail:
            return make(
                "operation-not-allowed", 7, "this account has no address to sign in with",
                "authctl accounts set-email ADDRESS")
        case .invalidImport(let reason):
            return Failure("invalid-response", 65, "\(task.failed): \(ServerText(reason))", hint: "nothing was changed")
        }
    }

    private static func password(_ error: PasswordError, _ task: Undertaking) -> Failure {
        switch error {
        case .wrong:
            return Failure(
                "wrong-password", 65, "\(task.failed): the address or the password is wrong",
                hint: "with --create it makes a new account")
        case .weak(let reason):
            return Failure(
                "weak-password", 7, "\(task.failed): this password is too weak: \(reason)",
                hint: "several unrelated words make a good one")
        case .throttled(let seconds):
            return Failure(
                "too-many-requests", 69, "\(task.failed): too many wrong passwords for this address",
                hint: "try again in \(seconds) seconds")
        case .invalidEmail(let email): return .usage("'\(email)' is no email address")
        }
    }

    private static func signIn(_ error: SignInError, _ task: Undertaking) -> Failure {
        switch error {
        case .timedOut(let seconds):
            return Failure(
                "timeout", 3, "\(task.failed): nobody answered within \(seconds) seconds",
                hint: "if the browser showed an error of the provider, read it there; else \(task.again)")
        case .unanswered(let pause):
            return Failure(
                "interaction-required", 4,
                "\(task.failed): nobody answered the last one with these flags, so no browser is opened again for \(pause) seconds",
                hint: "on a terminal: \(task.again); for a script that shows the URL itself: \(task.again) --begin")
        case .noBrowser:
            return Failure(
                "interaction-required", 4,
                "\(task.failed): no browser can be opened here, and nobody can paste anything",
                hint: "who visits the URL elsewhere: --begin and --complete; who visits it here: --no-browser")
        case .interactionRequired:
            return Failure(
                "interaction-required", 4, "\(task.failed): a person is needed, and none may be asked", hint: task.again
            )
        case .unreachableRedirectURI(let uri):
            return Failure(
                "invalid-configuration", 78, "\(task.failed): '\(uri)' does not end at this machine by itself",
                hint: "name the port that your proxy or tunnel ends at with --port, or use --flow paste")
        case .redirectURINeeded(let provider):
            return Failure(
                "invalid-configuration", 78, "\(task.failed): '\(provider)' takes no loopback redirect URI",
                hint:
                    "authctl providers add \(provider) … --redirect-uri https://… (a proxy or tunnel of yours that ends at --port); where a Firebase project is its client, authctl profile set … --redirect-uri"
            )
        case .notThroughProject(let option, let provider):
            return .usage(
                "\(task.failed): \(option.rawValue) can be checked only where this machine is a client of '\(provider)'",
                hint: "authctl providers add \(provider) --client-id …, or leave \(Hint(ours: option.rawValue)) out")
        case .nonceUsedBefore:
            return Failure(
                "missing-or-invalid-nonce", 65, "\(task.failed): this nonce was used before",
                hint: "get a new ID token with a new nonce")
        case .notBegun(let id):
            return Failure(
                "invalid-credential", 65, "\(task.failed): no sign-in '\(ServerText.shown(id))' waits for its answer",
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
            return Failure(
                "user-cancelled", 2, "\(task.failed): input ended before a callback URL came", hint: task.again)
        }
    }

    private static func listener(_ error: ListenerError, _ what: String) -> Failure {
        switch error {
        case .portInUse(let port):
            return Failure(
                "port-in-use", 1, "\(what): port \(port) is in use by another program",
                hint: "choose another one with --port")
        case .noLoopback(let reason):
            return Failure(
                "network-request-failed", 69, "\(what): no loopback address can be used: \(reason)",
                hint: "ip addr show lo")
        }
    }

    private static func privateKey(_ problem: PrivateKeyProblem, _ what: String) -> Failure {
        let file = problem.file
        func make(_ message: String, _ hint: Hint?) -> Failure {
            Failure("invalid-configuration", 78, "\(what): '\(file)' \(message)", hint: hint)
        }
        let kinds: Hint = "RSA of 2048 bits or more, P-256, P-384, P-521 and Ed25519 keys can be used"
        switch problem.error {
        case .malformed, .invalidPoint: return make("holds no private key in PEM form", nil)
        case .weakRSA(let bits): return make("holds an RSA key of \(bits) bits that cannot be used", kinds)
        case .unsupported(let kind): return make("holds a key of another kind: \(kind)", kinds)
        case .passphraseNeeded:
            return make("is encrypted", "name the file that holds its passphrase: --private-key-passphrase-file")
        case .wrongPassphrase: return make("does not open with that passphrase", nil)
        case .unsupportedEncryption:
            return make("is encrypted in a way that OpenSSL does not read", "openssl pkcs8 -topk8 encrypts it anew")
        }
    }

    private static func provider(_ error: ProviderError, _ what: String) -> Failure {
        switch error {
        case .notConfigured(let id) where WorkloadPlatform.isPlatform(id),
            .unknownID(let id) where WorkloadPlatform.isPlatform(id):
            return Failure(
                "operation-not-allowed", 7, "\(what): '\(id)' says who a job is, and has nothing else to offer",
                hint: "for an access token: authctl signin --ci \(String(id.dropFirst(3))) --exchange ID")
        case .unknownID(DirectorySession.id):
            return Failure(
                "operation-not-allowed", 7, "\(what): the project's own token is for services that ask for it",
                hint: "name a provider with --provider, or send what 'authctl token' prints")
        case .unknownID(let id):
            return Failure(
                "invalid-configuration", 78, "\(what): '\(id)' is no provider of this version",
                hint: "it is one of \(list: Dialect.builtIn.map(\.id)), or 'oidc.NAME'")
        case .notConfigured(let id):
            return Failure(
                "invalid-configuration", 78, "\(what): '\(id)' is not configured",
                hint:
                    "authctl providers add \(id)\((Provider.isBuiltIn(id) ? "" : " --issuer https://…") as Hint) --client-id …"
            )
        case .noSuchOption(let option, let provider):
            return .usage(
                "'\(provider)' has nothing that \(option.rawValue) could ask for",
                hint: "authctl providers show \(provider)")
        case .invalid(let setting, let reason):
            return Failure(
                "invalid-configuration", 78, "\(what): \(setting): \(reason)", hint: "authctl providers show")
        }
    }

    private static func credential(_ error: CredentialError, _ task: Undertaking) -> Failure {
        let provider = task.provider.map { "'\($0)'" } ?? "the provider"
        switch error {
        case .neverAccepted:
            return Failure(
                "operation-not-allowed", 7,
                "\(task.failed): nobody can tell for which client an access token of \(provider) was made",
                hint: "use its ID token (--id-token), or sign in: \(task.again)")
        case .noIDTokens:
            return Failure(
                "operation-not-allowed", 7, "\(task.failed): \(provider) issues no ID tokens", hint: task.again)
        case .invalid(let said):
            return Failure(
                "invalid-credential", 65,
                "\(task.failed): \(provider) says that the token is not good\(said.map { ": \($0)" } ?? "")",
                hint: task.again)
        case .otherClient:
            return Failure(
                "invalid-credential", 65, "\(task.failed): the token was not made for this client", hint: task.again)
        case .nonceRequired:
            return Failure(
                "missing-or-invalid-nonce", 65, "\(task.failed): ID tokens of \(provider) need their nonce",
                hint: "give the raw nonce with --nonce")
        case .secretNeeded:
            return Failure(
                "invalid-configuration", 78, "\(task.failed): \(provider) tells that only to who has the client secret",
                hint: "authctl providers add … --client-secret-stdin")
        }
    }

    /// The codes of the Identity Toolkit as ours and Firebase's SDKs name them: code, exit code, hint.
    private static let firebaseCodes: [String: (code: String, exit: Int32, hint: Hint)] = {
        let again: Hint = "sign in at the provider again"
        let domain: Hint =
            "authorize the redirect URI's domain, 'localhost' unless set, in the console: Authentication, Settings"
        let key: Hint = "check the key, the project and their restrictions: authctl profile set --directory firebase …"
        let console: Hint = "enable it in the project's console"
        var codes: [String: (code: String, exit: Int32, hint: Hint)] = [
            "EMAIL_EXISTS": ("email-already-in-use", 6, "sign in to that account, then link"),
            "FEDERATED_USER_ID_ALREADY_LINKED": ("credential-already-in-use", 6, "authctl signin --pending"),
            "MISSING_OR_INVALID_NONCE": (
                "missing-or-invalid-nonce", 65, "get a fresh token whose nonce is the SHA-256 hex of the raw one"
            ),
            "INVALID_PENDING_TOKEN": ("invalid-credential", 65, "it waited too long: sign in at the provider again"),
            "INVALID_LOGIN_CREDENTIALS": ("invalid-credential", 65, "the address or the password is wrong"),
            "INVALID_CREDENTIAL_OR_PROVIDER_ID": (
                "invalid-credential", 65, "the project takes no such credential of this provider"
            ),
            "REJECTED_CREDENTIAL": ("invalid-credential", 65, "the project takes no such credential of this provider"),
            "INVALID_PASSWORD": ("wrong-password", 65, "try again, or reset it in the project's console"),
            "EMAIL_NOT_FOUND": ("user-not-found", 65, "with --create it makes a new account"),
            "INVALID_OOB_CODE": ("invalid-action-code", 65, "ask for a new link"),
            "EXPIRED_OOB_CODE": ("expired-action-code", 65, "ask for a new link"),
            "INVALID_CUSTOM_TOKEN": ("invalid-custom-token", 65, "mint it for this project"),
            "CREDENTIAL_MISMATCH": ("custom-token-mismatch", 65, "mint it for this project"),
            "USER_NOT_FOUND": ("user-token-expired", 4, "the account is gone: authctl signin"),
            "TOKEN_EXPIRED": ("user-token-expired", 4, "authctl signin"),
            "INVALID_ID_TOKEN": (
                "invalid-user-token", 4, "authctl signin; and check that key and project belong together"
            ),
            "INVALID_REFRESH_TOKEN": ("not-signed-in", 4, "authctl signin"),
            "MISSING_REFRESH_TOKEN": ("not-signed-in", 4, "authctl signin"),
            "CREDENTIAL_TOO_OLD_LOGIN_AGAIN": ("requires-recent-login", 5, "authctl reauth, then run it again"),
            "USER_DISABLED": ("user-disabled", 7, "ask the project's administrator"),
            "OPERATION_NOT_ALLOWED": ("operation-not-allowed", 7, console),
            "PASSWORD_LOGIN_DISABLED": ("operation-not-allowed", 7, console),
            "ADMIN_ONLY_OPERATION": ("admin-restricted-operation", 7, "sign-up or deletion is off for this project"),
            "WEAK_PASSWORD": ("weak-password", 7, "several unrelated words make a good one"),
            "PASSWORD_DOES_NOT_MEET_REQUIREMENTS": (
                "password-does-not-meet-requirements", 7, "the project says what it wants"
            ),
            "EMAIL_CHANGE_NEEDS_VERIFICATION": ("email-change-needs-verification", 7, "use the link in the mail"),
            "UNVERIFIED_EMAIL": ("unverified-email", 7, "verify the address by the link in the mail"),
            "BLOCKING_FUNCTION_ERROR_RESPONSE": ("operation-not-allowed", 7, "the project's own function refused it"),
            "CAPTCHA_CHECK_FAILED": (
                "captcha-check-failed", 7, "the project wants a reCAPTCHA: use a browser's sign-in"
            ),
            "MISSING_RECAPTCHA_TOKEN": (
                "captcha-check-failed", 7, "the project wants a reCAPTCHA: use a browser's sign-in"
            ),
            "MISSING_CLIENT_TYPE": (
                "captcha-check-failed", 7, "the project wants a reCAPTCHA: use a browser's sign-in"
            ),
            "INVALID_EMAIL": ("invalid-email", 64, "check the address"),
            "INVALID_IDENTIFIER": ("invalid-email", 64, "check the address"),
            "MISSING_EMAIL": ("missing-email", 64, "give the address with --email"),
            "MISSING_PASSWORD": ("missing-password", 64, "give the password with --password-stdin"),
            "TENANT_ID_MISMATCH": ("tenant-id-mismatch", 78, "check --tenant-id"),
            "INVALID_TENANT_ID": ("invalid-tenant-id", 78, "check --tenant-id"),
            "UNSUPPORTED_TENANT_OPERATION": ("unsupported-tenant-operation", 78, "check --tenant-id"),
            "INVALID_PROVIDER_ID": ("invalid-provider-id", 78, console),
            "INVALID_CONTINUE_URI": ("invalid-continue-uri", 78, domain),
            "UNAUTHORIZED_DOMAIN": ("unauthorized-continue-uri", 78, domain),
        ]
        codes["INVALID_IDP_RESPONSE"] = ("invalid-credential", 65, again)
        for code in ["TOO_MANY_ATTEMPTS_TRY_LATER", "RESET_PASSWORD_EXCEED_LIMIT", "QUOTA_EXCEEDED"] {
            codes[code] = ("too-many-requests", 69, "try again later")
        }
        for code in ["PROJECT_DISABLED", "CONFIGURATION_NOT_FOUND", "PROJECT_NUMBER_MISMATCH"] {
            codes[code] = ("invalid-configuration", 78, key)
        }
        return codes
    }()

    private static func firebase(_ error: FirebaseError, _ task: Undertaking) -> Failure {
        func make(_ code: String, _ exit: Int32, _ message: String, _ hint: Hint?) -> Failure {
            Failure(code, exit, "\(task.failed): \(message)", hint: hint)
        }
        switch error {
        case .refused(let code, let detail):
            let said = "the project says \(code)\(detail.map { ": \($0)" } ?? "")"
            guard let known = firebaseCodes[code] else {
                return make("internal-error", 1, said, "run it again with --verbose")
            }
            return make(known.code, known.exit, said, known.hint)
        case .apiKey(let said):
            let isBlocked = said.description.contains("blocked")
            return make(
                isBlocked ? "app-not-authorized" : "invalid-api-key", 78, "the project refuses the API key: \(said)",
                "check the key and its restrictions: authctl profile set --directory firebase --api-key …")
        case .secondFactor:
            return make(
                "multi-factor-auth-required", 7, "the account wants a second factor, which authctl cannot ask for",
                "sign in in a browser")
        case .emailNeedsVerification:
            return make(
                "email-change-needs-verification", 7, "the address changes once the link in the mail is followed",
                "look into the new mailbox, then run authctl reauth")
        case .invalidResponse(let reason):
            return make(
                "invalid-response", 65, "the project's answer cannot be used: \(reason)",
                "check FIREBASE_AUTH_EMULATOR_HOST, or try again")
        case .notThere(let call):
            return make(
                "unsupported", 78, "the official emulator has no '\(ServerText.shown(call))' of this kind",
                "give this machine a client of its own (authctl providers add …), or use authctl-emulator --as firebase"
            )
        }
    }

    private static func assumeRole(_ error: AssumeRoleError, _ task: Undertaking) -> Failure {
        switch error {
        case .refused(let code, let message):
            return Failure(
                "access-denied", 7, "\(task.failed): the Security Token Service says \(code): \(message)",
                hint: "the role's trust policy must name the token's issuer and audience")
        case .malformed:
            return Failure(
                "invalid-response", 65, "\(task.failed): the Security Token Service's answer cannot be used",
                hint: "check --region and --sts-endpoint")
        }
    }

    private static func workload(_ error: WorkloadError, _ task: Undertaking) -> Failure {
        func make(_ code: String, _ exit: Int32, _ message: String, _ hint: Hint) -> Failure {
            Failure(code, exit, "\(task.failed): \(message)", hint: hint)
        }
        switch error {
        case .unknown(let name):
            let names = WorkloadPlatform.all.map(\.name)
            return .usage("--ci: '\(name)' is not known", hint: "it is one of auto, \(list: names)")
        case .notInAJob:
            return make(
                "invalid-configuration", 78, "this is no job of a CI system that is known",
                "name the system: --ci file --ci-source PATH, where the token is in a file")
        case .missing(let what, let platform, let remedy):
            return make(
                "invalid-configuration", 78, "'\(platform)' gives this job no token: no \(what)", Hint(ours: remedy))
        case .ambiguous(let names, _):
            return .usage(
                "several variables hold a token: name one with --ci-source (\(names.joined(separator: ", ")))",
                hint: "--ci-source \(names[0])")
        case .audienceNeeded(let platform):
            return .usage("--ci \(platform) needs to know for whom the token is", hint: "add --audience")
        case .issuerNeeded(let platform, let issuer):
            return .usage(
                "--ci \(platform) needs to know whose tokens count: the one here calls itself '\(issuer)'s",
                hint: "where that is the one you mean, name it with --issuer")
        case .command(let program, let said):
            return make(
                "provider-unavailable", 69, "'\(program)' gave no token: \(said)",
                "run \(program) by itself in the job")
        case .noToken(let platform, let status):
            let why = status.map { "status \($0)" } ?? "no token in its answer"
            return make(
                "invalid-response", 65, "'\(platform)' gave this job no token: \(why)",
                "look at the job's permissions and at --audience")
        case .issuer(let issuer, let platform):
            return make(
                "invalid-id-token", 65, "the token is of issuer '\(issuer)', which is not '\(platform)' here",
                "where that is the one you mean: --issuer")
        case .claim(let name):
            return make(
                "invalid-credential", 65, "the token's '\(ServerText.shown(name))' is not what it must be",
                "authctl verify shows a token's claims")
        case .usedBefore:
            return make(
                "invalid-credential", 65, "this token was used before", "get a new one: each is good for one sign-in")
        }
    }

    private static func request(_ error: RequestRefused, _ task: Undertaking) -> Failure {
        switch error {
        case .host(let origin, let provider, let owner):
            let said = "\(task.failed): the token of '\(provider)' is not for '\(origin)'"
            guard let owner else {
                return Failure(
                    "operation-not-allowed", 7, said,
                    hint: "if it is: authctl providers set \(provider) --api-host \(origin)")
            }
            let account = owner.account
            return Failure(
                "operation-not-allowed", 7, "\(said), where '\(owner.provider)' of \(ServerText.shown(account)) is",
                hint: "add --account \(account) --provider \(owner.provider)")
        case .status(let status):
            return Failure(
                "request-failed", status == 401 ? 4 : status >= 500 || status == 429 ? 69 : 1,
                "\(task.failed): status \(status)",
                hint: status == 401 ? "authctl token --force-refresh, or sign in again" : "the answer says why")
        }
    }

    private static func discovery(_ error: DiscoveryError, _ task: Undertaking) -> Failure {
        let what = task.failed
        switch error {
        case .issuerMismatch(let expected, let found):
            let said =
                found.map { "issuer '\($0)', not '\(expected)'" } ?? "no issuer, where '\(expected)' was expected"
            return Failure(
                "issuer-mismatch", 78, "\(what): discovery says \(said)",
                hint: found.map { "if that is the provider you mean: --issuer \($0.description)" }
                    ?? "check the issuer's URL")
        case .document(let reason):
            return Failure(
                "invalid-response", 65, "\(what): the discovery document is not the JSON it should be: \(text(reason))",
                hint: "check the issuer's URL")
        case .missingEndpoint(let name):
            return Failure(
                "invalid-response", 65, "\(what): the provider's metadata lacks '\(name)'",
                hint: "check the issuer's URL")
        case .invalidEndpoint(let name, let reason):
            return Failure(
                "invalid-response", 65, "\(what): the provider's '\(name)' cannot be used: \(reason)",
                hint: "tell the provider's administrator")
        case .unsupported(let feature):
            return Failure(
                "unsupported", 78, "\(what): the provider does not offer \(feature)", hint: "authctl providers check")
        case .notFound(let url):
            return Failure(
                "invalid-configuration", 78, "\(what): there is no discovery document at '\(url)'",
                hint: "check the issuer's URL")
        }
    }

    private static func document(_ error: DocumentError, _ what: String) -> Failure {
        switch error {
        case .status(let status, let url) where status >= 500:
            return Failure(
                "provider-unavailable", 69, "\(what): '\(url)' answered with status \(status)", hint: "try again later")
        case .status(let status, let url):
            return Failure(
                "invalid-response", 65, "\(what): '\(url)' answered with status \(status)",
                hint: "check the issuer's URL")
        case .redirect(let url):
            return Failure(
                "invalid-response", 65, "\(what): '\(url)' redirects to another place, which is not followed",
                hint: "check the issuer's URL")
        case .tooManyRequests(let origin, let seconds): return tooManyRequests(origin, seconds, what)
        }
    }

    private static func tooManyRequests(_ origin: String, _ seconds: Int64?, _ what: String) -> Failure {
        Failure(
            "too-many-requests", 69, "\(what): '\(origin)' asks to slow down",
            hint: seconds.map { "try again in \($0) seconds" } ?? "try again later")
    }

    private static func http(_ error: HTTPError, _ what: String) -> Failure {
        func network(_ message: String, _ hint: Hint) -> Failure {
            Failure("network-request-failed", 69, "\(what): \(message)", hint: hint)
        }
        switch error {
        case .cannotConnect(let origin, let reason):
            return network(
                "cannot reach '\(origin)': \(reason)", "check the network, and HTTPS_PROXY where you need one")
        case .untrusted(let origin, let reason):
            return network("cannot reach '\(origin)': \(text(reason))", hint(reason))
        case .timedOut(let origin): return network("'\(origin)' did not answer in time", "try again")
        case .tooLarge(let origin):
            return Failure(
                "invalid-response", 65, "\(what): the answer of '\(origin)' is too long", hint: "check the issuer's URL"
            )
        case .connectionLost(let origin, let reason):
            return network("'\(origin)' closed the connection before its answer was whole: \(reason)", "try again")
        case .malformedResponse(let origin, let reason):
            return network("the answer of '\(origin)' is broken: \(reason)", "try again")
        case .plainHTTP(let origin):
            return Failure(
                "invalid-configuration", 78, "\(what): '\(origin)' is plain http, where anybody can read along",
                hint: "use https; for a trusted network only: --allow-http")
        case .plainHTTPThroughProxy(let origin):
            return Failure(
                "invalid-configuration", 78,
                "\(what): '\(origin)' is plain http, and the proxy that http_proxy names could read the secrets sent there",
                hint: "use https, or name the host in no_proxy")
        case .invalidField(let problem): return .usage(text(problem), hint: "authctl request --help")
        case .forbiddenAddress(let origin):
            return Failure(
                "invalid-response", 65, "\(what): '\(origin)' leads into a private network, where its issuer is not",
                hint: "tell the provider's administrator")
        case .clientUnavailable:
            return network("libcurl, in its build with OpenSSL, cannot be loaded", "apt-get install libcurl4")
        case .cancelled: return Failure("user-cancelled", 2, "\(what): cancelled", hint: nil)
        }
    }

    static func text(_ problem: HTTPFieldProblem) -> String {
        switch problem {
        case .name(let name): "'\(name)' is no name of a header"
        case .value(let name): "the value of header '\(name)' holds a line break or another control character"
        }
    }

    private static func text(_ reason: Distrust) -> String {
        switch reason {
        case .selfSigned: "its certificate is self-signed, or signed by an authority of its own"
        case .unknownAuthority: "its certificate is of an authority that is not known here"
        case .expired: "its certificate has expired"
        case .notYetValid: "its certificate is not valid yet"
        case .otherName: "its certificate is for another name"
        case .noName: "its certificate names no host in subjectAltName"
        case .other(let text): text
        }
    }

    private static func hint(_ reason: Distrust) -> Hint {
        switch reason {
        case .selfSigned, .unknownAuthority:
            "name the CA's file in SSL_CERT_FILE, if it is the right server"
        case .expired, .notYetValid: "compare this machine's clock; else the server needs a new certificate"
        case .otherName, .noName: "the server needs a certificate with its name in subjectAltName"
        case .other: "name the CA's file in SSL_CERT_FILE, or mend the server's certificate"
        }
    }

    private static func oauth(_ error: OAuthError, _ task: Undertaking) -> Failure {
        let what = task.failed
        switch error {
        case .refused(let code, let description, let endpoint): return refused(code, description, endpoint, task)
        case .invalidResponse(let reason, let endpoint):
            return Failure(
                "invalid-response", 65, "\(what): the answer of the \(endpoint.rawValue) cannot be used: \(reason)",
                hint: task.again)
        case .unavailable(let status, let origin):
            return Failure(
                "provider-unavailable", 69, "\(what): '\(origin)' answered with status \(status)",
                hint: "try again later")
        case .tooManyRequests(let origin, let seconds): return tooManyRequests(origin, seconds, what)
        case .issuerMixUp:
            return Failure(
                "invalid-response", 65,
                "\(what): the answer came from another issuer than was asked, or does not say from which",
                hint: task.again)
        case .stateMismatch:
            return Failure(
                "invalid-response", 65, "\(what): this callback does not belong to this sign-in", hint: task.again)
        case .reservedParameter(let name):
            return .usage(
                "'\(name)' cannot be set with --param: it protects the sign-in", hint: "authctl signin --help")
        case .missingScopes(let scopes):
            return Failure(
                "consent-required", 7, "\(what): not granted: \(scopes.map { "'\($0)'" }.joined(separator: ", "))",
                hint: "run it again and approve, or ask without it")
        }
    }

    /// The codes of OAuth 2.0, OpenID Connect and RFC 8628 in Firebase's and our words.
    private static func refused(
        _ error: String, _ description: ServerText?, _ endpoint: OAuthError.Endpoint, _ task: Undertaking
    ) -> Failure {
        let said = description.map { "\(error): \($0)" } ?? error
        let by = task.provider.map { "'\($0)' says " } ?? ""
        func make(_ code: String, _ exit: Int32, _ hint: Hint) -> Failure {
            Failure(code, exit, "\(task.failed): \(by)\(said)", hint: hint)
        }
        switch error {
        case "access_denied", "authorization_declined":
            return make("access-denied", 7, "run it again and approve, or ask the organization's owner")
        case "login_required", "interaction_required":
            return make("access-denied", 7, "run it again without --prompt none")
        case "consent_required": return make("consent-required", 7, "run it again with --prompt consent")
        case "user_cancelled_authorize": return make("user-cancelled", 2, task.again)
        case "invalid_client", "unauthorized_client", "unsupported_grant_type", "unsupported_response_type",
            "unsupported_token_type", "invalid_scope", "incorrect_client_credentials", "redirect_uri_mismatch",
            "device_flow_disabled":
            return make("invalid-configuration", 78, "check the client's ID, secret and scopes: authctl providers show")
        case "unverified_user_email":
            return make("operation-not-allowed", 7, "verify your primary email address there, then run it again")
        case "server_error", "temporarily_unavailable": return make("provider-unavailable", 69, "try again later")
        case "expired_token", "token_expired": return make("timeout", 3, task.again)
        default:
            let isToken = endpoint == .token || endpoint == .refresh
            return make(isToken ? "invalid-credential" : "invalid-response", 65, task.again)
        }
    }

    // MARK: Tokens

    private static func idToken(_ rejection: IDTokenRejection, offset: Int64?, host: String?) -> Failure {
        let refused = "ID token refused: "
        func make(
            _ reason: String, code: String = "invalid-id-token",
            hint: Hint = "authctl providers check shows what the provider says about itself"
        ) -> Failure {
            Failure(code, 65, refused + reason, hint: hint)
        }
        func clock(_ reason: String, _ now: Int64) -> Failure {
            let apart: String
            if let offset, let host, offset != 0 {
                apart = "; this clock is \(abs(offset)) s \(offset > 0 ? "ahead of" : "behind") '\(host)'"
            } else {
                apart = "; this clock says \(HTTPDate.rfc3339(now))"
            }
            return make(reason + apart, hint: "set the clock, or get a new token")
        }
        switch rejection {
        case .jose(.encrypted):
            return Failure("unsupported", 78, refused + "it is encrypted", hint: "have the provider sign only")
        case .jose(let error): return make(text(error))
        case .claim(let name): return make("'\(name)' is missing, wrong or no such value")
        case .issuer(let issuer): return make("it is of issuer '\(issuer)'")
        case .audience: return make("it was made for another client")
        case .authorizedParty: return make("its 'azp' is another client")
        case .expired(let at, let now): return clock("it expired at \(HTTPDate.rfc3339(at))", now)
        case .notYetValid(let at, let now): return clock("it is not valid before \(HTTPDate.rfc3339(at))", now)
        case .issuedInFuture(let at, let now): return clock("it was issued at \(HTTPDate.rfc3339(at))", now)
        case .issuedTooLongAgo(let at, let now):
            return clock("it was issued at \(HTTPDate.rfc3339(at)), too long ago", now)
        case .lifetime(let seconds): return make("it lives \(seconds) seconds, longer than a day")
        case .nonce:
            return make(
                "its nonce is missing or is not the one that was sent", code: "missing-or-invalid-nonce",
                hint: "run it again; with --id-token, give the raw nonce with --nonce")
        case .accessTokenHash: return make("its 'at_hash' belongs to another access token")
        case .codeHash: return make("its 'c_hash' belongs to another code")
        case .authenticationTooOld:
            return make(
                "the person signed in there too long ago, or it does not say when",
                hint: "run it again with --prompt login")
        case .authenticationContext:
            return make("'acr' is weaker than was asked for", hint: "run it again and use a stronger way to sign in")
        }
    }

    private static func text(_ error: JOSEError) -> String {
        switch error {
        case .tooLong: "it is too long"
        case .notCompact: "it is no signed token in compact form"
        case .encrypted: "it is encrypted"
        case .header(let error): "its header: \(text(error))"
        case .payload(let error): "its payload: \(text(error))"
        case .algorithm(let name): "algorithm '\(ServerText.shown(name ?? "none"))' is not accepted"
        case .criticalHeader: "its header has 'crit' or 'b64', which are not supported"
        case .type(let type): "type '\(type)' is no ID token"
        case .keyIdentifier: "its 'kid' is no key identifier"
        case .signature: "its signature is wrong"
        case .noKey(let kid):
            kid.map { "no key '\(ServerText.shown($0))' of the provider fits" } ?? "no key of the provider fits"
        case .ambiguousKey: "several keys of the provider fit, and it names none"
        }
    }

    private static func text(_ error: KeySetError) -> String {
        switch error {
        case .json(let error): text(error)
        case .noKeys: "there are none"
        case .tooManyKeys: "there are more than 100"
        case .privateMembers: "private parts of keys are published"
        case .repeatedKeyID(let keyID): "two keys are called '\(ServerText.shown(keyID))'"
        }
    }

    private static func text(_ error: JSONError) -> String {
        switch error {
        case .tooLong(let limit): "longer than \(limit) bytes"
        case .tooDeep(let limit): "nested deeper than \(limit)"
        case .duplicateName(let name): "'\(ServerText(name))' stands there twice"
        case .invalidUTF8: "not UTF-8"
        case .numberOutOfRange: "a number out of range"
        case .malformed(let offset): "not JSON at byte \(offset)"
        case .notAnObject: "no JSON object"
        }
    }

    // MARK: Store

    /// The commands that put a store without its key aside; what is in `config.yaml` stays.
    private static func startOver(_ key: String) -> Hint {
        let directory = String(key.prefix(key.utf8.count - KeyFileVault.name.utf8.count - 1))
        let all: [String] = [Store.name, KeyFileVault.name].map { "\(directory)/\($0)" }
        let files = all.filter { file in access(file, F_OK) == 0 }
        return Hint(ours: files.map { "mv " + Shell.words([$0, $0 + ".lost"]) }.joined(separator: " && "))
    }

    private static func writable(_ path: String, _ code: Int32) -> Hint {
        switch code {
        case EROFS: "its file system is read-only: set AUTHCTL_CONFIG_DIR to a directory of another one"
        case ENOSPC: "make room on its disk, then again"
        case EFBIG: "raise the limit of this shell: ulimit -S -f unlimited"
        default: "chmod -R u+w \(path)"
        }
    }

    private static func store(_ error: StoreError) -> Failure {
        func make(_ message: String, _ hint: Hint?, code: String = "store-unavailable") -> Failure {
            Failure(code, 74, "store refused: \(message)", hint: hint)
        }
        switch error {
        case .system(let operation, let path, let code):
            return make(
                "cannot \(operation) '\(path)': \(SystemText.of(code))", "check the disk and who owns \(path)")
        case .wrongOwner(let path, let owner):
            return make("'\(path)' belongs to user \(owner)", "sudo chown -R \"$(id -u)\" \(path)")
        case .tooOpen(let path, let mode, let wanted):
            return make(
                "'\(path)' can be read or written by other people, mode 0\(String(mode, radix: 8))",
                "chmod \(String(wanted, radix: 8)) \(path)")
        case .notAPlainFile(let path):
            return make("'\(path)' is a link or no plain file", "look at what it is, then: mv \(path) \(path + ".old")")
        case .damaged(let path, let reason):
            return make(
                "'\(path)' is damaged: \(reason)",
                "nothing was changed; restore it, or: mv \(path) \(path + ".damaged")"
            )
        case .newer(let path):
            return make("'\(path)' was made by a newer authctl", "update authctl; nothing was changed")
        case .lostKey(let path):
            return make(
                "the key '\(path)' is gone or is not the one this store was sealed with; nothing was changed",
                "restore the key; or start over, without the sessions and client secrets it sealed: \(startOver(path))")
        case .damagedEntry(let what):
            return make("the \(what) does not open with this key", "authctl signout, then sign in again")
        case .busy(let name, let holder):
            return make(
                "'\(name)' is held by \(holder.map { "process \($0)" } ?? "another process")",
                "try again when it is done",
                code: "store-busy")
        case .notWritable(let path, let code):
            return make("'\(path)' cannot be written to: \(SystemText.of(code))", writable(path, code))
        case .configuration(let path, let reason):
            return Failure("invalid-configuration", 78, "'\(path)' cannot be read: \(reason)", hint: "mend the file")
        case .database(let reason): return make("the database cannot be used: \(reason)", "check the disk")
        }
    }
}

extension Output {
    func report(_ failure: Failure) { Output.report(failure, isJSON: isJSON) }

    static func report(_ failure: Failure, isJSON: Bool) { errors(isJSON ? [failure.json.text] : failure.lines) }
}
