import AuthCore

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

    static func row(_ account: Account, isCurrent: Bool, hasUID: Bool) -> [Cell] {
        let providers =
            account.isAnonymous
            ? ProjectSignInProvider.anonymous : account.providerIDs.joined(separator: ", ")
        return row(name(account), uid: hasUID ? account.uid : nil, isCurrent: isCurrent) + [Cell(providers)]
    }

    private static func row(_ name: String, uid: String?, isCurrent: Bool) -> [Cell] {
        ["\(isCurrent ? "*" : " ") \(name)"] + (uid.map { [Cell($0)] } ?? [])
    }

    /// The widths of the names and of the uids. A narrow screen shows no uids, so that the providers have room.
    static func widths(_ entries: [AccountEntry], on screen: Screen) -> [Int] {
        let widths = entries.reduce(into: [Int]()) { widths, entry in
            Table.widen(&widths, row(name(entry.name, entry.known), uid: entry.uid, isCurrent: entry.isCurrent) + [""])
        }
        guard let columns = screen.columns, widths.reduce(20, { $0 + $1 + 2 }) > columns else { return widths }
        return Array(widths.prefix(1))
    }

    /// What `status` says about a session, in a few words.
    static func state(_ session: SessionSummary, _ view: SessionView) -> Cell {
        if view.isLocked { return Cell("locked", as: .waiting) }
        switch view.state(session) {
        case .needsSignIn: return Cell("expired", as: .bad)
        case .unreadable: return Cell("unreadable", as: .bad)
        case .fresh, .renews, .locked:
            if session.isRenewable(at: view.now), view.isConfigured(session) {
                let end = session.refreshTokenExpiresAt.map { RelativeTime.deadline($0, now: view.now) }
                return Cell("renews itself" + (end.map { ", sign in again by \($0)" } ?? ""))
            }
            guard let end = session.expiresAt else { return "no expiry date" }
            return Cell(RelativeTime.validity(until: end, now: view.now))
        }
    }

    /// More about a session, in the words of `state`.
    static func details(_ session: SessionSummary, of account: Account, in view: SessionView) -> [[Cell]] {
        var rows: [[Cell]] = []
        func add(_ label: String, _ text: String?) { if let text { rows.append([Cell("    " + label), Cell(text)]) } }
        add("account", name(account))
        let isExpired = view.state(session) == .needsSignIn
        add("expired", isExpired ? view.reason(session) : nil)
        add("expires", session.expiresAt.map(HTTPDate.rfc3339))
        add("session ends", session.refreshTokenExpiresAt.map(HTTPDate.rfc3339))
        add("scopes", session.scopes.isEmpty ? nil : session.scopes.joined(separator: " "))
        let ago = "\(RelativeTime.span(max(0, view.now - session.lastProvenAt))) ago, "
        let source = session.source == .personalToken ? "personal access token" : session.source.text
        add("signed in", "\(session.lastProvenAt == 0 ? "" : ago)by \(source)")
        add("provider", session.resource == nil ? nil : session.providerID)
        switch session.binding {
        case .bearer: break
        case .dpop: add("token", "DPoP-bound")
        case .certificate: add("token", "certificate-bound")
        }
        add("stored for", session.directory == view.directory ? session.directory?.emulator : session.directory.name)
        return rows
    }

    /// The command that signs in to an expired session again.
    static func signIn(_ session: SessionSummary, of account: Account, in view: SessionView) -> Hint? {
        guard view.state(session) == .needsSignIn, !view.isLocked, session.directory == view.directory else {
            return nil
        }
        if session.resource != nil {
            return .run(.signIn(session.providerID, for: session.resource, as: session.source))
        }
        return .run(
            session.source.isPersonal
                ? .signInWithToken(session.providerID) : .signIn(session.signInProvider, email: account.email))
    }
}
