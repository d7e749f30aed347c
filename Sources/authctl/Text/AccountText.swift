import AuthCore

/// Accounts as a person wants to see them.
enum AccountText {
    static func lines(_ account: Account) -> [String] {
        var rows = [["account", name(account)], ["uid", account.uid]]
        if let email = account.email {
            rows.append(["email", "\(ServerText.shown(email))\(account.isEmailVerified ? "" : " (not verified)")"])
        }
        if account.isMachine { rows.append(["kind", "machine"]) }
        if let display = account.displayName { rows.append(["name", ServerText.shown(display)]) }
        let providers = Table.lines(account.providerData.map { [$0.key.providerID, self.identity($0)] })
        rows += providers.map { ["provider", $0] }
        return Table.lines(rows)
    }

    /// Who somebody is at a provider, in the word that a person knows.
    private static func identity(_ identity: Identity) -> String {
        let name = identity.email ?? identity.displayName ?? identity.key.federatedID
        let number = name == identity.key.federatedID ? "" : " (\(identity.key.federatedID))"
        return ServerText.shown(name + number) + (identity.isPrivateRelay ? ", a relay address" : "")
    }

    /// - Parameter present: what makes the sessions of the profile now: of others it is said.
    static func lines(_ status: AccountStatus, _ present: DirectoryOrigin, now: Int64) -> [String] {
        let mark = status.isCurrent ? "*" : " "
        let title = "\(mark) \(name(status.account))  \(status.account.uid)"
        let rows = status.account.providerData.compactMap { identity -> [String]? in
            let provider = identity.key.providerID
            guard let session = status.sessions.first(where: { $0.providerID == provider }) else {
                return status.account.isMachine ? nil : ["    \(provider)", "linked, no session here"]
            }
            return ["    \(provider)"] + cells(session, present, now: now)
        }
        // A job's token may be another provider's than the one that says who it is.
        let exchanged = status.sessions.filter { session in
            !status.account.providerData.contains { $0.key.providerID == session.providerID }
        }.map { ["    \($0.providerID)"] + cells($0, present, now: now) }
        return [title] + (status.sessions.isEmpty ? ["    signed out"] : Table.lines(rows + exchanged))
    }

    private static func cells(_ session: SessionSummary, _ present: DirectoryOrigin, now: Int64) -> [String] {
        var proven =
            session.lastProvenAt == 0
            ? "by \(session.source.text)"
            : "by \(session.source.text), proven \(Relative.span(max(0, now - session.lastProvenAt))) ago"
        if session.directory != present {
            proven += ", of \(Failure.text(session.directory)): not used now"
        } else if let emulator = session.directory?.emulator {
            proven += ", at the emulator '\(emulator)'"
        }
        guard session.providerID != PasswordProvider.id else { return ["no tokens", "signs in by password", proven] }
        let renewal =
            session.isRenewable
            ? "renews itself" : session.expiresAt == nil ? "lasts until revoked" : "needs you to renew it"
        return [Relative.expiry(session.expiresAt, now: now), renewal, proven]
    }

    /// What a person should do, before anything else.
    static func attention(
        _ all: [AccountStatus], _ pending: [PendingCredential], _ present: DirectoryOrigin, now: Int64
    ) -> [String] {
        var lines = all.flatMap { status in
            status.sessions.compactMap { session -> String? in
                guard let expiresAt = session.expiresAt, expiresAt <= now, !session.isRenewable,
                    session.directory == present
                else { return nil }
                return "! '\(session.providerID)' of \(name(status.account)) has expired: "
                    + Hint.signIn(session.signInProvider).text
            }
        }
        lines += pending.map { pending in
            "! a credential of '\(pending.providerID)' waits, \(Relative.span(pending.expiresAt - now)) left: "
                + PendingText.command(pending).text
        }
        return lines
    }

    static func name(_ account: Account) -> String {
        ServerText.shown(account.email ?? account.displayName ?? account.uid)
    }
}
