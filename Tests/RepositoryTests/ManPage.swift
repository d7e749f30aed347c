/// The commands and options that a manual page in mdoc(7) names.
struct ManPage {
    struct Section {
        let heading: String
        /// Flags without dashes.
        var flags: Set<String> = []
        /// Flags that are items of a list.
        var explained: Set<String> = []
        /// Command names: the arguments of `.Cm`.
        var names: Set<String> = []
        /// Pages that `.Xr` names.
        var pages: Set<String> = []
    }

    /// The sections of `.Sh` and `.Ss`, in order.
    private(set) var sections: [Section] = []
    /// The items `.It N` of EXIT STATUS, each with the next line.
    private(set) var exitCodes: [String: String] = [:]
    /// The words of each command in SYNOPSIS.
    private(set) var synopsis: Set<[String]> = []

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
            if words.contains("Xr"), let index = words.firstIndex(of: "Xr"), index + 1 < words.count {
                sections[last].pages.insert(words[index + 1])
            }
            // `.Nm authctl`, and the command on the next line.
            if sections[last].heading == "SYNOPSIS" {
                if isCommand, macro == "Cm" { synopsis.insert(names) }
                isCommand = macro == "Nm"
            }
        }
    }

    private static let macros: Set = [
        "Fl", "Ar", "Cm", "Op", "Ns", "Pq", "Ql", "Pa", "Nm", "It", "Ss", "Sh", "Ev", "No", "Pp", "Em", "Li", "Xr",
    ]

    /// The arguments of a macro, up to the next macro on the line.
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
