import ArgumentParser
import AuthCore

struct LinkCommand: AsksSecondFactor {
    static let configuration = CommandConfiguration(
        commandName: "link", abstract: "Attach a provider's identity to the current account.",
        discussion: """
            Runs the provider's flow, or with --pending attaches the credential that met \
            account-exists-with-different-credential, without another trip to the provider.
            """)
    static let examples = [
        Example("Add GitHub to the account.", "authctl link --provider github.com"),
        Example("Link the identity that met this account's address.", "authctl link --pending"),
        Example(
            "Give an account that has none a password to sign in with.",
            "authctl link --provider password --email ada@example.com"),
    ]

    @OptionGroup var provider: ProviderOption
    @OptionGroup var options: GlobalOptions
    @OptionGroup var flags: FlowFlags
    @OptionGroup(title: "A Firebase project") var project: LinkToProjectFlags
    private var link: EmailLinkFlags { project.link }
    var factor: SecondFactorFlag { project.factor }

    @Option(
        help: ArgumentHelp(
            "With --provider password or emailLink: the address, where the account has none.", valueName: "address"))
    var email: String?

    @Flag(help: "With --provider password: read the new password from standard input.")
    var passwordStdin = false

    @Option(
        defaultAsFlag: "",
        help: ArgumentHelp("Attach the pending credential; its ID may be left out.", valueName: "id"),
        completion: .custom { line, _, _ in Completions.pending(line) })
    var pending: String?

    @Flag(help: "The person has agreed to tie an Apple identity to other data.")
    var consent = false

    var task: ErrorContext {
        let again: ShellCommand = provider.id.map { "authctl link --provider \($0)" } ?? "authctl link"
        return flags.task("not linked", provider.id, again: again)
    }

    func validate() throws {
        if pending != nil, provider.id != nil { throw ValidationError("--pending needs no --provider") }
        let isPassword = provider.id == PasswordProvider.id
        if !isPassword, passwordStdin || (email != nil && provider.id != ProjectWay.emailLink) {
            throw ValidationError("--email goes with --provider password or emailLink, --password-stdin with password")
        }
        if isPassword { try flags.requireNothingAsked() }
        if isPassword, flags.isCredential {
            throw ValidationError("a password is typed, or comes with --password-stdin")
        }
        try link.check(provider, flags)
        try factor.check(flags)
    }

    func run(_ context: Context) async throws {
        let status = try await AccountStatus.one(context.account, in: context.profile.directory())
        if let pending {
            return try await Linking.pending(pending.isEmpty ? nil : pending, to: status.account, consent, context)
        }
        if let begun = flags.steps.complete {
            return SignInText.show(try await flags.complete(begun, as: .link, context), context)
        }
        if provider.id == PasswordProvider.id {
            guard !status.account.isMachine else { throw AccountRefusal.machine }
            let email = try email ?? status.account.email ?? PasswordFlags.standard.address(context)
            let password = try PasswordInput.new(fromInput: passwordStdin, context)
            let result = try await PasswordInput.signIn(context).link(status.account, email: email, password)
            return SignInText.show(result, context)
        }
        var flags = self.flags
        let setUp = try await SetupOffer(context: context).taken(provider.id, flags)
        setUp?.apply(to: &flags)
        let id = try setUp?.provider ?? context.providerID(provider.id)
        let operation = try Link(context.profile).operation(id, to: status.account, hasConsent: consent) {
            Linking.agrees($0, context)
        }
        if id == ProjectWay.emailLink { return try await byLink(status.account, operation, context) }
        if flags.steps.begin { return try await flags.begin(id, operation, context) }
        let result = try await flags.run(id, operation, context)
        SignInText.show(result, context)
    }

    private func byLink(_ account: Account, _ operation: SignInOperation, _ context: Context) async throws {
        let given = try email ?? account.email ?? PasswordFlags.standard.address(context)
        let email = try context.profile.directory().address(of: account, given: given)
        var again: ShellCommand = "authctl link --provider \(ProjectWay.emailLink)"
        if account.email == nil { again = "\(again) --email \(email)" }
        if flags.steps.begin { return try await link.begin(email, again: again, context) }
        SignInText.show(try await link.run(email, operation, again: again, context), context)
    }
}

struct UnlinkCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "unlink", abstract: "Detach a provider from the current account.")
    static let examples = [
        Example(
            "Take GitHub out of the account, after a new proof where one is needed.",
            "authctl unlink --provider github.com --reauth"),
        Example("Take the password out.", "authctl unlink --provider password --reauth"),
    ]

    @OptionGroup var provider: ProviderOption
    @OptionGroup var options: GlobalOptions
    @OptionGroup var proof: ProofFlags

    var task: ErrorContext {
        let again: ShellCommand = provider.id.map { "authctl unlink --provider \($0)" } ?? "authctl unlink --help"
        return ErrorContext("not unlinked", provider: provider.id, again: again)
    }

    func validate() throws {
        guard provider.id != nil else { throw ValidationError("say which provider with --provider") }
    }

    func run(_ context: Context) async throws {
        let account = try await AccountStatus.one(context.account, in: context.profile.directory()).account
        guard let given = provider.id else { return }
        let id = try context.named(given, or: account.providerData.map(\.key.providerID))
        let left = try await proof.changes(context).unlink(id, from: account)
        context.output.result(["account": .object(JSONShapes.account(left))]) { [] }
        context.output.note("'\(id)' is no longer linked to \(AccountText.name(left))")
    }
}

struct ReauthCommand: AsksSecondFactor {
    static let configuration = CommandConfiguration(
        commandName: "reauth", abstract: "Prove again who you are, before an operation that cannot be taken back.",
        discussion: """
            Runs the flow of a provider that the current account has, asking it for a fresh sign-in. The identity must be \
            the account's own; a proof is good for five minutes.
            """)
    static let examples = [
        Example("Prove it with the provider that was used last.", "authctl reauth"),
        Example(
            "Prove it with GitHub, by a code on another device.", "authctl reauth --provider github.com --flow device"),
    ]

    @OptionGroup var provider: ProviderOption
    @OptionGroup var options: GlobalOptions
    @OptionGroup var flags: FlowFlags

    @OptionGroup(title: "A Firebase project") var project: ProjectSignInFlags
    var factor: SecondFactorFlag { project.factor }

    @Flag(help: "With --provider password: read the password from standard input.")
    var passwordStdin = false

    var task: ErrorContext {
        flags.task(
            "not proven", provider.id,
            again: provider.id.map { "authctl reauth --provider \($0)" } ?? "authctl reauth")
    }

    func validate() throws {
        try project.link.check(provider, flags)
        try factor.check(flags)
        try project.custom.requireAlone(provider, flags, others: passwordStdin)
        if provider.id == PasswordProvider.id { try flags.requireNothingAsked() }
    }

    func run(_ context: Context) async throws {
        if let begun = flags.steps.complete {
            return SignInText.show(try await flags.complete(begun, as: .reauthenticate, context), context)
        }
        let status = try await AccountStatus.one(context.account, in: context.profile.directory())
        if let result = try await project.custom.run(.reauthenticate(uid: status.account.uid), context) {
            return SignInText.show(result, context)
        }
        let id = try provider.id.map { try context.named($0, or: status.account.providerData.map(\.key.providerID)) }
        if flags.steps.begin { return try await Proof.begin(status, provider: id, flags, context) }
        let result = try await Proof.again(
            status, provider: id, flags, link: project.link, passwordStdin: passwordStdin, context)
        SignInText.show(result, context)
    }
}
