/// Wraps prose to the width of a screen, and indents lines that must not be wrapped.
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

    static func whole(_ lines: [[Cell]], on screen: Screen) -> [[Cell]] {
        let width = lines.map(\.width).max() ?? 0
        guard let columns = screen.columns, width + 2 > columns else { return lines.map { ["  "] + $0 } }
        return lines
    }

    static func rows(_ lines: [[Cell]], on screen: Screen) -> Int {
        lines.reduce(0) { sum, line in
            guard let columns = screen.columns, columns > 0 else { return sum + 1 }
            return sum + max(1, (line.width + columns - 1) / columns)
        }
    }
}
