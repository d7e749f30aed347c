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

    func lines(on screen: Screen) -> [[Cell]] {
        var lines = given.map {
            Table.line("\($0.providerID) uses the token in \($0.variable) instead of the store", on: screen)
        }
        for (text, command) in AccountText.attention(shown, pending, view) + AccountText.attention(unrevoked, view) {
            lines += Self.lines(text, command.repeating(view.given), on: screen)
        }
        for status in shown {
            lines += Table.lines([AccountText.title(status)], on: screen, keeping: 1)
            lines += Table.lines(AccountText.sessions(status, view), on: screen)
        }
        if others > 0 {
            let text = "\(others) more account\(others == 1 ? " has" : "s have") no session"
            lines += Self.lines(text, .run("authctl accounts list").repeating(view.given), on: screen)
        }
        for id in Set(shown.flatMap(\.sessions).map(\.providerID)).sorted() {
            guard case .organization(let place) = view.places[id] else { continue }
            lines.append(Table.line("\(id) is configured for all users by '\(place.path)'", on: screen))
        }
        return lines + [Table.line("encrypted with \(VaultText.line(vault, now: view.now))", on: screen)]
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
