/// A piece of a line with an optional color and link.
struct Cell: Sendable, Equatable, ExpressibleByStringInterpolation {
    var text: String
    var tone: Tone?
    var link: String?

    /// A color, by its SGR parameters (ECMA-48 section 8.3.117).
    enum Tone: String, Sendable {
        case good = "32"
        case bad = "31"
        case waiting = "33"
        case important = "1"
        case minor = "2"

        /// The symbol for a state. `Output` replaces it with ASCII in a locale without UTF-8.
        var mark: String { self == .good ? "✓" : self == .bad ? "✗" : "!" }
    }

    init(_ text: String, as tone: Tone? = nil, link: String? = nil) {
        (self.text, self.tone, self.link) = (text, tone, link)
    }

    init(stringLiteral value: String) { self.init(value) }
}

extension [Cell] {
    /// The width in terminal columns.
    var width: Int { reduce(0) { $0 + TextWidth.of($1.text) } }
}

enum Table {
    static func lines(_ rows: [[String]]) -> [String] {
        lines(rows.map { $0.map { Cell($0) } }, on: Screen()).map { $0.map(\.text).joined() }
    }

    static func lines(_ rows: [[Cell]], on screen: Screen, keeping minimum: Int = 2) -> [[Cell]] {
        var widths: [Int] = []
        for row in rows { widen(&widths, row) }
        return lines(rows, widths: widths, on: screen, keeping: minimum)
    }

    /// Makes the columns wide enough for a row.
    static func widen(_ widths: inout [Int], _ row: [Cell]) {
        // The last cell of a row is not padded.
        for (column, cell) in row.dropLast().enumerated() {
            if column == widths.count { widths.append(0) }
            widths[column] = max(widths[column], TextWidth.of(Output.escaped(cell.text)))
        }
    }

    /// Formats some rows of a table whose columns have these widths.
    static func lines(_ rows: [[Cell]], widths: [Int], on screen: Screen, keeping minimum: Int) -> [[Cell]] {
        let (widths, isShortened) = fitted(widths, on: screen)
        return rows.map { row in
            // Escaped before their width is measured.
            var row = row.map { Cell(Output.escaped($0.text), as: $0.tone) }
            while row.count > minimum, let columns = screen.columns, width(row, widths) > columns { row.removeLast() }
            if isShortened {
                for (column, width) in zip(row.indices.dropLast(), widths) {
                    row[column].text = shortened(row[column].text, to: width, on: screen)
                }
            }
            let spaced = row.enumerated().flatMap { index, cell -> [Cell] in
                guard index < row.count - 1 else { return [cell] }
                // A name may have become longer since the columns were measured.
                return [cell, Cell(String(repeating: " ", count: max(0, widths[index] - TextWidth.of(cell.text)) + 2))]
            }
            return cut(spaced, on: screen)
        }
    }

    /// The space that is left for the last column if other columns are shortened.
    private static let reservedWidth = 20

    /// The widths of the columns before the last. If they do not fit, no column is wider than half of the screen, so
    /// that one long name does not hide the other columns of every row.
    private static func fitted(_ widths: [Int], on screen: Screen) -> (widths: [Int], isShortened: Bool) {
        guard let columns = screen.columns, widths.reduce(reservedWidth, { $0 + $1 + 2 }) > columns else {
            return (widths, false)
        }
        return (widths.map { min($0, columns / 2) }, true)
    }

    private static func shortened(_ text: String, to width: Int, on screen: Screen) -> String {
        guard TextWidth.of(text) > width else { return text }
        return TextWidth.prefix(of: text, width - screen.ellipsis.count) + screen.ellipsis
    }

    static func line(_ text: String, on screen: Screen) -> [Cell] { cut([Cell(Output.escaped(text))], on: screen) }

    private static func width(_ row: [Cell], _ widths: [Int]) -> Int {
        row.enumerated().reduce(0) { sum, next in
            sum + (next.offset < row.count - 1 ? widths[next.offset] + 2 : TextWidth.of(next.element.text))
        }
    }

    private static func cut(_ cells: [Cell], on screen: Screen) -> [Cell] {
        guard let columns = screen.columns, cells.width > columns else { return cells }
        var availableWidth = columns - screen.ellipsis.count
        var shown: [Cell] = []
        for cell in cells {
            let part = TextWidth.prefix(of: cell.text, availableWidth)
            shown.append(Cell(part, as: cell.tone))
            availableWidth -= TextWidth.of(part)
            if part.utf8.count < cell.text.utf8.count { break }
        }
        return shown + [Cell(screen.ellipsis)]
    }
}

/// The number of terminal columns that a text occupies.
enum TextWidth {
    static func of(_ text: String) -> Int {
        // Most text is printable ASCII.
        text.utf8.allSatisfy { (0x20..<0x7F).contains($0) } ? text.utf8.count : text.reduce(0) { $0 + of($1) }
    }

    static func prefix(of text: String, _ columns: Int) -> String {
        var left = columns
        return String(
            text.prefix { character in
                left -= of(character)
                return left >= 0
            })
    }

    private static func of(_ character: Character) -> Int {
        guard let first = character.unicodeScalars.first else { return 0 }
        if first.value < 0x300 { return 1 }
        if [.nonspacingMark, .enclosingMark, .format].contains(first.properties.generalCategory) { return 0 }
        let isWide = character.unicodeScalars.contains { scalar in
            scalar.properties.isEmojiPresentation || isInWideBlock(scalar)
        }
        return isWide ? 2 : 1
    }

    /// Whether the character's block is wide or fullwidth (East Asian Width, UAX 11).
    private static func isInWideBlock(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7A3, 0xF900...0xFAFF,
            0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1F64F, 0x1F900...0x1F9FF, 0x20000...0x3FFFD:
            true
        default: false
        }
    }
}
