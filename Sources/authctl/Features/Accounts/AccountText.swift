import AuthCore

struct SessionView {
    let directory: DirectoryOrigin
    /// Whether the user must unlock the vault first.
    let isLocked: Bool
    var isKeyLost = false
    let now: Int64
    var places: [String: ConfigurationPlace] = [:]
    var given = RepeatedOptions()
    var hasOtherIssuer: (SessionSummary) -> Bool = { _ in false }

    func state(_ session: SessionSummary) -> SessionState {
        let state = session.state(in: directory, isLocked: isLocked, isKeyLost: isKeyLost, now: now)
        return state != .unreadable && hasOtherIssuer(session) ? .needsSignIn : state
    }

    /// Why the user must sign in again.
    func reason(_ session: SessionSummary) -> String {
        hasOtherIssuer(session) ? "of another issuer" : session.isRejected ? "rejected by the server" : "expired"
    }
}

extension Context {
    func sessionView(_ directory: DirectoryOrigin, _ vault: VaultStatus) -> SessionView {
        let hasPassphrase = VaultPassphraseSources(environment: environment, settings: settings).isAny
        let isLocked = vault.state == .locked && !(vault.kind == .passphrase && hasPassphrase)
        // Sessions are shown even if the settings are invalid, which is reported elsewhere.
        let places = (try? profile.providerIDs())?.compactMap { id in
            (try? profile.place(of: id)).flatMap { place in place.map { (id, $0) } }
        }
        return SessionView(
            directory: directory, isLocked: isLocked, now: clock.now(),
            places: Dictionary(places ?? []) { first, _ in first }, given: settings.repeatedOptions,
            hasOtherIssuer: profile.hasOtherIssuer)
    }
}

extension AccountText {
    static func rows(_ account: Account) -> [[Cell]] {
        var rows: [[Cell]] = [["account", Cell(name(account))], ["uid", Cell(account.uid)]]
        if let email = account.email {
            rows.append(["email", "\(shown: email)\(account.isEmailVerified ? "" : " (not verified)")"])
        }
        if account.isMachine { rows.append(["kind", "machine"]) }
        if account.isAnonymous { rows.append(["kind", "anonymous: cannot be recovered after signing out"]) }
        if let display = account.displayName { rows.append(["name", Cell(ServerText.shown(display))]) }
        let providers = Table.lines(account.providerData.map { [$0.key.providerID, self.identity($0)] })
        return rows + providers.map { ["provider", Cell($0)] }
    }

    private static func identity(_ identity: Identity) -> String {
        let name = identity.email ?? identity.displayName ?? identity.key.federatedID
        let number = name == identity.key.federatedID ? "" : " (\(identity.key.federatedID))"
        return ServerText.shown(name + number) + (identity.isPrivateRelay ? ", a relay address" : "")
    }

    static func row(_ account: Account, isCurrent: Bool) -> [Cell] {
        let providers =
            account.isAnonymous
            ? ProjectSignInProvider.anonymous : account.providerIDs.joined(separator: ", ")
        return row(name(account), uid: account.uid, isCurrent: isCurrent) + [Cell(providers)]
    }

    private static func row(_ name: String, uid: String, isCurrent: Bool) -> [Cell] {
        ["\(isCurrent ? "*" : " ") \(name)", Cell(uid)]
    }

    static func widths(_ entries: [AccountEntry]) -> [Int] {
        entries.reduce(into: []) { widths, entry in
            Table.widen(&widths, row(name(entry.name, entry.known), uid: entry.uid, isCurrent: entry.isCurrent) + [""])
        }
    }

    static func title(_ status: AccountStatus) -> [Cell] {
        let row = row(status.account, isCurrent: status.isCurrent)
        return status.account.isAnonymous ? row : row.dropLast()
    }

    static func sessions(_ status: AccountStatus, _ view: SessionView) -> [[Cell]] {
        guard !status.sessions.isEmpty else { return [["    signed out"]] }
        let rows = status.account.providerData.flatMap { identity -> [[Cell]] in
            let provider = identity.key.providerID
            let sessions = status.sessions.filter { $0.providerID == provider }
            guard !sessions.isEmpty else {
                return status.account.isMachine
                    ? [] : [["    \(provider)", "linked, without a session on this machine"]]
            }
            return sessions.map { cells($0, view) }
        }
        // A CI job's session can be at a different provider than the one that issued its identity token.
        let exchanged = status.sessions.filter { session in
            !status.account.providerData.contains { $0.key.providerID == session.providerID }
        }
        return rows + exchanged.map { cells($0, view) }
    }

    private static func cells(_ session: SessionSummary, _ view: SessionView) -> [Cell] {
        var cells: [Cell] = ["    \(session.providerID)", state(view.state(session))]
        if session.directory != view.directory {
            cells.append("of \(session.directory.name): not the current directory")
        } else if session.issuedBy == .password {
            cells += ["no tokens", "signs in by password"]
        } else {
            let renewal =
                session.isRenewable
                ? WorkloadPlatform.all.first { $0.providerID == session.providerID }?.isFixed == true
                    ? "refreshed if the job has a new token" : "refreshed automatically"
                : session.expiresAt == nil ? "valid until revoked" : "requires a new sign-in"
            cells += [Cell(RelativeTime.expiry(session.expiresAt, now: view.now)), Cell(renewal)]
        }
        if let resource = session.resource { cells.append("for '\(resource.text)'") }
        switch session.binding {
        case .bearer: break
        case .dpop: cells.append("DPoP-bound")
        case .certificate: cells.append("certificate-bound")
        }
        cells.append(session.source == .personalToken ? "by personal access token" : "by \(session.source.text)")
        if session.lastProvenAt != 0 {
            cells.append("authenticated \(RelativeTime.span(max(0, view.now - session.lastProvenAt))) ago")
        }
        if session.directory == view.directory, let emulator = session.directory?.emulator {
            cells.append("at the emulator '\(emulator)'")
        }
        if let end = session.expiresAt { cells.append(Cell(HTTPDate.rfc3339(end))) }
        return cells
    }

    private static func state(_ state: SessionState) -> Cell {
        let tone: Cell.Tone? =
            switch state {
            case .fresh: .good
            case .renews: nil
            case .needsSignIn, .unreadable: .bad
            case .locked: .waiting
            }
        return Cell(state.rawValue, as: tone)
    }

    /// One line for an account: a symbol, its name, its providers and its state. Also returns the command that fixes a
    /// problem.
    static func summary(_ status: AccountStatus, _ view: SessionView) -> (cells: [Cell], command: Hint?) {
        let states = status.sessions.map { (session: $0, state: view.state($0)) }
        let worst = states.max { rank($0.state) < rank($1.state) }
        let providers = states.map(\.session.providerID).reduce(into: [String]()) {
            if !$0.contains($1) { $0.append($1) }
        }
        let (tone, text): (Cell.Tone, String) =
            switch worst?.state {
            case nil: (.bad, "signed out")
            case .fresh, .renews: (.good, "signed in")
            case .locked: (.waiting, "locked")
            case .unreadable: (.bad, view.isKeyLost ? "unreadable: the encryption key is missing" : "unreadable")
            case .needsSignIn where worst?.session.directory != view.directory: (.bad, "of another directory")
            // Another session may still have a token.
            case .needsSignIn:
                (
                    status.requiresUser(view.state) ? .bad : .waiting,
                    worst.map { (providers.count > 1 ? "\($0.session.providerID) " : "") + view.reason($0.session) }
                        ?? ""
                )
            }
        let command = worst.flatMap { $0.state == .needsSignIn ? signingIn($0.session, status.account) : nil }
        return (
            [
                Cell(tone.mark, as: tone), "\(status.isCurrent ? "*" : " ") \(name(status.account))",
                Cell(providers.joined(separator: ", ")), Cell(text, as: tone),
            ], worst == nil && status.isCurrent ? .run(.signIn(to: status.account)) : command
        )
    }

    private static func rank(_ state: SessionState) -> Int {
        switch state {
        case .fresh, .renews: 0
        case .locked: 1
        case .needsSignIn: 2
        case .unreadable: 3
        }
    }

    private static func signingIn(_ session: SessionSummary, _ account: Account) -> Hint {
        if session.resource != nil {
            return .run(.signIn(session.providerID, for: session.resource, as: session.source))
        }
        return .run(
            session.source == .personalToken
                ? .signInWithToken(session.providerID) : .signIn(session.signInProvider, email: account.email))
    }

    /// The problems that require the user's action, each with its command.
    static func attention(
        _ all: [AccountStatus], pending: [(credential: PendingCredential, command: Hint)], view: SessionView
    ) -> [(text: String, command: Hint)] {
        var lines = all.flatMap { status in
            status.sessions.compactMap { session -> (text: String, command: Hint)? in
                guard view.state(session) == .needsSignIn, session.directory == view.directory else { return nil }
                let reason = view.reason(session)
                return (
                    "! '\(session.providerID)' of \(name(status.account)) \(reason == "expired" ? "has" : "is") \(reason)",
                    signingIn(session, status.account)
                )
            }
        }
        if view.isLocked { lines.append(("! the encryption key is locked", .run("authctl profile unlock"))) }
        return lines
            + pending.map { credential, command in
                let span = RelativeTime.span(credential.expiresAt - view.now)
                return ("! a credential of '\(credential.providerID)' is pending, \(span) left", command)
            }
    }

    static func attention(_ unrevoked: [UnrevokedSession], _ view: SessionView) -> [(text: String, command: Hint)] {
        unrevoked.map { session in
            let ago = RelativeTime.span(max(0, view.now - session.failedAt))
            return (
                "! the revocation of the tokens of '\(session.providerID)' failed \(ago) ago",
                .run("authctl signout --retry")
            )
        }
    }
}
