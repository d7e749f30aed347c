import AuthCore

/// The tables `[mcp_servers.NAME]` in a TOML file. Tables are appended. A table is removed together with the lines that
/// the client added to it.
struct MCPTables: MCPServersFile {
    private var file: ConfigLines
    private static let key = "mcp_servers"

    init(_ path: String) throws { file = try ConfigLines(path) }

    /// The servers, in all forms that TOML allows. Commands are only read from tables `[mcp_servers.NAME]`, because
    /// authctl does not write the other forms.
    var entries: JSONObject {
        var found = JSONObject()
        for statement in TOMLOutline(file.lines).statements {
            let path = statement.path
            guard path.count > 1, path[0] == MCPTables.key else { continue }
            var entry = found[path[1]]?.object ?? JSONObject()
            if statement.table.count == 2, !statement.isArray, path.count == 3, ["command", "args"].contains(path[2]) {
                entry[path[2]] = try? StrictJSON.parse(statement.value)
            }
            found[path[1]] = .object(entry)
        }
        return found
    }

    func save() throws { try file.save() }

    private func outline() throws -> TOMLOutline {
        let outline = TOMLOutline(file.lines)
        guard let line = outline.unreadableLine else { return outline }
        throw CommandError(
            .toolNotSetUp,
            "'\(file.path)' line \(line) is not valid TOML, for example because of an unclosed string or bracket; nothing was changed",
            hint: "fix the file, then run the command again")
    }

    mutating func add(_ name: String, _ entry: JSONObject) throws {
        let settings = entry.members.map { "\($0.name) = \($0.value.text)" }
        let isOther = try outline().statements.contains {
            $0.path.first == MCPTables.key && ($0.table.isEmpty || ($0.isArray && $0.table.count == 1))
        }
        guard !isOther else {
            let line = "\(name) = { \(settings.joined(separator: ", ")) }"
            throw CommandError(
                .toolNotSetUp, "'\(file.path)' defines mcp_servers in another form; nothing was changed",
                hint: Hint(prose: "use tables such as [mcp_servers.\(name)], or add to mcp_servers: \(line)"))
        }
        file.append(["[\(MCPTables.key).\(name)]"] + settings)
    }

    /// Removes the table and its subtables. Comments and empty lines after them belong to the next table.
    mutating func remove(_ name: String) throws {
        let prefix = [MCPTables.key, name]
        var ranges: [Range<Int>] = []
        var isInTable = false
        for statement in try outline().statements {
            let (wasInTable, lines) = (isInTable, statement.lines)
            isInTable = statement.table.starts(with: prefix)
            guard isInTable else { continue }
            let start = wasInTable ? ranges.removeLast().lowerBound : lines.lowerBound
            ranges.append(start..<(lines.upperBound + 1))
        }
        for range in ranges.reversed() { file.remove(range) }
    }
}
