import AuthCore

/// A shell, by its syntax for exporting a variable.
enum ShellKind: String, CaseIterable, Sendable {
    case posix, fish, powershell

    init?(argument name: String) {
        switch name {
        case "sh", "bash", "zsh", "dash", "ksh": self = .posix
        case "pwsh": self = .powershell
        default: self.init(rawValue: name)
        }
    }

    func export(_ name: String, _ value: String) -> String {
        func quoted(_ marked: [Unicode.Scalar: String]) -> String {
            "'" + value.unicodeScalars.map { marked[$0] ?? String($0) }.joined() + "'"
        }
        return switch self {
        case .posix: "export \(name)=\(Shell.quoted(value))"
        case .fish: "set -gx \(name) \(quoted(["'": "\\'", "\\": "\\\\"]))"
        case .powershell: "$env:\(name) = \(quoted(["'": "''"]))"
        }
    }
}

/// Quoting for POSIX shells (Shell Command Language, 2.2 Quoting).
enum Shell {
    /// Whether a word of a command line may be a misplaced secret, which messages must not repeat: a long word that is
    /// not an option, path, URL, email address or provider.
    static func mayBeSecret(_ word: String) -> Bool {
        let value = word.hasPrefix("--") ? word.drop { $0 != "=" } : word[...]
        return value.utf8.count >= 20 && !value.contains { "/@".contains($0) }
            && ProviderID.name(in: String(value)) == nil
    }

    /// The words of this command line that are probably secrets in the wrong place: long, with letters and several digits,
    /// and not a UUID, path, URL or host. A client ID is public, also if it looks like a secret.
    static var typedSecrets: [String] {
        let typed = zip([""] + Process.typed, Process.typed).filter { before, word in
            before != "--client-id" && !word.hasPrefix("--client-id=")
        }
        let words = typed.flatMap { $1.split { " =:,".contains($0) } }.map(String.init)
        return words.filter { word in
            let isName = word.utf8.count < 32 || word.contains { "/.".contains($0) }
            guard !isName, word.split(separator: "-").count != 5, word.contains(where: \.isLetter) else { return false }
            return word.count(where: \.isNumber) > 3
        }
    }

    static func word(_ value: String) -> String {
        let isPlain = !value.isEmpty && value.hasOnlyLettersAndDigits(or: "_@%+=:,./-")
        // zsh expands a word that starts with an equals sign.
        guard !isPlain || value.hasPrefix("=") else { return value }
        return quoted(value)
    }

    static func quoted(_ value: String) -> String {
        // Compared by scalars: a quote and a combining accent are one character in Swift, but a shell still sees the
        // quote.
        // Output would escape `##`, which begins a command in the log of a CI system.
        let hash = value.contains("##") ? "#''" : "#"
        let inner = value.unicodeScalars.map { $0 == "'" ? #"'\''"# : $0 == "#" ? hash : String($0) }.joined()
        return "'\(inner)'"
    }

    static func append(_ value: String, to text: inout String) {
        // A value with a leading dash is joined to its option with `=`. As an operand, it follows `--`.
        if value.hasPrefix("-"), text.hasSuffix(" ") {
            let option = text.dropLast().split(separator: " ").last ?? ""
            if option.hasPrefix("--") { text = text.dropLast() + "=" } else { text += "-- " }
        }
        text += word(value)
    }

    static func words(_ values: [String]) -> String { values.map(word).joined(separator: " ") }
}
