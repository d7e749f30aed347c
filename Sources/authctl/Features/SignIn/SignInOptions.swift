import AuthCore

/// A command that signs users in: `signin`, `link` and `reauth`.
protocol SignInOptions: PrintsJSON {
    var provider: ProviderArgument { get }
    var flags: FlowFlags { get }
    var factor: SecondFactorFlag { get }
    var ownOptions: GivenOptions { get }
}

extension SignInOptions {
    static var output: View<SignInView> { SignInView.view }
    static var outputs: [any Outlined] { [output, BegunSignIn.output] }

    var readsOneTimeCode: Bool { factor.totpStdin }

    private var given: Set<SignInOption> {
        SignInOption.all(in: flags.given + ownOptions + ["--provider": provider.id])
    }

    var method: SignInMethod { SignInMethod(given, provider: provider.id) }

    func checkSettings(_ context: Context) throws {
        // Only a Firebase project asks for a second factor.
        if factor.totpStdin { _ = try context.profile.projectDirectory() }
        // An unreadable configuration is an error later, if it is needed.
        try? context.noteUnknownKeys()
    }

    /// Suggests to the provider the user in the session's name.
    func suggestUser(in flags: inout FlowFlags, _ context: Context) throws {
        guard flags.authorization.loginHint == nil, let id = provider.id, let name = provider.account,
            try context.profile.find(context.named(id))?.configuration?.dialect.supportsLoginHint == true
        else { return }
        flags.authorization.loginHint = SessionName(name).user
    }

    /// Notes that the provider signed in another user than the one in the session's name.
    func noteOtherUser(_ result: SignInResult, _ context: Context) async {
        guard let name = provider.account,
            let named = try? await context.profile.directory().sessionStore.accounts(matching: name),
            !named.contains(where: { $0.uid == result.account.uid })
        else { return }
        context.output.note("this is not '\(shown: name)': another user is signed in at the provider")
    }

    func validate() throws { try checkOptions() }

    func checkOptions() throws {
        let given = given
        try method.check(given, provider: provider.id, named: flags.tokens.withToken ? "--with-token" : nil)
        let unused: [SignInOption] =
            flags.selectedFlow == .device ? [.begin, .par] : [.begin, .par, .prompt, .loginHint]
        if [.device, .clientCredentials].contains(flags.selectedFlow), let option = unused.first(where: given.contains)
        {
            throw UsageProblem.excluded(option.flag, by: "--flow \(flags.selectedFlow.rawValue)")
        }
        if given.isSuperset(of: [.begin, .code]) { throw UsageProblem.excluded("--begin", by: "--code") }
        try refuse(
            if: factor.totpStdin && flags.selectedFlow == .paste,
            "--totp-stdin cannot be used with --flow paste: both read standard input; use --begin and --complete")
    }
}
