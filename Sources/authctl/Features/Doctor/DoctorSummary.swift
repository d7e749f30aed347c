import AuthCore

/// What `doctor` found, by subject: this machine, and each provider.
struct DoctorSummary {
    private typealias Row = (state: Cell, subject: String, text: String, remedy: Hint?)
    private var rows: [Row] = []
    private var problemCount = 0

    init(_ findings: [Finding], providers: [String], isAlone: Bool, in context: Context) async throws {
        var all: [AccountStatus] = []
        // An unusable store is a finding.
        if let sessionStore = (try? context.profile.sessionStoreForDisplay()) ?? nil {
            all = (try? await AccountStatus.signedIn(in: sessionStore)) ?? []
        }
        let names = context.names(of: all)
        let machine = "files, key, clock, ports, browser"
        if !isAlone { add(findings.filter { $0.subject == nil }, of: "this machine", otherwise: machine) }
        // A personal token requires no configuration.
        let others = Set(all.flatMap(\.sessions).map(\.providerID)).subtracting(providers).sorted()
        for id in providers + (isAlone ? [] : others) {
            let users = all.filter { $0.sessions.contains { $0.providerID == id } }
                .map { AccountText.user($0.account, at: id) }
            add(
                findings.filter { $0.subject == id }, of: names.provider(id),
                otherwise: users.isEmpty ? "not signed in" : "signed in as \(users.joined(separator: ", "))")
        }
    }

    private mutating func add(_ findings: [Finding], of subject: String, otherwise text: String) {
        let problems = findings.filter { $0.state == .wrong }
        problemCount += problems.count
        // A remedy shows that something is limited. The vault needs no keyring, and the first sign-in makes a store.
        let notes = findings.filter {
            $0.state == .note && $0.remedy != nil && !["store", "keyring"].contains($0.name)
        }
        rows += problems.map { (Cell("problem", as: .bad), subject, $0.detail, $0.remedy) }
        if problems.isEmpty, findings.contains(where: \.isUnchecked) {
            rows.append((Cell("not checked", as: .minor), subject, "because of an earlier problem", nil))
        }
        rows += notes.map { (Cell("note", as: .waiting), subject, $0.detail, $0.remedy) }
        if rows.last?.subject != subject { rows.append((Cell("ok", as: .good), subject, text, nil)) }
    }

    func lines(on screen: Screen) -> [[Cell]] {
        let isNarrow = screen.columns.map { $0 < 60 } ?? false
        let widths = [rows.map(\.state.text.utf8.count), rows.map { TextWidth.of($0.subject) }].compactMap { $0.max() }
        var area = screen
        area.columns = screen.columns.map { $0 - (isNarrow ? 4 : widths.reduce(4, +)) }
        let lines = rows.flatMap { row -> [[Cell]] in
            let isFine = row.state.text == "ok"
            let remedy = row.remedy.map { [[Cell(Output.escaped($0.sentence))]] } ?? []
            let end = isFine || row.text.hasSuffix(".") ? "" : "."
            let below = Paragraph.lines((isFine ? row.text : Self.sentence(row.text)) + end, on: area) + remedy
            if isNarrow { return [[row.state, "  ", Cell(row.subject)]] + below.map { ["    "] + $0 } }
            return below.enumerated().map { ($0 == 0 ? [row.state, Cell(row.subject)] : ["", ""]) + $1 }
        }
        let end =
            problemCount > 0
            ? "\(problemCount) problem\(problemCount == 1 ? "" : "s"). Every check: authctl doctor --long"
            : rows.allSatisfy { $0.state.text == "ok" } ? "Everything is fine." : "Every check: authctl doctor --long"
        return (isNarrow ? lines : Table.lines(lines, on: Screen())) + [[], [Cell(end)]]
    }

    fileprivate static func sentence(_ text: String) -> String { text.prefix(1).uppercased() + text.dropFirst() }
}

extension Hint {
    /// Begins with a capital, unless that would change a command.
    fileprivate var sentence: String {
        if case .command = parts.first { return text }
        return DoctorSummary.sentence(text)
    }
}
