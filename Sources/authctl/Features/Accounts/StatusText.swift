import AuthCore

extension StatusReport {
    /// One line for each account, and the problems.
    func lines(on screen: Screen) -> [[Cell]] {
        let rows = accounts.map { AccountText.summary($0, view) }
        let lines = Table.lines(rows.map(\.cells), on: screen)
        let shown = zip(rows, lines).flatMap { row, line -> [[Cell]] in
            guard let command = row.command else { return [line] }
            return self.lines(line, then: "  ", run: command, margin: "    ", on: screen)
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
                self.lines(Table.line(text, on: screen), then: ": ", run: command, on: screen)
            }
    }

    private func counted(on screen: Screen) -> [[Cell]] {
        guard otherCount > 0 else { return [] }
        let text = "\(otherCount) more account\(otherCount == 1 ? " has" : "s have") no session"
        return lines(Table.line(text, on: screen), then: ": ", run: .run("authctl accounts list"), on: screen)
    }

    /// A line and its command, on one line or on two. A command that does not fit is left out, never truncated.
    private func lines(
        _ line: [Cell], then separator: Cell, run command: Hint, margin: String = "  ", on screen: Screen
    ) -> [[Cell]] {
        func fits(_ line: [Cell]) -> Bool { screen.columns.map { line.width <= $0 } ?? true }
        let command = Output.escaped(command.repeating(view.given).text)
        let whole = line + [separator, Cell(command)]
        let below = [Cell(margin + command)]
        return fits(whole) ? [whole] : [line] + (fits(below) ? [below] : [])
    }
}
