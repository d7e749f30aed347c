/// Text that came from outside, made safe to show: control characters, terminal escapes and bidirectional marks are
/// escaped, secrets are taken out, and it is cut at 200 characters.
public struct ServerText: Sendable, Equatable, CustomStringConvertible {
    public let description: String

    public static let maximumLength = 200

    /// - Parameter secrets: what this side sent or holds; servers do echo it.
    public init(_ text: String, secrets: [String] = []) {
        var redacted = text
        for secret in secrets where secret.utf8.count >= 6 {
            redacted = ServerText.replacing(secret, in: redacted)
            redacted = ServerText.replacing(FormURLEncoded.encode(secret), in: redacted)
        }
        description = ServerText.escaped(ServerText.withoutTokens(redacted))
    }

    /// Escapes what could change how a terminal shows the text, and cuts it.
    public static func escaped(_ text: String) -> String {
        var shown = ""
        var count = 0
        for scalar in text.unicodeScalars {
            guard count < maximumLength else { return shown + "…" }
            count += 1
            switch scalar.value {
            case 0x0A: shown += "\\n"
            case 0x0D: shown += "\\r"
            case 0x09: shown += "\\t"
            case 0..<0x20, 0x7F..<0xA0, 0x00AD, 0x061C, 0x200B...0x200F, 0x2028...0x202E, 0x2060...0x206F, 0xFEFF,
                0xFFF9...0xFFFB, 0xE0000...0xE007F:
                shown += "\\u{" + String(scalar.value, radix: 16) + "}"
            default: shown.unicodeScalars.append(scalar)
            }
        }
        return shown
    }

    private static func replacing(_ secret: String, in text: String) -> String {
        var result = ""
        var rest = text[...]
        while let range = rest.firstRange(of: secret) {
            result += rest[..<range.lowerBound] + "<redacted>"
            rest = rest[range.upperBound...]
        }
        return result + rest
    }

    /// Takes out words that look like a token, whoever they belong to: a JWT, or a prefix that providers give theirs.
    private static func withoutTokens(_ text: String) -> String {
        func isTokenCharacter(_ character: Character) -> Bool {
            character.isASCII && (character.isLetter || character.isNumber || "-._~+/=".contains(character))
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
