/// A change of a text: bytes that are replaced.
package struct Splice {
    package var range: Range<Int>
    package var text: String

    package init(range: Range<Int>, text: String = "") { (self.range, self.text) = (range, text) }

    package static func at(_ offset: Int, _ text: String) -> Splice { Splice(range: offset..<offset, text: text) }

    /// Inserts whole lines at the start of a line, or at the end of the text. If the text does not end with a newline, it
    /// does not end with one afterwards either.
    package static func inserting(lines: [String], at offset: Int, in bytes: [UInt8]) -> Splice {
        let end = bytes.lineEnd
        let text = lines.joined(separator: end)
        let isStart = offset == 0 || bytes[offset - 1] == 0x0A
        return .at(offset, isStart ? text + end : end + text)
    }

    /// Removes whole lines. If the last line has no newline, the newline before it was inserted with it.
    package static func removing(lines range: Range<Int>, of bytes: [UInt8]) -> Splice {
        let (start, end) = (range.lowerBound, bytes.lineEnd.utf8)
        guard range.upperBound == bytes.count, bytes.last != 0x0A, bytes[..<start].suffix(end.count).elementsEqual(end)
        else { return Splice(range: range) }
        return Splice(range: (start - end.count)..<range.upperBound)
    }
}

extension [UInt8] {
    /// The line end of the first line.
    package var lineEnd: String {
        let feed = firstIndex(of: 0x0A) ?? count
        return feed > 0 && self[feed - 1] == 0x0D ? "\r\n" : "\n"
    }

    /// The lines without their ends. After a newline at the end there is an empty line.
    package var lines: [Range<Int>] {
        split(separator: 0x0A, omittingEmptySubsequences: false).map { line in
            line.last == 0x0D ? line.dropLast().indices : line.indices
        }
    }

    /// The bytes of whole lines, from indices of `lines`.
    package func range(ofLines part: Range<Int>) -> Range<Int> {
        let lines = lines
        let end = part.upperBound < lines.count ? lines[part.upperBound].lowerBound : count
        return lines[part.lowerBound].lowerBound..<end
    }

    package func applying(_ splices: [Splice]) -> [UInt8] {
        var changed = self
        // From the end, so that earlier offsets remain valid.
        for splice in splices.sorted(by: { $0.range.lowerBound < $1.range.lowerBound }).reversed() {
            changed.replaceSubrange(splice.range, with: splice.text.utf8)
        }
        return changed
    }
}
