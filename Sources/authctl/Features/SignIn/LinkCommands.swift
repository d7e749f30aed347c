import ArgumentParser
import AuthCore

struct LinkCommand: SignInOptions {
    static let configuration = CommandConfiguration(
        commandName: "link", abstract: "Link a provider's identity to the current account.",
        discussion: """
            Runs the provider's sign-in flow. With --pending, links the pending credential of an \
            account-exists-with-different-credential error, without another sign-in.
            """)
    static let examples: Examples = [
        "Link a GitHub identity.": "authctl link github.com",
        "Link the pending credential of a failed sign-in.": "authctl link --pending",
        "Add a password.": "authctl link password --email ada@example.com",
    ]
    static let mostUsed = ["--flow", "--no-browser", "--scope", "--pending"]

    @OptionGroup var provider: ProviderArgument
    @OptionGroup var options: GlobalOptions
    @OptionGroup var flags: FlowFlags
    @OptionGroup(title: "Firebase project") var link: EmailLinkFlags
    @OptionGroup(title: "Firebase project") var factor: SecondFactorFlag

    @Option(
        help: .init(
            "The email address, if the account does not have one yet (requires --provider password or emailLink).",
            valueName: "address"))
    var email: String?

    @Flag(help: "Read the new password from standard input (requires --provider password).")
    var passwordStdin = false

    @Option(
        defaultAsFlag: "",
        help: .init("Link the pending credential; the ID is optional if there is only one.", valueName: "id"),
        completion: .pending)
    var pending: String?

    @Flag(help: "List the pending credentials, which are stored for one hour.")
    var list = false

    @Option(
        defaultAsFlag: "", help: .init("Discard this pending credential; without an ID, all.", valueName: "id"),
        completion: .pending)
    var discard: String?

    @Flag(help: "The user has agreed to link an Apple identity to other data.")
    var consent = false

    static var outputs: [any Outlined] {
        [
            output, BegunSignIn.output, PendingCommand.List.output.named("with --list"),
            PendingCommand.Discard.output.named("with --discard"),
        ]
    }

    var errorContext: ErrorContext {
        .init("identity not linked", for: pending == nil ? .link : .linkPending, provider: provider.id)
    }

    var ownOptions: GivenOptions {
        ["--email": email, "--password-stdin": passwordStdin, "--pending": pending, "--code": link.code]
    }

    func validate() throws {
        try checkOptions()
        try refuseSeveral(
            of: ["--list": list, "--discard": discard, "--pending": pending, "--provider": provider.given])
    }

    func run(_ context: Context) async throws {
        if list { return try await PendingCommand.List.run(context) }
        if let discard { return try await PendingCommand.Discard.run(discard == "" ? nil : discard, context) }
        try checkSettings(context)
        if method == .complete {
            return try await SignInText.show(try await flags.complete(as: .link, context), in: context)
        }
        let pending = pending == "" ? nil : pending
        var name = try context.account
        // The credential knows its account, which a rule or the current account cannot change.
        if method == .pending, context.namedAccount == nil {
            name = (try? await Link(context.profile).owner(ofPending: pending)) ?? name
        }
        let status = try await AccountStatus.one(name, in: try context.profile.directory())
        let account = status.account
        guard !status.sessions.isEmpty else { throw NotSignedIn.signedOut(account) }
        context.profile.prepareRequests()
        switch method {
        case .pending:
            try await Linking.pending(pending, to: account, hasConsent: consent, in: context)
        case .password:
            // Checked before the user enters a password.
            _ = try Link(context.profile).operation(
                PasswordProvider.id, to: account, hasConsent: consent, requestConsent: context.consents)
            let email = try email ?? account.email ?? PasswordFlags.parse([]).address(context)
            let password = try PasswordInput.new(fromInput: passwordStdin, context)
            try await SignInText.show(
                try await PasswordInput.signIn(context).link(account, email: email, password: password), in: context)
        default: try await link(account, context)
        }
    }

    private func link(_ account: Account, _ context: Context) async throws {
        var flags = self.flags
        let first = FirstSignIn(context: context, flags: flags)
        var (setUp, tokens) = (SetUp?.none, PersonalTokenSignIn?.none)
        if let missing = try await first.provider(provider.id) {
            tokens = try await first.tokens(missing)
            if tokens == nil { setUp = try await first.setUp(missing) }
        }
        setUp?.apply(to: &flags)
        let id = try tokens?.provider.id ?? setUp?.provider ?? context.providerID(provider.id)
        let operation = try Link(context.profile).operation(
            id, to: account, hasConsent: consent, requestConsent: context.consents)
        if var tokens {
            tokens.operation = operation
            return try await SignInText.show(try await tokens.run(), in: context)
        }
        if method == .emailLink { return try await byLink(account, as: operation, in: context) }
        try suggestUser(in: &flags, context)
        if flags.steps.begin { return try await flags.begin(id, as: operation, in: context) }
        let result = try await flags.run(id, as: operation, in: context)
        await noteOtherUser(result, context)
        try await SignInText.show(result, in: context)
    }

    private func byLink(_ account: Account, as operation: SignInOperation, in context: Context) async throws {
        let given = try email ?? account.email ?? PasswordFlags.parse([]).address(context)
        let email = try context.profile.directory().address(of: account, given: given)
        let again = ("authctl link \(ProjectSignInProvider.emailLink)" as ShellCommand).with([
            "--email": account.email == nil ? email : nil
        ])
        if flags.steps.begin { return try await link.begin(email, again: again, in: context) }
        try await SignInText.show(try await link.run(email, as: operation, again: again, in: context), in: context)
    }
}

struct UnlinkCommand: PrintsAccount, UsesSession {
    static let configuration = CommandConfiguration(
        commandName: "unlink", abstract: "Unlink a provider from the current account.")
    static let examples: Examples = [
        "Unlink GitHub; re-authenticates if required.": "authctl unlink --provider github.com --reauth",
        "Remove the password.": "authctl unlink --provider password --reauth",
    ]

    @OptionGroup var provider: ProviderArgument
    @OptionGroup var options: GlobalOptions
    @OptionGroup var reauth: ReauthFlags

    var errorContext: ErrorContext { .init("provider not unlinked", provider: provider.id) }

    func validate() throws { try require(provider.id != nil, .missing(["--provider"])) }

    func run(_ context: Context) async throws {
        let status = try await context.accountStatus()
        guard let given = provider.id else { return }
        let id = try context.named(given, or: status.account.providerIDs)
        let left = try await reauth.changes(context).unlink(id, from: status.account)
        let hasTokens = status.sessions.contains { $0.providerID == id && $0.hasProviderTokens }
        let tokens = hasTokens ? "; its tokens were not revoked" : ""
        context.done(left, "'\(id)' is no longer linked to \(AccountText.name(left))\(tokens)")
    }
}

struct ReauthCommand: SignInOptions, UsesSession {
    static let configuration = CommandConfiguration(
        commandName: "reauth", abstract: "Re-authenticate if a sensitive operation requires it.",
        discussion: """
            Runs the flow of a provider that is linked to the current account, and requests a new authentication. The \
            identity must belong to the account. Re-authentication is valid for five minutes.
            """)
    static let examples: Examples = [
        "Re-authenticate with the provider that was used last.": "authctl reauth",
        "Re-authenticate with GitHub, with the device flow.": "authctl reauth github.com --flow device",
    ]

    @OptionGroup var provider: ProviderArgument
    @OptionGroup var options: GlobalOptions
    @OptionGroup var flags: FlowFlags

    @OptionGroup(title: "Firebase project") var custom: CustomTokenFlag
    @OptionGroup(title: "Firebase project") var link: EmailLinkFlags
    @OptionGroup(title: "Firebase project") var factor: SecondFactorFlag

    @Flag(help: "Re-authenticate with the password, which is read from standard input.")
    var passwordStdin = false

    var errorContext: ErrorContext { .init("re-authentication failed", for: .reauthenticate, provider: provider.id) }

    var ownOptions: GivenOptions {
        // Without a provider, the last sign-in may have used a password.
        let isPassword = (provider.id ?? custom.customToken ?? flags.steps.complete) != nil
        return [
            "--custom-token": custom.customToken, "--code": link.code, "--password-stdin": passwordStdin && isPassword,
        ]
    }

    func run(_ context: Context) async throws {
        try checkSettings(context)
        if method == .complete {
            return try await SignInText.show(try await flags.complete(as: .reauthenticate, context), in: context)
        }
        let status = try await context.accountStatus()
        context.profile.prepareRequests()
        if method == .customToken {
            let operation = SignInOperation.reauthenticate(uid: status.account.uid)
            return try await SignInText.show(try await custom.run(operation, context), in: context)
        }
        let id =
            try provider.id.map { try context.named($0, or: status.account.providerIDs) }
            ?? (passwordStdin ? PasswordProvider.id : nil)
        if flags.steps.begin {
            return try await Reauthentication.begin(status, provider: id, flags: flags, in: context)
        }
        let result = try await Reauthentication.run(
            status, provider: id, flags: flags, link: link, passwordStdin: passwordStdin, in: context)
        try await SignInText.show(result, in: context)
    }
}
