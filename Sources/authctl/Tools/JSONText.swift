import AuthCore

/// The text of a JSON object in another tool's file. A change inserts or removes one member, and leaves every other byte.
struct JSONText {
    private(set) var bytes: [UInt8]
    /// Whether the file contained only what `set` wrote, so that removing it leaves nothing.
    private(set) var isEmptied = false

    private struct Member {
        let name: String
        let start: Int
        let value: Range<Int>
    }

    private struct Members {
        let open: Int
        let list: [Member]
        let close: Int

        func index(_ name: String) -> Int? { list.firstIndex { $0.name == name } }
    }

    /// - Parameter bytes: valid JSON, an object; nil for a file that does not exist.
    init(_ bytes: [UInt8]?) { self.bytes = bytes ?? [] }

    mutating func set(_ parent: String, _ name: String, _ value: JSONValue) {
        let member = "\(JSONValue.string(name).text): \(value.text)"
        // The spaces inside the braces mark an object that was absent: `remove` then removes it too.
        let object = "\(JSONValue.string(parent).text): { \(member) }"
        guard !bytes.isEmpty else { return bytes = Array("{ \(object) }\n".utf8) }
        let top = members(at: afterSpace(0))
        guard let index = top.index(parent) else { return insert(object, into: top) }
        let inner = members(at: top.list[index].value.lowerBound)
        guard let known = inner.index(name) else { return insert(member, into: inner) }
        bytes.replaceSubrange(inner.list[known].value, with: value.text.utf8)
    }

    mutating func remove(_ parent: String, _ name: String) {
        let top = members(at: afterSpace(0))
        guard let index = top.index(parent) else { return }
        let inner = members(at: top.list[index].value.lowerBound)
        guard let known = inner.index(name) else { return }
        guard isMarked(inner) else { return remove(known, from: inner) }
        isEmptied = isMarked(top) && top.open == 0 && bytes[(top.close + 1)...] == [10]
        remove(index, from: top)
    }

    private func isMarked(_ object: Members) -> Bool {
        guard let only = object.list.first, object.list.count == 1 else { return false }
        return only.start == object.open + 2 && bytes[object.open + 1] == 0x20 && bytes[object.close - 1] == 0x20
            && only.value.upperBound == object.close - 1
    }

    private mutating func insert(_ member: String, into object: Members) {
        guard let first = object.list.first, let last = object.list.last else {
            return bytes.insert(contentsOf: member.utf8, at: object.open + 1)
        }
        let space = bytes[(object.open + 1)..<first.start]
        bytes.insert(contentsOf: [UInt8(ascii: ",")] + space + Array(member.utf8), at: last.value.upperBound)
    }

    private mutating func remove(_ index: Int, from object: Members) {
        let member = object.list[index]
        if index > 0 {
            bytes.removeSubrange(object.list[index - 1].value.upperBound..<member.value.upperBound)
        } else if object.list.count > 1 {
            bytes.removeSubrange(member.start..<object.list[1].start)
        } else {
            bytes.removeSubrange(member.start..<member.value.upperBound)
        }
    }

    // MARK: Where things are in valid JSON

    private func afterSpace(_ start: Int) -> Int {
        bytes[start...].firstIndex { ![0x20, 0x09, 0x0A, 0x0D].contains($0) } ?? bytes.endIndex
    }

    private func members(at open: Int) -> Members {
        var list: [Member] = []
        var position = afterSpace(open + 1)
        while position < bytes.count, bytes[position] != UInt8(ascii: "}") {
            let key = position..<end(ofValueAt: position)
            let value = afterSpace(afterSpace(key.upperBound) + 1)
            let end = end(ofValueAt: value)
            let name = (try? StrictJSON.parse(bytes[key]))?.string ?? ""
            list.append(Member(name: name, start: key.lowerBound, value: value..<end))
            position = afterSpace(end)
            if position < bytes.count, bytes[position] == UInt8(ascii: ",") { position = afterSpace(position + 1) }
        }
        return Members(open: open, list: list, close: position)
    }

    private func end(ofValueAt start: Int) -> Int {
        var (position, depth, isText) = (start, 0, false)
        while position < bytes.count {
            let byte = bytes[position]
            if isText {
                if byte == UInt8(ascii: "\\") { position += 1 } else if byte == UInt8(ascii: "\"") { isText = false }
                if !isText, depth == 0 { return position + 1 }
            } else if byte == UInt8(ascii: "\"") {
                isText = true
            } else if "{[".utf8.contains(byte) {
                depth += 1
            } else if "}]".utf8.contains(byte) {
                if depth == 0 { return position }
                depth -= 1
                if depth == 0 { return position + 1 }
            } else if depth == 0, ", \t\r\n".utf8.contains(byte) {
                return position
            }
            position += 1
        }
        return position
    }
}
