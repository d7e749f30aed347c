/// A key of `config.yaml` that this version does not know, and the one that it resembles.
package struct UnknownKeyWarning: Sendable, Equatable {
    package let name: String
    package let line: Int
    package let suggestion: String?
}

extension YAMLNode {
    /// The line where it begins, from 1; nil if it was not read.
    /// - Parameter text: the bytes that it was read from.
    func line(in text: [UInt8]) -> Int? { place.map { text[..<$0.range.lowerBound].count { $0 == 0x0A } + 1 } }
}

extension YAMLMapping {
    /// - Parameter text: the bytes that the mapping was read from.
    func unknownKeys(known: [String], in text: [UInt8]) -> [UnknownKeyWarning] {
        entries.compactMap { entry in
            guard let name = entry.key.text, !known.contains(name), let line = entry.key.line(in: text)
            else { return nil }
            return UnknownKeyWarning(
                name: name, line: line,
                suggestion: TypingMistake.nearest(to: name, among: known.filter { self[$0] == nil }))
        }
    }

    func missing<Owner>(_ names: [String], from all: [Setting<Owner>], in text: [UInt8]) -> SettingFault {
        let keys = unknownKeys(known: all.map(\.key), in: text)
        for key in keys {
            guard let name = key.suggestion, names.contains(name) else { continue }
            return .misspelled(name, as: key.name, line: key.line)
        }
        return .missing(names)
    }
}

package enum TypingMistake {
    static func nearest(to word: String, among words: [String]) -> String? {
        words.map { ($0, mistakes(word, $0)) }.filter { $0.1 <= ($0.0.utf8.count < 6 ? 1 : 2) }.min { $0.1 < $1.1 }?.0
    }

    package static func mistakes(_ word: String, _ other: String) -> Int {
        let (left, right) = (Array(word.utf8), Array(other.utf8))
        guard left.count <= 64 else { return .max }
        var before: [Int] = []
        var row = Array(0...right.count)
        for i in left.indices {
            var next = [i + 1]
            for j in right.indices {
                var least = min(row[j] + (left[i] == right[j] ? 0 : 1), row[j + 1] + 1, next[j] + 1)
                if i > 0, j > 0, left[i] == right[j - 1], left[i - 1] == right[j] {
                    least = min(least, before[j - 1] + 1)
                }
                next.append(least)
            }
            (before, row) = (row, next)
        }
        return row[right.count]
    }
}
