import AuthCore

/// The members of one object in another tool's JSON file, such as `mcpServers`.
struct JSONEntries: EntryOutline {
    let entries: JSONObject
    private let bytes: [UInt8]
    private let key: String
    /// Nil if the file is empty.
    private let top: Outline?
    /// The object with the key, if it exists.
    private let object: Outline?

    /// - Parameter hasComments: whether the tool accepts comments, and commas after the last member.
    init(_ bytes: [UInt8], key: String, in path: String, hasComments: Bool = false) throws {
        (self.bytes, self.key) = (bytes, key)
        let settings = try JSONEntries.settings(bytes, in: path, hasComments: hasComments)
        guard let members = (settings[key] ?? [:]).object else {
            throw CommandError(.toolNotSetUp, "'\(path)': '\(key)' is not a JSON object; nothing was changed")
        }
        entries = members
        let syntax: TextTokens.Syntax = hasComments ? .jsonWithComments : .json
        top = Outline(json: bytes, syntax)
        object = top?.value(key).flatMap { Outline(json: bytes, from: $0.lowerBound, syntax) }
    }

    private static func settings(_ bytes: [UInt8], in path: String, hasComments: Bool) throws -> JSONObject {
        guard !bytes.isEmpty else { return JSONObject() }
        let plain = hasComments ? TextTokens.withoutComments(bytes) : bytes
        do throws(JSONError) {
            return try StrictJSON.object(plain, maximumLength: ToolFile.limit, maximumDepth: 256)
        } catch {
            let reason =
                if case .malformed(let offset) = error {
                    "line \(plain[..<offset].count { $0 == 10 } + 1) is not valid JSON"
                } else { "is \(error.message)" }
            throw CommandError(.toolNotSetUp, "'\(path)' \(reason); nothing was changed")
        }
    }

    func setting(_ name: String, _ value: JSONValue) -> [Splice] {
        let member = "\(JSONValue.string(name).text): \(value.text)"
        guard let top else { return [.at(0, "{ \(marked(member)) }\n")] }
        guard let object else { return [top.inserting(marked(member), into: bytes)] }
        guard let known = object.value(name) else { return [object.inserting(member, into: bytes)] }
        return [Splice(range: known, text: value.text)]
    }

    private func marked(_ member: String) -> String { "\(JSONValue.string(key).text): { \(member) }" }

    func removing(_ name: String) -> [Splice] {
        guard let top, let object, let index = object.index(name), let parent = top.index(key) else { return [] }
        guard object.isMarked(in: bytes) else { return [object.removing(index)] }
        let isMade = top.open == 0 && top.isMarked(in: bytes) && bytes[(top.close + 1)...] == [10]
        return [isMade ? Splice(range: bytes.indices) : top.removing(parent)]
    }
}
