import AuthCore

extension StatusReport {
    private struct Line {
        let name: String
        let words: [Cell]
        let isDefault: Bool
        /// The sign-in that the session needs.
        let signIn: Hint?
        let details: [[Cell]]
    }

    private var lines: [Line] {
        let chosen = defaultSession
        return listed.flatMap { status in
            status.sessions.map { session in
                let isDefault = session == chosen
                return Line(
                    name: names.full(session, of: status.account),
                    words: [AccountText.state(session, view)] + (isDefault ? [Cell("default", as: .minor)] : []),
                    isDefault: isDefault, signIn: AccountText.signIn(session, of: status.account, in: view),
                    details: AccountText.details(session, of: status.account, in: view))
            }
        }.sorted { ($0.isDefault ? 0 : 1, $0.name) < ($1.isDefault ? 0 : 1, $1.name) }
    }

    /// One line for each session, and what requires the user.
    /// - Parameter isLong: whether the details of each session follow its line.
    func lines(on screen: Screen, isLong: Bool) -> [[Cell]] {
        let lines = self.lines
        let rows = Table.lines(lines.map { [Cell($0.name)] + $0.words }, on: Screen())
        let narrowest = max(60, rows.map(\.width).max() ?? 0)
        let isNarrow = screen.columns.map { $0 < narrowest } ?? false
        let shown = zip(lines, rows).flatMap { line, row -> [[Cell]] in
            let words: [Cell] = line.words.flatMap { [", ", $0] }
            let below: [[Cell]] =
                [["    "] + words.dropFirst()] + (line.signIn.map { [["    ", Cell(text(of: $0))]] } ?? [])
            let short = isNarrow ? [[Cell(Output.escaped(line.name))]] + below : [row]
            return isLong ? short + Table.lines(line.details, on: screen) : short
        }
        let notes = tokens.map { "\($0.providerID) uses the token in \($0.variable) instead of the store" }
        let head = ([choiceText].compactMap(\.self) + notes).flatMap { Paragraph.lines($0, on: screen) }
        let needs = self.needs(isNarrow ? [] : lines.compactMap(\.signIn))
        let wide = Table.lines(needs.map { [Cell($0.label), Cell($0.about + $0.command)] }, on: Screen())
        let todo = zip(needs, wide).flatMap { need, line -> [[Cell]] in
            // A command is not broken.
            guard isNarrow || screen.columns.map({ line.width > $0 }) == true else { return [line] }
            return [[Cell(need.label + " " + need.about)], ["    ", Cell(need.command)]]
        }
        let parts: [[[Cell]]] = [head, shown, isLong ? machine(on: screen) : [], todo]
        return Array(parts.filter { !$0.isEmpty }.joined(separator: [[]]))
    }

    /// What makes a session the default one here, if that is not the last sign-in.
    private var choiceText: String? {
        guard let chosen, !isNamed, choice.account != nil else { return nil }
        let name = defaultSession.map { names.short($0, of: chosen.account) } ?? AccountText.name(chosen.account)
        let other = listed.first(where: \.isCurrent).map(names.short)
        let end = other.map { $0 == name ? "" : "; elsewhere it is \($0)" } ?? ""
        return "\(cause) makes \(name) the default\(end)."
    }

    /// What the user must do.
    private func needs(_ signIns: [Hint]) -> [(label: String, about: String, command: String)] {
        var needs: [(String, String, String)] = []
        func add(_ label: String, about: String = "", run command: Hint) {
            needs.append((label, Output.escaped(about), Output.escaped(text(of: command))))
        }
        for command in signIns { add("Sign in again:", run: command) }
        if let chosen, chosen.sessions.isEmpty { add("Sign in again:", run: .run(.signIn(to: chosen.account))) }
        if view.isLocked { add("Unlock:", run: .run("authctl vault unlock")) }
        for (credential, command, owner) in pending {
            let name = names.provider(credential.providerID) + (credential.email.map { "/" + $0 } ?? "")
            let end = RelativeTime.timeOfDay(credential.expiresAt)
            switch credential.reason {
            case .accountExists:
                add(
                    "Waiting for link:", about: "\(name)\(owner.map { " to \($0)" } ?? ""), until \(end): ",
                    run: command)
            case .alreadyInUse: add("Waiting for sign-in:", about: "\(name), until \(end): ", run: command)
            }
        }
        for session in unrevoked {
            add("Revoke again:", about: "\(names.provider(session.providerID)): ", run: Self.retry)
        }
        return needs
    }

    static let retry: Hint = .run("authctl signout --retry")

    private func text(of command: Hint) -> String { command.repeating(view.given).text }

    /// Where the key and the configuration are.
    private func machine(on screen: Screen) -> [[Cell]] {
        let ids = Set(listed.flatMap(\.sessions).map(\.providerID)).sorted()
        let files = ids.compactMap { id -> String? in
            guard case .system(let place) = view.places[id] else { return nil }
            return "\(names.provider(id)) is configured for all users by '\(place.path)'"
        }
        return (files + ["encrypted with \(VaultText.line(vault, now: view.now))"]).flatMap {
            Paragraph.lines($0, on: screen)
        }
    }
}
