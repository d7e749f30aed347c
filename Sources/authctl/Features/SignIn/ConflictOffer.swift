import AuthCore

/// What the user is asked if the address of a sign-in belongs to another account.
struct ConflictOffer {
    /// The other account, if it is known on this machine.
    let account: Account?
    /// Its session, or the provider to sign in with.
    let existing: String
    /// The provider with which the user must sign in to it first.
    let signIn: String?
    /// Whether the question tells what Apple's users must agree to.
    let asksConsent: Bool
    private let lines: [String]
    private let question: String
    private let enterIsYes: Bool

    /// - Parameter id: the pending credential.
    /// - Returns: nil if the user can do nothing about it now.
    init?(_ id: String, of email: String, with providers: [String], in context: Context) async throws {
        let directory = try context.profile.directory()
        let (sessionStore, now) = (directory.sessionStore, context.clock.now())
        let (pending, credential) = try await sessionStore.pendingCredential(id, now: now)
        let all = try await AccountStatus.signedIn(in: sessionStore, and: [pending.accountUID].compactMap(\.self))
        let status = all.first { pending.names($0.account) }
        let view = context.sessionView(directory.origin, try await context.profile.vaultStatus())
        let isProject = directory.origin != .local
        let valid = status?.sessions.filter(view.isUser) ?? []
        var isSignedIn = !valid.isEmpty
        if isProject, isSignedIn, let uid = status?.account.uid {
            isSignedIn = (try? await sessionStore.requireRecentLogin(uid, now: now)) != nil
        }
        guard let other = isSignedIn ? providers.first : try context.usable(providers) else { return nil }

        let names = context.names(of: all)
        let consent = status.flatMap { Link.question(pending.providerID, by: $0.account) }
        let isOwnVerified = status?.account.isEmailVerified ?? true
        let new = names.provider(pending.providerID)
        let session = status.flatMap { status in status.defaultSession ?? status.sessions.first }
        account = status?.account
        existing = isSignedIn ? status.map(names.short) ?? other : names.provider(other)
        signIn = isSignedIn ? nil : other
        asksConsent = consent != nil
        enterIsYes =
            !isProject && isOwnVerified && credential.identity.isEmailVerified && !asksConsent
            // Whoever has a personal token need not be at this machine.
            && !valid.allSatisfy(\.source.isPersonal)

        let known = status.map { names.full(session?.providerID ?? other, of: $0.account) } ?? names.provider(other)
        let named = credential.identity.user.map { "\(new)/\($0)" } ?? new
        var lines = ["\(known) has the same address, \(ServerText.shown(email))."]
        let unconfirmed = credential.identity.isEmailVerified ? isOwnVerified ? nil : existing : new
        if let unconfirmed { lines.append("\(unconfirmed) did not confirm this address.") }
        if let consent { lines.append(consent.text) }
        self.lines = lines
        let isEverywhere = isProject && isSignedIn
        let how = ProjectSignInProvider.byAddress.contains(other) ? "with" : "to"
        question =
            (isSignedIn ? "Link \(named) to that account?" : "Sign in \(how) \(existing) now to link it?")
            + (isEverywhere ? " It can then be used to sign in to it everywhere." : "")
            + (isProject ? "" : " (No keeps them separate.)")
    }

    /// Whether the user wants to link the identity.
    func asked(_ context: Context) throws -> Bool? {
        let screen = Screen.standardError(context.environment)
        context.output.prompt(lines.flatMap { Paragraph.lines($0, on: screen) }, on: screen)
        return try context.output.decide(question, enterIsYes: enterIsYes)
    }
}

extension SessionView {
    /// Whether the session is valid, and a person's.
    fileprivate func isUser(_ session: SessionSummary) -> Bool {
        [.fresh, .renews].contains(state(session)) && !session.isMachine && session.resource == nil
    }
}
