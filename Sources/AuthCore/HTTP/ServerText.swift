/// Text from a server that can be printed: hidden characters are escaped, secrets are redacted, and it is cut after 200
/// characters.
package struct ServerText: Sendable, Equatable, CustomStringConvertible {
    package let description: String

    package static let maximumLength = 200

    package init(_ text: String, secrets: [String] = []) {
        let redaction = Redaction(secrets)
        description = ServerText.shown(ServerText.withoutTokens(redaction.applied(to: redaction.beginning(of: text))))
    }

    package static func escaped(_ text: String) -> String {
        guard !text.isPrintableASCII else { return text }
        var shown = ""
        var previous: Unicode.Scalar = " "
        for scalar in text.unicodeScalars {
            defer { previous = scalar }
            switch scalar.value {
            // A joiner is a part of Arabic and Indic words and of emoji (Unicode Standard section 23.2).
            case 0x200C...0x200D where previous.value >= 0x0600 && !previous.isHidden:
                shown.unicodeScalars.append(scalar)
            case 0x0A: shown += "\\n"
            case 0x0D: shown += "\\r"
            case 0x09: shown += "\\t"
            case _ where scalar.isHidden: shown += "\\u{" + String(scalar.value, radix: 16) + "}"
            default: shown.unicodeScalars.append(scalar)
            }
        }
        return shown
    }

    package static func shown(_ text: String) -> String {
        let scalars = text.unicodeScalars
        guard scalars.count > maximumLength else { return escaped(text) }
        return escaped(String(String.UnicodeScalarView(scalars.prefix(maximumLength)))) + "…"
    }

    private static func withoutTokens(_ text: String) -> String {
        func isTokenCharacter(_ character: Character) -> Bool {
            character.isASCII && (character.isLetter || character.isNumber || "-._~+/".contains(character))
        }
        let prefixes = ["eyJ", "gho_", "ghp_", "ghu_", "ghr_", "ghs_", "github_pat_", "ya29.", "glpat-", "1//0"]
        var result = ""
        var rest = text[...]
        while let start = rest.firstIndex(where: isTokenCharacter) {
            result += rest[..<start]
            let word = rest[start...].prefix(while: isTokenCharacter)
            let isToken = word.count >= 16 && prefixes.contains { word.hasPrefix($0) }
            result += isToken ? "<redacted>" : word
            rest = rest[word.endIndex...]
        }
        return result + rest
    }
}
