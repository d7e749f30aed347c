import AuthCore

/// The tables `[KEY.NAME]` in another tool's TOML file. Tables are appended. A table is removed together with the lines
/// that the tool added to it.
struct TOMLTables: EntryOutline {
    /// A header, or a key with its value.
    private struct Statement {
        let table: [String]
        /// Whether the table is an element of an array, as after `[[table]]`.
        let isArray: Bool
        /// Empty for a header.
        var key: [String] = []
        var value: Range<Int>?
        /// Its whole lines.
        let lines: Range<Int>

        var path: [String] { table + key }
    }

    private let bytes: [UInt8]
    private let key: String
    private let path: String
    private var statements: [Statement] = []
    /// Where the first invalid statement begins, for example one with an unclosed string or array.
    private var invalid: Int?

    init(_ bytes: [UInt8], key: String, in path: String) {
        (self.bytes, self.key, self.path) = (bytes, key, path)
        var tokens = TextTokens(bytes, as: .toml, from: bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0)
        var (table, isArray) = ([String](), false)
        while tokens.position < bytes.count {
            let start = tokens.position
            var parts: [TextTokens.Token] = []
            var value: Range<Int>?
            while let token = tokens.next(), !token.isMark("\n") {
                if value == nil { parts.append(token) }
                if token.isMark("=") { value = value ?? tokens.value() }
            }
            let lines = start..<tokens.position
            if value == nil, let header = header(parts) {
                (table, isArray) = header
                statements.append(Statement(table: table, isArray: isArray, lines: lines))
            } else if value != nil, let key = names(parts.dropLast()) {
                statements.append(Statement(table: table, isArray: isArray, key: key, value: value, lines: lines))
            } else if !parts.isEmpty {
                invalid = invalid ?? start
            }
            if tokens.isUnclosed { invalid = invalid ?? start }
        }
    }

    // MARK: Reading

    private func header(_ parts: [TextTokens.Token]) -> (table: [String], isArray: Bool)? {
        let brackets = parts.count > 1 && parts[1].isMark("[") ? 2 : 1
        guard parts.count > 2 * brackets, parts[0].isMark("["),
            parts.suffix(brackets).allSatisfy({ $0.isMark("]") })
        else { return nil }
        return names(parts[brackets..<(parts.count - brackets)]).map { ($0, brackets == 2) }
    }

    /// The names of a key, between dots.
    private func names(_ parts: ArraySlice<TextTokens.Token>) -> [String]? {
        let names = parts.split(omittingEmptySubsequences: false) { $0.isMark(".") }.compactMap { name in
            name.count == 1 ? name.first.flatMap(self.name) : nil
        }
        return names.count == parts.count { $0.isMark(".") } + 1 ? names : nil
    }

    private func name(_ token: TextTokens.Token) -> String? {
        let text = String(decoding: bytes[token.range], as: UTF8.self)
        return text.hasOnlyLettersAndDigits(or: "-_") ? text : (try? StrictJSON.parse(json(token)))?.string
    }

    private func json(_ token: TextTokens.Token) -> [UInt8] {
        let text = bytes[token.range]
        // A text of several lines is not valid JSON.
        guard text.first == UInt8(ascii: "'"), !text.starts(with: "'''".utf8) else { return Array(text) }
        return Array(JSONValue.string(String(decoding: text.dropFirst().dropLast(), as: UTF8.self)).text.utf8)
    }

    /// The value, if it is valid JSON except for the quotes of strings and trailing commas.
    private func value(_ range: Range<Int>) -> JSONValue? {
        var tokens = TextTokens(bytes, as: .toml, from: range.lowerBound)
        var text: [UInt8] = []
        while tokens.position < range.upperBound, let token = tokens.next() {
            if token.isClosing, text.last == UInt8(ascii: ",") { text.removeLast() }
            if !token.isMark("\n") { text += json(token) }
        }
        return try? StrictJSON.parse(text)
    }

    // MARK: Entries

    /// The tables, in all forms that TOML allows. Commands are only read from tables `[KEY.NAME]`, because authctl does
    /// not write the other forms.
    var entries: JSONObject {
        var found = JSONObject()
        for statement in statements {
            let path = statement.path
            guard path.count > 1, path[0] == key else { continue }
            var entry = found[path[1]]?.object ?? JSONObject()
            if statement.table.count == 2, !statement.isArray, path.count == 3, ["command", "args"].contains(path[2]) {
                entry[path[2]] = statement.value.flatMap(value)
            }
            found[path[1]] = .object(entry)
        }
        return found
    }

    func setting(_ name: String, _ value: JSONValue) throws -> [Splice] {
        let settings = (value.object?.members ?? []).map { "\($0.name) = \($0.value.text)" }
        let known = try removing(name)
        let isOther = statements.contains {
            $0.path.first == key && ($0.table.isEmpty || ($0.isArray && $0.table.count == 1))
        }
        guard !isOther else {
            let line = "\(name) = { \(settings.joined(separator: ", ")) }"
            throw CommandError(
                .toolNotSetUp, "'\(path)' defines \(key) in another form; nothing was changed",
                hint: Hint(prose: "use tables such as [\(key).\(name)], or add to \(key): \(line)"))
        }
        return known + [.inserting(lines: ["[\(key).\(name)]"] + settings, at: bytes.count, in: bytes)]
    }

    /// Removes the table and its subtables. Comments and empty lines after them belong to the next table.
    func removing(_ name: String) throws -> [Splice] {
        if let invalid {
            let line = bytes[..<invalid].count { $0 == 0x0A } + 1
            throw CommandError(
                .toolNotSetUp,
                "'\(path)' line \(line) is not valid TOML, for example because of an unclosed string or bracket; nothing was changed",
                hint: "fix the file, then run the command again")
        }
        return statements.split { !$0.table.starts(with: [key, name]) }.map { table in
            .removing(
                lines: table[table.startIndex].lines.lowerBound..<table[table.endIndex - 1].lines.upperBound, of: bytes)
        }
    }
}
