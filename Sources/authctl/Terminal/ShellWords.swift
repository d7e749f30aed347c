extension Shell {
    /// Splits a command into words like a POSIX shell: blanks, quotes and backslashes (Shell Command Language, 2.2
    /// Quoting). There is no expansion, and no other character is special.
    static func split(_ text: String) -> [String]? {
        var words: [String] = []
        var word: String?
        var quote: Unicode.Scalar?
        var isEscaped = false
        func append(_ character: Unicode.Scalar) { word = (word ?? "") + String(character) }
        for character in text.unicodeScalars {
            if isEscaped {
                // Inside double quotes, a backslash is only special before these characters.
                if quote != nil, !["$", "`", "\"", "\\", "\n"].contains(character) { append("\\") }
                // A backslash before a newline continues the line.
                if character != "\n" { append(character) }
                isEscaped = false
            } else if character == "\\", quote != "'" {
                isEscaped = true
            } else if character == quote {
                quote = nil
            } else if quote == nil, ["'", "\""].contains(character) {
                (quote, word) = (character, word ?? "")
            } else if quote == nil, [" ", "\t", "\n"].contains(character) {
                if let word { words.append(word) }
                word = nil
            } else {
                append(character)
            }
        }
        guard quote == nil, !isEscaped else { return nil }
        if let word { words.append(word) }
        return words
    }
}

extension [String] {
    /// The word after an option. As in the parser, the last one counts.
    func value(of option: String) -> String? { lastIndex(of: option).flatMap { dropFirst($0 + 1).first } }
}
