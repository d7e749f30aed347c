/// Wraps prose to the width of a screen.
enum Paragraph {
    static func lines(_ text: String, on screen: Screen) -> [[Cell]] {
        let text = Output.escaped(text)
        guard let columns = screen.columns else { return [[Cell(text)]] }
        var lines: [String] = []
        var line = ""
        for word in text.split(separator: " ").map(String.init) {
            let longer = line.isEmpty ? word : "\(line) \(word)"
            if line.isEmpty || TextWidth.of(longer) <= columns {
                line = longer
            } else {
                lines.append(line)
                line = word
            }
        }
        return (lines + [line]).map { [Cell($0)] }
    }

    /// The number of rows that lines occupy.
    static func rows(_ lines: [[Cell]], on screen: Screen) -> Int {
        lines.reduce(0) { sum, line in
            guard let columns = screen.columns, columns > 0 else { return sum + 1 }
            return sum + max(1, (line.width + columns - 1) / columns)
        }
    }
}

/// A screen that is written by hand for 80 columns. On a narrow terminal, prose is wrapped, and the text of a row is below
/// its label.
enum WrittenScreen {
    static func lines(_ screen: String, on terminal: Screen) -> [String] {
        let columns = terminal.columns ?? Int.max
        var rows: [(lines: [Substring], label: String, texts: [String])] = []
        for line in screen.split(separator: "\n", omittingEmptySubsequences: false) {
            let words = line.drop { $0 == " " }
            let first = words.split(separator: "  ", maxSplits: 1).first ?? ""
            let last = rows.indices.last
            if let last, line.hasPrefix("         ") {
                rows[last].lines.append(line)
                let isMore = !words.hasPrefix("authctl ") && !rows[last].texts.isEmpty
                let text = (isMore ? rows[last].texts.removeLast() + " " : "") + words
                rows[last].texts.append(text)
            } else if let last, isProse(line), isProse(rows[last].lines[0]) {
                rows[last].lines.append(line)
                rows[last].label += " " + line
            } else {
                let text = words.dropFirst(first.count).drop { $0 == " " }
                rows.append(([line], String(line.prefix { $0 == " " } + first), text.isEmpty ? [] : [String(text)]))
            }
        }
        return rows.flatMap { lines, label, texts -> [String] in
            guard lines.contains(where: { $0.count > columns }) else { return lines.map(String.init) }
            if texts.isEmpty { return label.hasPrefix("  authctl ") ? [label] : wrapped(label, to: columns) }
            let below = texts.flatMap { $0.hasPrefix("authctl ") ? [$0] : wrapped($0, to: columns - 4) }
            return [label] + below.map { "    " + $0 }
        }
    }

    private static func isProse(_ line: Substring) -> Bool { !line.isEmpty && !line.contains("  ") }

    static func wrapped(_ text: String, to columns: Int) -> [String] {
        Paragraph.lines(text, on: Screen(columns: columns)).map { $0.map(\.text).joined() }
    }
}
