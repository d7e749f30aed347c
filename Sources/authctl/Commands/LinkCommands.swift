import ArgumentParser
import AuthCore

struct LinkCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "link", abstract: "Attach a provider's identity to the current account.",
        discussion: """
            Runs the provider's flow, or with --pending attaches the credential that met \
            account-exists-with-different-credential, without another trip to the provider.
            """)

    @OptionGroup var provider: ProviderOption
    @OptionGroup var options: GlobalOptions
    @OptionGroup var flags: FlowFlags

    @Option(
        defaultAsFlag: "",
        help: ArgumentHelp("Attach the pending credential; its ID may be left out.", valueName: "id"))
    var pending: String?

    @Flag(help: "The person has agreed to tie an Apple identity to other data.")
    var consent = false

    var task: Undertaking {
        let again: Hint = provider.id.map { "authctl link --provider \($0)" } ?? "authctl link"
        return Undertaking("not linked", provider: provider.id, again: again)
    }

    func validate() throws {
        if pending != nil, provider.id != nil { throw ValidationError("--pending needs no --provider") }
        if provider.id == PasswordProvider.id {
            throw ValidationError("a password is set with: authctl accounts set-password")
        }
    }

    func run(_ context: Context) async throws {
        let status = try await AccountStatus.one(context.account, in: context.directory(creating: false))
        if let pending {
            return try await Linking.pending(pending.isEmpty ? nil : pending, to: status.account, consent, context)
        }
        if let begun = flags.complete {
            return SignInText.show(try await flags.complete(begun, as: .link, context), context)
        }
        let id = try context.providerID(provider.id)
        // Known before anybody is sent to a browser.
        if status.account.isMachine { throw AccountRefusal.machine }
        if status.account.providerData.contains(where: { $0.key.providerID == id }) {
            throw AccountConflict.providerAlreadyLinked(id)
        }
        let hasConsent = try Linking.consent(consent, id, status.account, context)
        let operation = SignInOperation.link(uid: status.account.uid, hasConsent: hasConsent)
        if flags.begin { return try await flags.begin(id, operation, context) }
        let result = try await flags.run(id, operation, context)
        SignInText.show(result, context)
    }
}

/// What linking asks of the person.
enum Linking {
    /// Attaches a pending credential.
    static func pending(_ id: String?, to account: Account, _ consent: Bool, _ context: Context) async throws {
        let credentials = PendingCredentials(
            directory: try context.directory(creating: false), clock: context.clock)
        let pending = try await credentials.choose(id) {
            $0.reason == .accountExists && $0.names(account)
        }
        let hasConsent = try self.consent(consent, pending.providerID, account, context)
        let result = try await credentials.link(pending.id, to: account.uid, hasConsent: hasConsent)
        SignInText.show(result, context)
    }

    /// Whether the person agrees, asked in words they understand where it must be asked and can be.
    /// - Throws: `AccountRefusal.consentRequired`.
    static func consent(_ given: Bool, _ provider: String, _ account: Account, _ context: Context) throws -> Bool {
        guard !given, let asking = LinkingRules.asking(provider, account, Dialect.wantingConsent) else { return given }
        let others = (account.providerData.map(\.key.providerID) + [provider]).filter { $0 != asking }
        let question = """
            '\(asking)' lets people keep to themselves who they are. Linking ties that identity to what \
            \(others.map { "'\($0)'" }.joined(separator: ", ")) knows about you, in this account. Do you agree?
            """
        guard !context.isUnattended, context.output.confirm(question) else {
            throw AccountRefusal.consentRequired(provider: asking)
        }
        return true
    }
}

struct UnlinkCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "unlink", abstract: "Detach a provider from the current account.")

    @OptionGroup var provider: ProviderOption
    @OptionGroup var options: GlobalOptions
    @OptionGroup var proof: ProofFlags

    var task: Undertaking {
        Undertaking("not unlinked", provider: provider.id, again: "authctl unlink --provider …")
    }

    func validate() throws {
        guard provider.id != nil else { throw ValidationError("say which provider with --provider") }
    }

    func run(_ context: Context) async throws {
        let directory = try context.directory(creating: false)
        let account = try await AccountStatus.one(context.account, in: directory).account
        guard let id = provider.id else { return }
        // What cannot be done needs no proof.
        guard account.providerData.contains(where: { $0.key.providerID == id }) else {
            throw AccountConflict.noSuchProvider(id)
        }
        guard account.providerData.count > 1 else { throw AccountRefusal.lastProvider(id) }
        try await proof.prove(account, context)
        let left = try await directory.unlink(id, from: account.uid, now: context.clock.now())
        context.output.result(["account": .object(JSONShapes.account(left))]) { [] }
        context.output.note("'\(id)' is no longer linked to \(AccountText.name(left))")
    }
}

struct ReauthCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "reauth", abstract: "Prove again who you are, before an operation that cannot be taken back.",
        discussion: """
            Runs the flow of a provider that the current account has, asking it for a fresh sign-in. The identity must be \
            the account's own; a proof is good for five minutes.
            """)

    @OptionGroup var provider: ProviderOption
    @OptionGroup var options: GlobalOptions
    @OptionGroup var flags: FlowFlags

    @Flag(help: "With --provider password: read the password from standard input.")
    var passwordStdin = false

    var task: Undertaking {
        Undertaking("not proven", provider: provider.id, again: "authctl reauth")
    }

    func run(_ context: Context) async throws {
        if let begun = flags.complete {
            return SignInText.show(try await flags.complete(begun, as: .reauthenticate, context), context)
        }
        let status = try await AccountStatus.one(context.account, in: context.directory(creating: false))
        if flags.begin { return try await Proof.begin(status, provider: provider.id, flags, context) }
        let result = try await Proof.again(
            status, provider: provider.id, flags, passwordStdin: passwordStdin, context)
        SignInText.show(result, context)
    }
}

/// The flag of operations that need a recent proof.
struct ProofFlags: ParsableArguments {
    @Flag(help: "Prove first who you are, where the last proof is older than five minutes.")
    var reauth = false

    /// Asks for a new proof where one is needed and was allowed to be asked for.
    func prove(_ account: Account, _ context: Context) async throws {
        let directory = try context.directory(creating: false)
        do {
            try await directory.requireRecentLogin(account.uid, now: context.clock.now())
        } catch AccountRefusal.requiresRecentLogin where reauth {
            let status = try await AccountStatus.one(account.uid, in: directory)
            SignInText.note(
                try await Proof.again(status, provider: nil, .standard, passwordStdin: false, context), context)
        }
    }
}

enum Proof {
    /// Runs the flow of the provider that is named, or of the one that was used last.
    static func again(
        _ status: AccountStatus, provider: String?, _ flags: FlowFlags, passwordStdin: Bool, _ context: Context
    ) async throws -> SignInResult {
        let (id, identity, operation) = try asked(status, provider, context)
        if id == PasswordProvider.id {
            var password = PasswordFlags.standard
            password.email = identity.key.federatedID
            password.passwordStdin = passwordStdin
            return try await password.run(operation, context)
        }
        return try await hinting(flags, identity, context).run(id, operation, context)
    }

    /// The first of two calls.
    static func begin(
        _ status: AccountStatus, provider: String?, _ flags: FlowFlags, _ context: Context
    ) async throws {
        let (id, identity, operation) = try asked(status, provider, context)
        guard id != PasswordProvider.id else { throw UsageProblem("a password needs no --begin") }
        try await hinting(flags, identity, context).begin(id, operation, context)
    }

    private static func asked(
        _ status: AccountStatus, _ provider: String?, _ context: Context
    ) throws -> (id: String, Identity, SignInOperation) {
        let id = try provider ?? usual(status, context)
        guard let identity = status.account.providerData.first(where: { $0.key.providerID == id }) else {
            throw AccountConflict.noSuchProvider(id)
        }
        return (id, identity, .reauthenticate(uid: status.account.uid))
    }

    private static func hinting(_ flags: FlowFlags, _ identity: Identity, _ context: Context) throws -> FlowFlags {
        var flags = flags
        let id = identity.key.providerID
        let dialect = try context.isEntered(id) ? context.provider(id).provider.dialect : Dialect.named(id)
        if flags.loginHint == nil, dialect?.takesLoginHint == true { flags.loginHint = identity.email }
        return flags
    }

    /// The provider that proved the person last, among those that can be asked here.
    private static func usual(_ status: AccountStatus, _ context: Context) throws -> String {
        let recent = status.sessions.sorted { $0.lastProvenAt > $1.lastProvenAt }
            .map { $0.providerID == DirectorySession.id ? $0.source : $0.providerID }
        let all = recent + status.account.providerData.map(\.key.providerID)
        let usable = try all.first { try $0 == PasswordProvider.id || context.isConfigured($0) }
        guard let usable else { throw ProviderError.notConfigured(all.first ?? "") }
        return usable
    }
}
