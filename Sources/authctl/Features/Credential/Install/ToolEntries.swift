import AuthCore
import Glibc

/// The entries in another tool's file that authctl adds and removes, such as the servers of an MCP client. Each change is
/// read again, and must give the expected entries. The rest of the file stays byte for byte.
struct ToolEntries {
    let path: String
    /// Whether the file did not exist.
    let isNew: Bool
    private(set) var bytes: [UInt8]
    private var outline: any EntryOutline
    private let made: [UInt8]
    private let read: ([UInt8]) throws -> any EntryOutline

    /// - Parameters:
    ///   - made: what a new file contains. If nothing else is left, `save` removes the file.
    ///   - read: finds the entries in the bytes of the file.
    init(_ path: String, made: [UInt8] = [], read: @escaping ([UInt8]) throws -> any EntryOutline) throws {
        let known = try ToolFile.read(path)
        let isAlone =
            try known?.starts(with: ToolFile.madeWithDirectory) ?? !ToolFile.exists(ToolEntries.directory(of: path))
        let mark = made.starts(with: ToolFile.made) && isAlone ? ToolFile.madeWithDirectory : []
        self.made = mark.isEmpty ? made : mark + made.dropFirst(ToolFile.made.count)
        (self.path, self.read) = (path, read)
        (isNew, bytes) = (known == nil, known ?? self.made)
        do { outline = try read(bytes) } catch let problem as YAMLProblem { throw ToolFile.problem(problem, in: path) }
    }

    var entries: JSONObject { outline.entries }

    /// - Parameters:
    ///   - value: nil to remove the entry.
    ///   - hint: what the user can do if the file cannot be changed automatically.
    mutating func set(_ name: String, to value: JSONValue?, hint: Hint? = nil) throws {
        var expected = entries
        expected[name] = value
        do {
            let splices = try value.map { try outline.setting(name, $0) } ?? outline.removing(name)
            let changed = bytes.applying(splices)
            let result = try read(changed)
            guard result.entries == expected else {
                let problem = "'\(path)': this setting cannot be changed automatically; nothing was changed"
                throw CommandError(.toolNotSetUp, problem, hint: hint)
            }
            (bytes, outline) = (changed, result)
        } catch let problem as YAMLProblem { throw ToolFile.problem(problem, in: path, hint: hint) }
    }

    func save() throws {
        try ToolFile.replace(path, with: bytes == made ? nil : bytes)
        // Fails if the directory contains anything else.
        if bytes == made, made.starts(with: ToolFile.madeWithDirectory) { rmdir(ToolEntries.directory(of: path)) }
    }

    private static func directory(of path: String) -> String {
        path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
    }
}

/// The entries of a file, and the bytes that a change of them replaces.
protocol EntryOutline {
    var entries: JSONObject { get }
    /// The changes that add or replace an entry.
    func setting(_ name: String, _ value: JSONValue) throws -> [Splice]
    func removing(_ name: String) throws -> [Splice]
}

extension YAMLMembers: EntryOutline {}
