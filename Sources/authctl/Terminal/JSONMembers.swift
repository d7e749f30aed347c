import AuthCore

/// The byte positions of a JSON object's members. The text is not validated any further.
struct JSONMembers {
    struct Member {
        let name: String
        let start: Int
        let value: Range<Int>
    }

    let open: Int
    let list: [Member]
    let close: Int
    /// Whether the text is not an object, or ends inside it.
    let isBroken: Bool

    func index(_ name: String) -> Int? { list.firstIndex { $0.name == name } }

    func value(_ name: String) -> Range<Int>? { index(name).map { list[$0].value } }

    init(in bytes: [UInt8], from start: Int = 0) {
        let text = JSONPlaces(bytes: bytes)
        open = text.afterSpace(start)
        var list: [Member] = []
        var isBroken = open >= bytes.count || bytes[open] != UInt8(ascii: "{")
        var position = text.afterSpace(open + 1)
        while !isBroken, position < bytes.count, bytes[position] != UInt8(ascii: "}") {
            let key = position..<text.end(ofValueAt: position)
            let colon = text.afterSpace(key.upperBound)
            let value = text.afterSpace(colon + 1)
            let end = text.end(ofValueAt: value)
            guard let name = (try? StrictJSON.parse(bytes[key]))?.string, colon < bytes.count,
                bytes[colon] == UInt8(ascii: ":"), value < end
            else {
                isBroken = true
                break
            }
            list.append(Member(name: name, start: key.lowerBound, value: value..<end))
            position = text.afterSpace(end)
            if position < bytes.count, bytes[position] == UInt8(ascii: ",") { position = text.afterSpace(position + 1) }
        }
        self.list = list
        close = position
        self.isBroken = isBroken || position >= bytes.count
    }
}

private struct JSONPlaces {
    let bytes: [UInt8]

    func afterSpace(_ start: Int) -> Int {
        guard start < bytes.count else { return bytes.count }
        return bytes[start...].firstIndex { ![0x20, 0x09, 0x0A, 0x0D].contains($0) } ?? bytes.endIndex
    }

    func end(ofValueAt start: Int) -> Int {
        var (position, depth, isText) = (start, 0, false)
        while position < bytes.count {
            let byte = bytes[position]
            if isText {
                if byte == UInt8(ascii: "\\") { position += 1 } else if byte == UInt8(ascii: "\"") { isText = false }
                if !isText, depth == 0 { return position + 1 }
            } else if byte == UInt8(ascii: "\"") {
                isText = true
            } else if byte == UInt8(ascii: "{") || byte == UInt8(ascii: "[") {
                depth += 1
            } else if byte == UInt8(ascii: "}") || byte == UInt8(ascii: "]") {
                if depth == 0 { return position }
                depth -= 1
                if depth == 0 { return position + 1 }
            } else if depth == 0, [0x2C, 0x3A, 0x20, 0x09, 0x0A, 0x0D].contains(byte) {
                return position
            }
            position += 1
        }
        return bytes.count
    }
}
