import AuthCore

extension StatusReport {
    /// One line for each account, and the problems.
    func lines(on screen: Screen) -> [[Cell]] {
        let rows = accounts.map { AccountText.summary($0, view) }
        let lines = Table.lines(rows.map(\.cells), on: screen)
        let shown = zip(rows, lines).flatMap { row, line -> [[Cell]] in
            guard let command = row.command else { return [line] }
            return Self.lines(
                before: line + ["  "], alone: line, command.repeating(view.given), margin: "    ", on: screen)
        }
        return attention(on: screen, AccountText.attention([], pending: pending, view: view)) + shown
            + counted(on: screen)
    }

    /// Like `lines`, with one line for each session.
    func longLines(on screen: Screen) -> [[Cell]] {
        var lines = attention(on: screen, AccountText.attention(accounts, pending: pending, view: view))
        for status in accounts {
            lines += Table.lines([AccountText.title(status)], on: screen, keeping: 1)
            lines += Table.lines(AccountText.sessions(status, view), on: screen)
        }
        lines += counted(on: screen)
        for id in Set(accounts.flatMap(\.sessions).map(\.providerID)).sorted() {
            guard case .system(let place) = view.places[id] else { continue }
            lines.append(Table.line("\(id) is configured for all users by '\(place.path)'", on: screen))
        }
        return lines + [Table.line("encrypted with \(VaultText.line(vault, now: view.now))", on: screen)]
    }

    private func attention(on screen: Screen, _ lines: [(text: String, command: Hint)]) -> [[Cell]] {
        tokens.map { Table.line("\($0.providerID) uses the token in \($0.variable) instead of the store", on: screen) }
            + (lines + AccountText.attention(unrevoked, view)).flatMap { text, command in
                Self.lines(text, run: command.repeating(view.given), on: screen)
            }
    }

    private func counted(on screen: Screen) -> [[Cell]] {
        guard otherCount > 0 else { return [] }
        let text = "\(otherCount) more account\(otherCount == 1 ? " has" : "s have") no session"
        return Self.lines(text, run: .run("authctl accounts list").repeating(view.given), on: screen)
    }

    private static func lines(_ text: String, run command: Hint, on screen: Screen) -> [[Cell]] {
        lines(
            before: [Cell(Output.escaped("\(text): "))], alone: Table.line(text, on: screen), command, margin: "  ",
            on: screen)
    }

    /// A text and its command, on one line or on two. A command that does not fit is left out, never truncated.
    private static func lines(
        before: [Cell], alone: [Cell], _ command: Hint, margin: String, on screen: Screen
    ) -> [[Cell]] {
        func fits(_ line: [Cell]) -> Bool { screen.columns.map { line.width <= $0 } ?? true }
        let command = Output.escaped(command.text)
        let whole = before + [Cell(command)]
        let below = [Cell(margin + command)]
        return fits(whole) ? [whole] : [alone] + (fits(below) ? [below] : [])
    }
}
