import AuthCore

/// All that `status` says.
struct StatusText {
    let shown: [AccountStatus]
    /// How many accounts without a session are not shown.
    let others: Int
    let pending: [PendingCredential]
    let unrevoked: [UnrevokedSession]
    let given: [EnvironmentToken]
    let vault: VaultStatus
    let view: SessionView

    /// A line for each account.
    func lines(on screen: Screen) -> [[Cell]] {
        let rows = shown.map { AccountText.summary($0, view) }
        let lines = Table.lines(rows.map(\.cells), on: screen)
        let accounts = zip(rows, lines).flatMap { row, line -> [[Cell]] in
            guard let command = row.command.map({ Output.escaped($0.repeating(view.given).text) }) else {
                return [line]
            }
            let whole = line + [Cell("  \(command)")]
            let width = whole.reduce(0) { $0 + TextWidth.of($1.text) }
            if screen.columns.map({ width <= $0 }) ?? true { return [whole] }
            let below = "    " + command
            return [line] + (screen.columns.map { TextWidth.of(below) > $0 } ?? false ? [] : [[Cell(below)]])
        }
        return attention(on: screen, AccountText.attention(pending, view)) + accounts + counted(on: screen)
    }

    /// Each session too.
    func longLines(on screen: Screen) -> [[Cell]] {
        var lines = attention(
            on: screen, AccountText.attention(shown, view) + AccountText.attention(pending, view))
        for status in shown {
            lines += Table.lines([AccountText.title(status)], on: screen, keeping: 1)
            lines += Table.lines(AccountText.sessions(status, view), on: screen)
        }
        lines += counted(on: screen)
        for id in Set(shown.flatMap(\.sessions).map(\.providerID)).sorted() {
            guard case .organization(let place) = view.places[id] else { continue }
            lines.append(Table.line("\(id) is configured for all users by '\(place.path)'", on: screen))
        }
        return lines + [Table.line("encrypted with \(VaultText.line(vault, now: view.now))", on: screen)]
    }

    private func attention(on screen: Screen, _ lines: [(text: String, command: Hint)]) -> [[Cell]] {
        given.map { Table.line("\($0.providerID) uses the token in \($0.variable) instead of the store", on: screen) }
            + (lines + AccountText.attention(unrevoked, view)).flatMap { text, command in
                Self.lines(text, command.repeating(view.given), on: screen)
            }
    }

    private func counted(on screen: Screen) -> [[Cell]] {
        guard others > 0 else { return [] }
        let text = "\(others) more account\(others == 1 ? " has" : "s have") no session"
        return Self.lines(text, .run("authctl accounts list").repeating(view.given), on: screen)
    }

    /// A sentence and its command: on one line, or on two; a command is never cut, but left out.
    private static func lines(_ text: String, _ command: Hint, on screen: Screen) -> [[Cell]] {
        let whole = Output.escaped("\(text): \(command.text)")
        guard let columns = screen.columns, TextWidth.of(whole) > columns else { return [[Cell(whole)]] }
        let below = "  " + Output.escaped(command.text)
        return [Table.line(text, on: screen)] + (TextWidth.of(below) > columns ? [] : [[Cell(below)]])
    }

    func json() -> JSONValue {
        var object = JSONObject()
        object["vault"] = VaultText.json(vault)
        object["accounts"] = .array(shown.map { JSONShapes.status($0, view) })
        object["accountsWithoutSession"] = JSONValue(Int64(others))
        if !unrevoked.isEmpty { object["unrevoked"] = .array(unrevoked.map(JSONShapes.unrevoked)) }
        if !given.isEmpty {
            object["environment"] = .array(
                given.map { ["providerId": .string($0.providerID), "source": .string($0.variable)] })
        }
        return .object(object)
    }
}
