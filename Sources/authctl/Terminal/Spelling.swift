/// What somebody may have meant.
enum Spelling {
    /// The names nearest to a word: a slip of the finger away, or begun with it. The best first.
    static func meant(by word: String, among names: [String]) -> [String] {
        let word = word.lowercased()
        let allowed = max(1, word.count / 3)
        let near = names.compactMap { name -> (name: String, distance: Int)? in
            // Whoever typed the beginning of a name meant it.
            if word.count > 2, name.hasPrefix(word) { return (name, 0) }
            let distance = distance(word, name)
            return distance <= allowed ? (name, distance) : nil
        }
        guard let best = near.map(\.distance).min() else { return [] }
        return near.filter { $0.distance == best }.map(\.name)
    }

    /// How many letters were left out, put in, changed or swapped with their neighbour (optimal string alignment).
    static func distance(_ first: String, _ second: String) -> Int {
        let (first, second) = (Array(first.prefix(64)), Array(second.prefix(64)))
        var rows = [Array(0...second.count)]
        for (i, letter) in first.enumerated() {
            var row = [i + 1]
            for (j, other) in second.enumerated() {
                var cost = min(rows[i][j + 1] + 1, row[j] + 1, rows[i][j] + (letter == other ? 0 : 1))
                if i > 0, j > 0, letter == second[j - 1], first[i - 1] == other {
                    cost = min(cost, rows[i - 1][j - 1] + 1)
                }
                row.append(cost)
            }
            rows.append(row)
        }
        return rows[first.count][second.count]
    }

    /// `: did you mean 'a' or 'b'?`; empty where nothing is near.
    static func question(_ names: [String]) -> String {
        let quoted = names.map { "'\($0)'" }
        guard let last = quoted.last else { return "" }
        let others = quoted.dropLast().joined(separator: ", ")
        return ": did you mean \(others.isEmpty ? last : "\(others) or \(last)")?"
    }
}
