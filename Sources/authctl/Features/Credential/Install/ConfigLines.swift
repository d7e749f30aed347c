/// The lines of another tool's file with sections, such as git's or aws's. Sections are appended, and only appended
/// lines are removed, so that no other byte changes.
struct ConfigLines {
    /// The first line of a file that authctl created. If nothing else is left, `uninstall` removes the file.
    private static let mark = Array("# Made by authctl.".utf8)

    let path: String
    private(set) var lines: [[UInt8]]

    init(_ path: String) throws {
        self.path = path
        let bytes = try ToolFile.read(path) ?? ConfigLines.mark + [10]
        lines = bytes.split(separator: 10, omittingEmptySubsequences: false).map { Array($0) }
    }

    func text(_ index: Int) -> String { String(decoding: lines[index], as: UTF8.self) }

    /// Appends lines. If the file does not end with a newline, it does not end with one afterwards either.
    mutating func append(_ section: [String]) {
        let new = section.map { Array($0.utf8) }
        if lines.last == [] { lines.insert(contentsOf: new, at: lines.count - 1) } else { lines += new }
    }

    mutating func replace(_ index: Int, _ line: String) { lines[index] = Array(line.utf8) }

    mutating func remove(_ range: Range<Int>) { lines.removeSubrange(range) }

    /// Writes the file, or removes it if authctl created it and nothing else is left.
    func save() throws {
        try ToolFile.replace(path, lines == [ConfigLines.mark, []] ? nil : Array(lines.joined(separator: [10])))
    }
}
