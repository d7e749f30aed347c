/// The bytes of a text, with the positions of its lines.
struct YAMLLines {
    let bytes: [UInt8]

    var lineEnd: String { bytes.lineEnd }

    /// The length of the line break at an offset, in bytes; 0 if none. YAML 1.1 has three line breaks beyond ASCII.
    private func breakLength(_ offset: Int) -> Int {
        switch bytes[offset] {
        case 0x0A: 1
        case 0x0D: offset + 1 < bytes.count && bytes[offset + 1] == 0x0A ? 2 : 1
        case 0xC2: bytes[offset...].starts(with: [0xC2, 0x85]) ? 2 : 0
        case 0xE2:
            bytes[offset...].starts(with: [0xE2, 0x80, 0xA8]) || bytes[offset...].starts(with: [0xE2, 0x80, 0xA9])
                ? 3 : 0
        default: 0
        }
    }

    /// The end of the line, before its line break.
    func end(_ offset: Int) -> Int {
        var offset = offset
        while offset < bytes.count, breakLength(offset) == 0 { offset += 1 }
        return offset
    }

    func next(_ offset: Int) -> Int {
        let end = end(offset)
        return end < bytes.count ? end + breakLength(end) : end
    }

    /// The start of the line, after a byte order mark.
    func start(_ offset: Int) -> Int {
        let first = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
        var start = offset
        while start > first {
            let length = breakLength(start - 1)
            let isWide =
                start >= 2 && breakLength(start - 2) == 2 && bytes[start - 2] != 0x0D
                || start >= 3 && breakLength(start - 3) == 3
            if length > 0 || isWide { break }
            start -= 1
        }
        return start
    }

    /// The number of characters before the offset in its line.
    func column(_ offset: Int) -> Int { bytes[start(offset)..<offset].count { $0 & 0xC0 != 0x80 } }

    func skippingSpaces(_ offset: Int) -> Int {
        var offset = offset
        while offset < bytes.count, bytes[offset] == 0x20 || bytes[offset] == 0x09 { offset += 1 }
        return offset
    }

    func isFirstInLine(_ offset: Int) -> Bool { skippingSpaces(start(offset)) >= offset }

    func isRestIdle(_ offset: Int) -> Bool {
        let next = skippingSpaces(offset)
        return next == end(offset) || bytes[next] == UInt8(ascii: "#") && (next > offset || isFirstInLine(next))
    }

    /// The end of the range without trailing white space.
    func trimmedEnd(_ range: Range<Int>) -> Int {
        var end = range.upperBound
        while end > range.lowerBound, [0x20, 0x09, 0x0A, 0x0D].contains(bytes[end - 1]) { end -= 1 }
        return end
    }

    /// Skips the comments that are indented to `column` or more, with the empty lines before them.
    func skippingComments(_ offset: Int, column: Int) -> Int {
        var (line, found) = (offset, offset)
        while line < bytes.count {
            let first = skippingSpaces(line)
            if first < bytes.count, bytes[first] == UInt8(ascii: "#") {
                guard self.column(first) >= column else { break }
                found = next(line)
            } else if first != end(line) {
                break
            }
            line = next(line)
        }
        return found
    }
}

extension YAMLLines {
    /// The problem that the value at this offset cannot be changed.
    func unchangeable(at offset: Int?) -> YAMLProblem {
        let offset = offset ?? 0
        let line = bytes[..<offset].count { $0 == 0x0A } + 1
        return YAMLProblem(
            position: YAMLProblem.Position(line: line, column: column(offset) + 1), reason: .unchangeable)
    }

    /// The offset of the colon after a key.
    func colon(after key: YAMLNode) -> Int? {
        guard let place = key.place else { return nil }
        let offset = skippingSpaces(place.range.upperBound)
        return offset < bytes.count && bytes[offset] == UInt8(ascii: ":") ? offset : nil
    }

    /// The end of an entry or item, without trailing white space.
    func end(_ key: YAMLNode?, _ value: YAMLNode) -> Int {
        guard let range = value.place?.range else { return 0 }
        guard range.isEmpty, let key, let place = key.place else { return trimmedEnd(range) }
        return colon(after: key).map { $0 + 1 } ?? place.range.upperBound
    }

    /// The start of the line after an entry or item. After `|`, the empty lines belong to the value.
    func lineAfter(_ key: YAMLNode?, _ value: YAMLNode) -> Int {
        let end = end(key, value)
        let last = value.place?.range.upperBound ?? end
        return last > end && start(last) == last ? last : next(end)
    }
}
