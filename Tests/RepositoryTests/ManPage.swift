/// A manual page in mdoc(7), as far as it names commands and flags.
struct ManPage {
    struct Section {
        let heading: String
        /// Flags by their names without dashes.
        var flags: Set<String> = []
        /// Those that an item of a list explains.
        var explained: Set<String> = []
        /// What `.Cm` names, word by word.
        var names: Set<String> = []
        /// Commands whose flags are taken too: "the flags of" or "As at", and then the command.
        var references: Set<String> = []
    }

    /// `.Sh` and `.Ss`, in their order.
    private(set) var sections: [Section] = []
    /// `.It N` with the line behind it, in EXIT STATUS.
    private(set) var exitCodes: [String: String] = [:]
    /// What SYNOPSIS says: each command with what may follow it.
    private(set) var synopsis: [String: Set<String>] = [:]

    init(_ text: String) {
        var before = ""
        var isCommand = false
        for line in text.split(separator: "\n") {
            defer { before = String(line) }
            if sections.last?.heading == "EXIT STATUS", before.hasPrefix(".It ") {
                exitCodes[String(before.dropFirst(4))] = String(line)
            }
            guard line.hasPrefix(".") else { continue }
            let words = line.dropFirst().split(separator: " ").map(String.init)
            guard let macro = words.first else { continue }
            if ["Sh", "Ss"].contains(macro) {
                sections.append(Section(heading: words.dropFirst().joined(separator: " ")))
            }
            let flags = ManPage.words(words, of: "Fl").map { String($0.drop { $0 == "-" }) }.filter { !$0.isEmpty }
            let names = ManPage.words(words, of: "Cm")
            if sections.isEmpty { continue }
            let last = sections.count - 1
            sections[last].flags.formUnion(flags)
            sections[last].names.formUnion(names)
            if macro == "It" { sections[last].explained.formUnion(flags) }
            if before.hasSuffix("flags of") || before == "As at", names.first == "authctl", names.count > 1 {
                sections[last].references.insert(names[1])
            }
            if sections[last].heading == "SYNOPSIS" {
                // `.Nm` and then the command; `a | b` are two commands, `a b | c` one with its verbs.
                if isCommand, macro == "Cm" {
                    let isChoice = words.dropFirst(2).first == "|"
                    if isChoice {
                        for name in names { synopsis[name, default: []] = [] }
                    } else {
                        synopsis[names[0], default: []].formUnion(names.dropFirst())
                    }
                }
                isCommand = macro == "Nm"
            }
        }
    }

    /// The commands that a heading names, with their aliases: `authctl signin Pq alias login`.
    static func commands(_ heading: String) -> [(name: String, aliases: [String])] {
        heading.split(separator: ",").compactMap { part in
            let words = part.split(separator: " ").map(String.init)
            guard words.count > 1, words[0] == "authctl" else { return nil }
            let alias = words.firstIndex(of: "alias").map { Array(words[($0 + 1)...]) } ?? []
            return (words[1], alias)
        }
    }

    private static let macros: Set = [
        "Fl", "Ar", "Cm", "Op", "Ns", "Pq", "Ql", "Pa", "Nm", "It", "Ss", "Sh", "Ev", "No", "Pp", "Em", "Li", "Xr",
    ]

    /// What stands behind a macro on its line, up to the next one.
    private static func words(_ line: [String], of macro: String) -> [String] {
        var found: [String] = []
        var isInside = false
        for word in line {
            if macros.contains(word) {
                isInside = word == macro
            } else if isInside, ![",", "|", ".", ";", ":", "(", ")"].contains(word) {
                found.append(word)
            }
        }
        return found
    }
}
