import ArgumentParser
import AuthCore

struct SignInCommand: AsksSecondFactor {
    static let configuration = CommandConfiguration(
        commandName: "signin", abstract: "Sign in with a provider.",
        discussion: """
            Prints the provider's URL, opens a browser where there is one, and waits on a loopback port. On a terminal \
            the callback's URL can be pasted instead, which works over SSH.
            """,
        aliases: ["login"])
    static let examples = [
        Example(
            "Sign in to GitHub: in the browser, or with a code on another device.",
            "authctl signin --provider github.com"),
        Example(
            "Ask for one more scope, and print the URL instead of opening it.",
            "authctl signin --provider oidc.work --scope calendar.read --no-browser"),
        Example("Begin without saying who you are, in a Firebase project.", "authctl signin --provider anonymous"),
        Example(
            "For an API, or an MCP server, of which the URL is all you know.",
            "authctl signin --resource https://mcp.example.com/mcp"),
        Example(
            "In a job of GitHub Actions with 'permissions: id-token: write'.",
            "authctl signin --ci auto --audience https://api.example.com"),
    ]

    @OptionGroup var provider: ProviderOption
    @OptionGroup var options: GlobalOptions
    @OptionGroup var flags: FlowFlags
    @OptionGroup(title: "A protected URL") var resource: ResourceFlags
    @OptionGroup(title: "A password") var password: PasswordFlags
    @OptionGroup(title: "A job of a CI system") var workload: WorkloadFlags
    @OptionGroup(title: "A Firebase project") var project: ProjectSignInFlags
    var factor: SecondFactorFlag { project.factor }

    @OptionGroup(title: "After a conflict") var conflict: ConflictFlags

    var task: ErrorContext {
        let again: ShellCommand
        if let url = resource.resource?.text {
            again = resource.again(
                provider.id.map { "authctl signin --resource \(url) --provider \($0)" }
                    ?? "authctl signin --resource \(url)")
        } else if let platform = workload.ci {
            again = workload.again("authctl signin --ci \(platform)")
        } else {
            again = password.email.map { "\(ShellCommand.signIn(provider.id)) --email \($0)" } ?? .signIn(provider.id)
        }
        var task = flags.task("sign-in failed", provider.id, again: again)
        task.resource = resource.resource?.text
        return task
    }

    func validate() throws {
        if conflict.pending != nil, provider.id != nil || conflict.linkPending {
            throw ValidationError("--pending needs neither --provider nor --link-pending")
        }
        if conflict.consent, !conflict.linkPending, resource.resource == nil {
            throw ValidationError("--consent goes with --link-pending or --resource")
        }
        try project.link.check(provider, flags)
        try factor.check(flags)
        try project.custom.requireAlone(
            provider, flags, others: conflict.pending != nil || conflict.linkPending || workload.ci != nil)
        if workload.ci != nil,
            provider.id != nil || conflict.pending != nil || conflict.linkPending || flags.given.idToken != nil
        {
            throw ValidationError("--ci needs no --provider, --id-token or pending credential")
        }
        if workload.ci != nil, flags.asked.par || (flags.asked.dpop && workload.exchange == nil) {
            throw ValidationError("--par is for a sign-in in a browser, and --dpop goes with --exchange in a job")
        }
        if resource.resource != nil,
            workload.ci != nil || conflict.pending != nil || password.isUsed || provider.id == PasswordProvider.id
                || flags.given.idToken != nil || flags.given.accessToken != nil || flags.steps.complete != nil
        {
            throw ValidationError("--resource is for a sign-in by a provider's own flow")
        }
        if resource.resource != nil, try flags.parameters().contains(where: { $0.0 == "resource" }) {
            throw ValidationError("--resource and --param resource exclude each other")
        }
        if flags.steps.complete != nil, provider.id != nil { throw ValidationError("--complete needs no --provider") }
        if provider.id == PasswordProvider.id, flags.steps.begin {
            throw ValidationError("a password needs no --begin")
        }
        if [PasswordProvider.id, ProjectWay.anonymous].contains(provider.id) { try flags.requireNothingAsked() }
        if provider.id == ProjectWay.anonymous, flags.isCredential || conflict.linkPending || workload.ci != nil {
            throw ValidationError("an anonymous account needs nothing besides")
        }
        let isByLink = provider.id == ProjectWay.emailLink && !password.passwordStdin && !password.creates
        if provider.id != PasswordProvider.id, password.isUsed, !isByLink {
            throw ValidationError(
                "--email goes with --provider password or emailLink, --password-stdin and --create with password")
        }
    }

    func run(_ context: Context) async throws {
        if let platform = workload.ci {
            return SignInText.show(try await workload.run(platform, flags, context), context)
        }
        if let result = try await project.custom.run(.signIn, context) { return SignInText.show(result, context) }
        if let pending = conflict.pending {
            let directory = try context.profile.directory()
            let result = try await PendingCredentials(directory: directory, clock: context.clock).signIn(
                pending.isEmpty ? nil : pending)
            return SignInText.show(result, context)
        }
        if provider.id == ProjectWay.anonymous {
            let signIn = try SignInToProject(context.profile)
            let result = try await signIn.anonymously(timeout: context.settings.timeout) {
                FlowFlags.noteWaiting(for: ProjectWay.anonymous, $0, context)
            }
            return SignInText.show(result, context)
        }
        if resource.resource == nil, let setUp = try await SetupOffer(context: context).taken(provider.id, flags) {
            var command = self
            command.provider.id = setUp.provider
            setUp.apply(to: &command.flags)
            return try await command.signIn(context)
        }
        try await signIn(context)
    }

    private func signIn(_ context: Context) async throws {
        let target = try await resource.target(
            provider.id, flags.scopes, needsUser: !flags.needsNobody, context)
        let id = try target?.providerID ?? (flags.steps.complete == nil ? context.providerID(provider.id) : "")
        if flags.steps.begin, id == ProjectWay.emailLink {
            let email = try password.address(context)
            return try await project.link.begin(email, again: Self.byLink(email), context)
        }
        var hasConsent = false
        if target != nil {
            // Before anybody is sent to a browser.
            hasConsent = try await Link(context.profile).consent(toTokensOf: id, hasConsent: conflict.consent) {
                Linking.agrees($0, context)
            }
        }
        if flags.steps.begin {
            return try await flags.begin(id, .signIn, context, for: target, hasConsent: hasConsent)
        }
        do {
            let result = try await signIn(id, target, hasConsent, context)
            if let target, let current = try await context.profile.shownLedger()?.currentUID(),
                current != result.account.uid
            {
                let account = result.account.email ?? result.account.uid
                context.output.note(
                    "the current account stays; add --account \(account) to use this token for"
                        + " '\(target.resource.text)'")
            }
            guard conflict.linkPending else { return SignInText.show(result, context) }
            // One result: that of what was done last.
            SignInText.note(result, context)
            try await Linking.pending(nil, to: result.account, conflict.consent, context)
        } catch let met as AccountConflict {
            guard try await Linking.offered(met, instead: id, conflict.consent, context) else {
                throw try await known(met, context)
            }
        }
    }

    /// The conflict, and whether it is with the very account that is signed in.
    private func known(_ conflict: AccountConflict, _ context: Context) async throws -> any Error {
        guard case .existsWithDifferentCredential(let email, _, let pendingID) = conflict,
            let current = try? await AccountStatus.one(context.account, in: context.profile.directory()),
            !current.sessions.isEmpty, current.account.email == email
        else { return conflict }
        return ConflictAtHome(conflict: conflict, pendingID: pendingID)
    }

    private func signIn(
        _ id: String, _ target: SignInToResource.Target?, _ hasConsent: Bool, _ context: Context
    ) async throws -> SignInResult {
        if let begun = flags.steps.complete { return try await flags.complete(begun, as: .signIn, context) }
        if id == ProjectWay.emailLink {
            let email = try password.address(context)
            return try await project.link.run(email, .signIn, again: Self.byLink(email), context)
        }
        guard id == PasswordProvider.id else {
            return try await flags.run(id, .signIn, context, for: target, hasConsent: hasConsent)
        }
        return password.creates ? try await password.create(context) : try await password.run(.signIn, context)
    }

    static func byLink(_ email: String) -> ShellCommand {
        "authctl signin --provider \(ProjectWay.emailLink) --email \(email)"
    }
}
