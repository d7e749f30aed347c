import ArgumentParser
import AuthCore

struct SignOutCommand: PrintsJSON, UsesSession {
    static let configuration = CommandConfiguration(
        commandName: "signout", abstract: "Sign out and delete the sessions from this machine.",
        discussion: """
            Without a name, all sessions of the account end; on a terminal, authctl asks first if there are several. \
            Without --revoke, the tokens stay valid at the provider until they expire. If revocation fails, the tokens \
            are stored encrypted until they expire or 'authctl signout --retry' succeeds.
            """, aliases: ["logout"])
    static let examples: Examples = [
        "Sign out and revoke the tokens at the provider.": "authctl signout --revoke",
        "Sign out every account.": "authctl signout --all",
    ]

    static let output = View<[SignOut.Entry]> { Field("signedOut", of: \.self) }
    private static let retried = View<[SignOut.Entry]>("with --retry") { Field("retried", of: \.self) }
    static var outputs: [any Outlined] { [output, retried] }

    @OptionGroup var options: GlobalOptions
    @OptionGroup var provider: ProviderArgument

    @Flag(help: "Also revoke the refresh token, then the access token, at the provider.")
    var revoke = false

    @Flag(help: "Also open the provider's logout page.")
    var endSession = false

    @Flag(help: "Sign out every account.")
    var all = false

    @Flag(help: "Retry revocations that failed, without signing out.")
    var retry = false

    @Flag(help: "Do not ask for confirmation.")
    var yes = false

    var errorContext: ErrorContext { .init("not signed out", provider: provider.id) }

    func validate() throws {
        try refuse(
            if: retry && (revoke || endSession || all || options.account != nil),
            "--retry can only be used with --provider: its accounts are already signed out")
        try refuse(["--all": all], with: ["--account": options.account])
    }

    func run(_ context: Context) async throws {
        let provider = try provider.id.map(context.named)
        try require(
            provider != SessionIssuer.projectID,
            "the project's own session ends with the account's: leave --provider out")
        guard !retry else { return try await tryAgain(provider, context) }
        var request = SignOut.Request()
        request.account = try context.account
        request.provider = provider
        request.all = all
        request.revokes = revoke
        request.endsSession = endSession
        let signOut = try SignOut(context.profile)
        try consent(to: try await signOut.ending(by: request), context)
        let (entries, fault) = try await signOut.run(request)
        context.output.result(Self.output.json(entries)) { [] }
        for entry in entries { try await report(entry, context) }
        if let fault { throw fault }
        try requireRevoked(entries)
    }

    private func requireRevoked(_ entries: [SignOut.Entry]) throws {
        let failed = entries.filter(\.revoked.isFailure)
        guard !failed.isEmpty else { return }
        let cause = failed.first { $0.fault != nil && (failed.count == 1 || $0.fault is any UnusableClient) }
        let named = cause.map { [$0.providerID] } ?? []
        throw NotRevoked(
            providers: named + Set(failed.map(\.providerID)).subtracting(named).sorted(),
            isStored: retry || (cause.map { [$0] } ?? failed).contains { $0.keptUntil != nil }, isRetried: retry,
            isOtherClients: failed.allSatisfy { $0.revoked == .otherClient }, error: cause?.fault)
    }

    private func consent(to ending: (all: [AccountStatus], lost: [Account]), _ context: Context) throws {
        guard !yes else { return }
        let (lost, names) = (ending.lost, context.names(of: ending.all))
        guard let first = lost.first else {
            var ended = ending.all.flatMap { one in one.sessions.map { names.full($0, of: one.account) }.sorted() }
            guard !all, ended.count > 1, context.canPrompt, let last = ended.popLast() else { return }
            return _ = try context.agrees("Sign out of \(ended.joined(separator: ", ")) and \(last)?")
        }
        let what =
            lost.count == 1 ? "the anonymous account \(AccountText.name(first))" : "\(lost.count) anonymous accounts"
        try require(
            context.agrees("After signing out, \(what) cannot be recovered. Sign out anyway?"),
            .anonymousLost(what, uid: first.uid))
    }

    private func tryAgain(_ provider: String?, _ context: Context) async throws {
        let isAny = try context.profile.store(creating: false) != nil
        let entries = isAny ? try await SignOut(context.profile).retry(provider: provider) : []
        context.output.result(Self.retried.json(entries)) { [] }
        if entries.isEmpty { context.output.note("no revocation is pending") }
        for entry in entries { context.output.note("'\(entry.providerID)': \(description(entry))") }
        try requireRevoked(entries)
    }

    /// Seconds that a browser may take to start.
    private static let browserTimeout = 30.0

    private func description(_ entry: SignOut.Entry, inProject: Bool = false) -> String {
        let personal = entry.personalTokenPage.map {
            "the personal access token stays valid; to delete it: \(shown: $0)"
        }
        return switch entry.revoked {
        case .unsupported where entry.isLocal && inProject, .notRequested where entry.isLocal && inProject:
            "the project's tokens are not revoked: copies of them stay valid until the account is deleted or its password or address changes"
        case .notRequested where entry.isLocal: "it had no tokens to revoke"
        case .confirmed: "the provider confirmed that its tokens are revoked"
        case .failed where entry.fault is any UnusableClient: "its tokens were not revoked and may still be valid"
        case .failed: "the provider did not confirm the revocation: its tokens may still be valid"
        case .otherClient:
            "its tokens were issued to another client than the configured one: they were not revoked and may still be valid"
        case .unsupported where personal != nil: "the provider cannot revoke it: \(personal ?? "")"
        case .notRequested where personal != nil: personal ?? ""
        case .unsupported: "the provider cannot revoke tokens: they stay valid until they expire"
        case .notRequested: "its tokens stay valid at the provider, because --revoke was not given"
        }
    }

    private func report(_ entry: SignOut.Entry, _ context: Context) async throws {
        let inProject = try context.profile.projectSettings() != nil
        let resource = entry.resource.map { " for '\(shown: $0)'" } ?? ""
        context.output.note(
            "signed out of '\(entry.providerID)'\(resource); \(description(entry, inProject: inProject))")
        guard endSession else { return }
        guard let url = entry.endSessionURL else {
            return context.output.note("'\(entry.providerID)' has no usable logout page")
        }
        // The URL holds the ID token as a hint, so it is neither printed nor in a program's arguments.
        let browser = Browser(environment: context.environmentOfPrograms)
        guard !context.isUnattended, browser.program != nil,
            try await OneTimeRedirect.send(
                to: url, timeout: SignOutCommand.browserTimeout, clock: context.clock, open: { browser.open($0) })
        else { return context.output.note("no browser opened the logout page of '\(entry.providerID)'") }
    }
}

/// Why the tokens of sessions that have ended were not revoked.
struct NotRevoked: UserFacingError {
    /// The provider of the error is the first.
    let providers: [String]
    var isStored = false
    var isRetried = false
    var isOtherClients = false
    var error: (any Error)?

    private var isOtherIssuer: Bool { if case NotSignedIn.otherIssuer? = error { true } else { false } }
    private var unusable: (any UnusableClient)? { error as? any UnusableClient }
    var code: ErrorCode { isOtherIssuer ? .invalidConfiguration : unusable?.code ?? .providerUnavailable }
    var isComplete: Bool { true }

    func explanation(_ context: ErrorContext) -> Explanation {
        let retry: ShellCommand = "authctl signout --retry"
        var message = unconfirmed(providers) + (isRetried ? ", again" : "")
        var remedy: Hint?
        if let error {
            let known = error as? any UserFacingError ?? UnexpectedError(error: error)
            // As after a sign-in that failed: without the hint to sign in, because the session has ended.
            let reason = known.explanation(ErrorContext(for: .signIn, provider: providers.first))
            let isUnsent = isOtherIssuer || unusable != nil
            message =
                isUnsent
                ? "the tokens of \(quoted: providers) were not revoked" : unconfirmed(Array(providers.prefix(1)))
            message += ": \(reason.message)"
            remedy = isOtherIssuer ? "restore the configuration for that issuer" : reason.hint
        } else if isOtherClients {
            message =
                "the tokens of \(quoted: providers) were issued to another client than the configured one, and were not revoked"
            remedy =
                "restore the configuration of that client; if authctl had registered it, to forget the tokens: \(run: "authctl providers remove \(providers[0])")"
        }
        let hint: Hint = remedy.map { "\($0); then: \(run: retry)" } ?? .run(retry)
        return ((isRetried ? "" : "signed out on this machine, but ") + message)
            .hint(isStored ? hint : "revoke the session on the provider's web page")
    }

    private func unconfirmed(_ providers: [String]) -> String { "\(quoted: providers) did not confirm the revocation" }
}

extension SignOut.Entry: Viewed {
    static let view = View<SignOut.Entry>("Ended") {
        Field("uid", of: \.uid, means: "the account")
        Field("providerId", of: \.providerID)
        Field("resource", of: \.resource, means: "the only URL it was for")
        Field("revoked", of: \.revoked.rawValue, means: "confirmed, failed, unsupported, …")
        Field("keptUntil", of: { $0.keptUntil.map(Time.init) }, means: "the tokens are stored until then")
    }
}
