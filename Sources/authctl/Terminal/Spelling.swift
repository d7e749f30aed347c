import AuthCore

/// Finds the known names that are closest to a misspelled one.
enum Spelling {
    static func suggestions(for word: String, among names: [String]) -> [String] {
        let word = word.lowercased()
        let allowed = max(1, word.count / 3)
        let near = names.compactMap { name -> (name: String, distance: Int)? in
            // A prefix of a name counts as an exact match.
            if word.count > 2, name.lowercased().hasPrefix(word) { return (name, 0) }
            let distance = TypingMistake.mistakes(word, name.lowercased())
            return distance <= allowed ? (name, distance) : nil
        }
        guard let best = near.map(\.distance).min() else { return [] }
        return near.filter { $0.distance == best }.map(\.name)
    }

    static func question(_ names: [String]) -> String {
        let quoted = names.map { "'\($0)'" }
        guard let last = quoted.last else { return "" }
        let others = quoted.dropLast().joined(separator: ", ")
        return ": did you mean \(others.isEmpty ? last : "\(others) or \(last)")?"
    }
}
