extension Shell {
    /// Splits a command into words like a POSIX shell: blanks, quotes and backslashes (Shell Command Language, 2.2
    /// Quoting). There is no expansion, and no other character is special.
    static func split(_ text: String) -> [String]? {
        var words: [String] = []
        var word: String?
        var rest = Substring(text).unicodeScalars
        func append(_ character: Unicode.Scalar) { word = (word ?? "") + String(character) }
        while let character = rest.popFirst() {
            switch character {
            case " ", "\t", "\n":
                if let word { words.append(word) }
                word = nil
            case "'":
                word = word ?? ""
                guard let end = rest.firstIndex(of: "'") else { return nil }
                rest[..<end].forEach(append)
                rest = rest[rest.index(after: end)...]
            case "\"":
                word = word ?? ""
                guard let quoted = quoted(&rest) else { return nil }
                quoted.forEach(append)
            case "\\":
                guard let next = rest.popFirst() else { return nil }
                // A backslash before a newline continues the line.
                if next != "\n" { append(next) }
            default: append(character)
            }
        }
        if let word { words.append(word) }
        return words
    }

    private static func quoted(_ rest: inout Substring.UnicodeScalarView) -> [Unicode.Scalar]? {
        var quoted: [Unicode.Scalar] = []
        while let character = rest.popFirst() {
            guard character != "\"" else { return quoted }
            guard character == "\\" else {
                quoted.append(character)
                continue
            }
            guard let next = rest.popFirst() else { return nil }
            // Inside double quotes, a backslash is only special before these characters.
            if !["$", "`", "\"", "\\", "\n"].contains(next) { quoted.append(character) }
            if next != "\n" { quoted.append(next) }
        }
        return nil
    }
}
