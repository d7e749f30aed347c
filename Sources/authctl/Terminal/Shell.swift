import AuthCore

/// Text as a POSIX shell reads it (Shell Command Language, 2.2 Quoting).
enum Shell {
    /// One word, quoted where that is needed.
    static func word(_ value: String) -> String {
        let isPlain = value.utf8.allSatisfy { byte in
            byte.isLetterOrDigit || "_@%+=:,./-".utf8.contains(byte)
        }
        // An equals sign in front is zsh's own.
        guard !isPlain || value.isEmpty || value.hasPrefix("=") else { return value }
        return "'\(value.replacing("'", with: #"'\''"#))'"
    }

    static func words(_ values: [String]) -> String { values.map(word).joined(separator: " ") }
}
