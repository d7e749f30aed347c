/// Text from a server that can be printed: hidden characters and the commands of CI systems are escaped, secrets are
/// redacted, and it is cut after 200 characters.
package struct ServerText: Sendable, Equatable, CustomStringConvertible {
    package let description: String

    package static let maximumLength = 200

    package init(_ text: String, secrets: [String] = []) {
        let redaction = Redaction(secrets)
        description = ServerText.shown(ServerText.withoutTokens(redaction.applied(to: redaction.beginning(of: text))))
    }

    /// Redacts these secrets, and everything that begins like a token.
    package static func redacted(_ text: String, secrets: [String]) -> String {
        withoutTokens(Redaction(secrets).applied(to: text))
    }

    /// A CI system searches the log of a job for commands: Azure Pipelines for `##vso[`, GitHub's runner for `##[` and
    /// for `::` at the start of a line, TeamCity for `##teamcity[`. Some of them skip white space and variation
    /// selectors.
    package static func escaped(_ text: String) -> String {
        guard !text.isPrintableASCII || text.utf8.contains(UInt8(ascii: "#")) || text.contains("::") else {
            return text
        }
        var shown = ""
        var previous: Unicode.Scalar = " "
        var isStart = true
        for scalar in text.unicodeScalars {
            defer {
                previous = scalar
                isStart = isStart && (scalar == ":" || scalar.isSelector || scalar.properties.isWhitespace)
            }
            switch scalar.value {
            case _
            where (scalar == "[" || scalar.properties.isAlphabetic && !scalar.isHidden)
                && shown.utf8.suffix(2).elementsEqual("##".utf8):
                shown.unicodeScalars.removeLast()
                shown += "\\u{23}" + String(scalar)
            case 0x3A where isStart && previous == ":": shown += "\\u{3a}"
            case _ where scalar.isSelector && previous.isASCII: shown += "\\u{" + String(scalar.value, radix: 16) + "}"
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
        let prefixes = [
            "eyJ", "gho_", "ghp_", "ghu_", "ghr_", "ghs_", "github_pat_", "ya29.", "glpat-", "1//0", "GOCSPX-", "sk-",
            "xoxb-", "xoxp-", "npm_", "hf_",
        ]
        var result = ""
        var rest = text[...]
        while let start = rest.firstIndex(where: isTokenCharacter) {
            result += rest[..<start]
            let word = rest[start...].prefix(while: isTokenCharacter)
            // A token may follow a dash or a slash, as in a path or a mistyped option.
            var previous: Character = "/"
            let token = word.indices.first { index in
                defer { previous = word[index] }
                let tail = word[index...]
                return "-./".contains(previous) && prefixes.contains { tail.hasPrefix($0) }
                    && !tail.dropFirst(15).isEmpty
            }
            result += word[..<(token ?? word.endIndex)] + (token == nil ? "" : "<redacted>")
            rest = rest[word.endIndex...]
        }
        return result + rest
    }
}
