import AuthCore

/// The text of a JSON object in another tool's file. A change inserts, replaces or removes one member. No other byte
/// changes.
struct JSONText {
    private(set) var bytes: [UInt8]
    /// Whether `remove` removed everything from a file that `set` had created.
    private(set) var isEmptied = false

    private let hasComments: Bool

    /// - Parameter bytes: a valid JSON object; nil if the file does not exist.
    init(_ bytes: [UInt8]?, hasComments: Bool = false) {
        self.bytes = bytes ?? []
        self.hasComments = hasComments
    }

    /// The text with spaces instead of comments and trailing commas.
    var plain: [UInt8] {
        guard hasComments else { return bytes }
        var plain = bytes
        var comma: Int?
        var position = 0
        func isNext(_ text: String) -> Bool { plain[position...].starts(with: text.utf8) }
        while position < plain.count {
            let start = position
            if isNext("//") || isNext("/*") {
                let end = isNext("//") ? "\n" : "*/"
                position += 2
                while position < plain.count, !isNext(end) { position += 1 }
                position = min(plain.count, position + (end == "*/" ? 2 : 0))
                for index in start..<position where ![10, 13].contains(plain[index]) { plain[index] = 0x20 }
                continue
            }
            position += 1
            switch plain[start] {
            case UInt8(ascii: "\""):
                while position < plain.count, plain[position] != UInt8(ascii: "\"") {
                    position += plain[position] == UInt8(ascii: "\\") ? 2 : 1
                }
                position += 1
                comma = nil
            case UInt8(ascii: ","): comma = start
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                if let comma { plain[comma] = 0x20 }
                comma = nil
            case 0x20, 0x09, 10, 13: break
            default: comma = nil
            }
        }
        return plain
    }

    private func members(from start: Int = 0) -> JSONMembers { JSONMembers(in: plain, from: start) }

    mutating func set(_ parent: String, _ name: String, _ value: JSONValue) {
        let member = "\(JSONValue.string(name).text): \(value.text)"
        // The spaces inside the braces mark an object that `set` created, so that `remove` removes it too.
        let object = "\(JSONValue.string(parent).text): { \(member) }"
        guard !bytes.isEmpty else { return bytes = Array("{ \(object) }\n".utf8) }
        let top = members()
        guard let index = top.index(parent) else { return insert(object, into: top) }
        let inner = members(from: top.list[index].value.lowerBound)
        guard let known = inner.index(name) else { return insert(member, into: inner) }
        bytes.replaceSubrange(inner.list[known].value, with: value.text.utf8)
    }

    mutating func remove(_ parent: String, _ name: String) {
        let top = members()
        guard let index = top.index(parent) else { return }
        let inner = members(from: top.list[index].value.lowerBound)
        guard let known = inner.index(name) else { return }
        guard isMarked(inner) else { return remove(known, from: inner) }
        isEmptied = isMarked(top) && top.open == 0 && bytes[(top.close + 1)...] == [10]
        remove(index, from: top)
    }

    private func isMarked(_ object: JSONMembers) -> Bool {
        guard let only = object.list.first, object.list.count == 1 else { return false }
        return only.start == object.open + 2 && bytes[object.open + 1] == 0x20 && bytes[object.close - 1] == 0x20
            && only.value.upperBound == object.close - 1
    }

    private mutating func insert(_ member: String, into object: JSONMembers) {
        guard let first = object.list.first, let last = object.list.last else {
            return bytes.insert(contentsOf: member.utf8, at: object.open + 1)
        }
        let place = (object.open + 1)..<first.start
        var space = plain[place]
        if space != bytes[place], let line = space.lastIndex(of: 10) { space = space[line...] }
        bytes.insert(contentsOf: [UInt8(ascii: ",")] + space + Array(member.utf8), at: last.value.upperBound)
    }

    private mutating func remove(_ index: Int, from object: JSONMembers) {
        let member = object.list[index]
        if index > 0 {
            bytes.removeSubrange(object.list[index - 1].value.upperBound..<member.value.upperBound)
        } else if object.list.count > 1 {
            bytes.removeSubrange(member.start..<object.list[1].start)
        } else {
            bytes.removeSubrange(member.start..<member.value.upperBound)
        }
    }
}
