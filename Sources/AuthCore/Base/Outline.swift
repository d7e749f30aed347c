/// Where the members of an object or list in brackets are in a text. A change inserts or removes one member, and no
/// other byte changes.
package struct Outline {
    package struct Member {
        /// Nil in a list.
        package let name: String?
        /// From the name to the end of the value.
        package let range: Range<Int>
        package let value: Range<Int>

        package init(name: String?, range: Range<Int>, value: Range<Int>) {
            (self.name, self.range, self.value) = (name, range, value)
        }
    }

    /// The offsets of the brackets.
    package let open: Int
    package let close: Int
    package let members: [Member]

    package init(open: Int, close: Int, members: [Member]) {
        (self.open, self.close, self.members) = (open, close, members)
    }

    package func index(_ name: String) -> Int? { members.firstIndex { $0.name == name } }

    package func value(_ name: String) -> Range<Int>? { index(name).map { members[$0].value } }

    /// Inserts a member as the last one, after the same white space as the first.
    package func inserting(_ member: String, into bytes: [UInt8]) -> Splice {
        guard let first = members.first, let last = members.last else { return .at(close, member) }
        var start = first.range.lowerBound
        while [0x20, 0x09, 0x0A, 0x0D].contains(bytes[start - 1]) { start -= 1 }
        let space = String(decoding: bytes[start..<first.range.lowerBound], as: UTF8.self)
        return .at(last.range.upperBound, "," + space + member)
    }

    package func removing(_ index: Int) -> Splice {
        let member = members[index].range
        guard index == 0 else { return Splice(range: members[index - 1].range.upperBound..<member.upperBound) }
        let next = members.count > 1 ? members[1].range.lowerBound : member.upperBound
        return Splice(range: member.lowerBound..<next)
    }

    /// Whether it has one member, between single spaces. Objects and lists that were inserted with their first member
    /// are written like this, so that they are removed with the last one.
    package func isMarked(in bytes: [UInt8]) -> Bool {
        guard members.count == 1, members[0].range == open + 2..<close - 1 else { return false }
        return bytes[open + 1] == 0x20 && bytes[close - 1] == 0x20
    }
}
