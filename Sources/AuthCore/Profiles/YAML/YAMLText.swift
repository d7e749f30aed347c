/// Formats YAML values.
enum YAMLText {
    static func isAmbiguous(_ text: String) -> Bool {
        let words = ["", "~", "y", "n", "yes", "no", "on", "off", "true", "false", "null", "<<", "="]
        // Most texts begin with a letter, and are then ambiguous only if they are one of these words.
        if text.utf8.first?.isLetter == true { return text.utf8.count <= 5 && words.contains(text.lowercased()) }
        var rest = Array(text.lowercased().utf8)[...]
        if words.contains(text) || isDate(rest) { return true }
        if let sign = rest.first, sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") { rest = rest.dropFirst() }
        func isMade(of characters: String, _ bytes: ArraySlice<UInt8>) -> Bool {
            bytes.allSatisfy(Array(characters.utf8).contains)
        }
        if [".inf", ".nan"].contains(where: { rest.elementsEqual($0.utf8) }) { return true }
        if rest.starts(with: "0x".utf8) { return isMade(of: "0123456789abcdef_", rest.dropFirst(2)) }
        if rest.starts(with: "0o".utf8) || rest.starts(with: "0b".utf8) {
            return isMade(of: "01234567_", rest.dropFirst(2))
        }
        // Signs or dots without digits are text. A colon separates base 60 digits.
        let digits = "0123456789_.:"
        let parts = rest.split(separator: UInt8(ascii: "e"), maxSplits: 1, omittingEmptySubsequences: false)
        guard let mantissa = parts.first, isMade(of: digits, mantissa), mantissa.contains(where: \.isDigit) else {
            return false
        }
        guard parts.count > 1 else { return true }
        var exponent = parts[1]
        if let sign = exponent.first, sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") {
            exponent = exponent.dropFirst()
        }
        return isMade(of: digits, exponent)
    }

    private static func isDate(_ text: ArraySlice<UInt8>) -> Bool {
        let parts = text.split(separator: UInt8(ascii: "-"), maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3, parts[0].count == 4, parts[0].allSatisfy(\.isDigit), (1...2).contains(parts[1].count),
            parts[1].allSatisfy(\.isDigit), let first = parts[2].first, first.isDigit
        else { return false }
        return parts[2].allSatisfy { $0.isDigit || Array("tz:.+- \t".utf8).contains($0) }
    }

    static func quoted(_ text: String, inFlow: Bool) -> String {
        let bytes = Array(text.utf8)
        guard text.isPrintableASCII, !text.contains("##") else { return escaped(text) }
        let isPlain =
            !isAmbiguous(text) && !Array(" -?:,[]{}#&*!|>'\"%@`.=<".utf8).contains(bytes.first ?? 0x20)
            && bytes.last != 0x20 && bytes.last != UInt8(ascii: ":") && !text.contains(": ") && !text.contains(" #")
            && !(inFlow && bytes.contains(where: Array(",?[]{}:".utf8).contains))
        return isPlain ? text : "'" + text.replacing("'", with: "''") + "'"
    }

    /// In double quotes, with escapes for all but printable ASCII, so that no character is invisible, and for `#` after
    /// `#`, as in `JSONValue.text`.
    private static func escaped(_ text: String) -> String {
        var escaped = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"", "\\": escaped += "\\\(scalar)"
            case "\n": escaped += "\\n"
            case "\r": escaped += "\\r"
            case "\t": escaped += "\\t"
            case " "..."~" where !(scalar == "#" && escaped.hasSuffix("#")): escaped.unicodeScalars.append(scalar)
            default:
                let digits = String(scalar.value, radix: 16, uppercase: true)
                let (mark, length) = scalar.value < 0x100 ? ("x", 2) : scalar.value < 0x1_0000 ? ("u", 4) : ("U", 8)
                escaped += "\\" + mark + String(repeating: "0", count: length - digits.count) + digits
            }
        }
        return escaped + "\""
    }

    private static func scalar(_ scalar: YAMLScalar, inFlow: Bool) -> String {
        switch scalar.kind {
        case .text: quoted(scalar.text, inFlow: inFlow)
        case .plain: scalar.text
        case .tagged(let tag): "!<\(tag)> \(escaped(scalar.text))"
        }
    }

    static func flow(_ node: YAMLNode, inFlow: Bool = true) -> String {
        switch node.content {
        case .scalar(let scalar): return self.scalar(scalar, inFlow: inFlow)
        case .sequence(let nodes): return "[" + nodes.map { flow($0) }.joined(separator: ", ") + "]"
        case .mapping(let mapping):
            return "{" + mapping.entries.map { entry($0.key, value: $0.value, inFlow: true) }.joined(separator: ", ")
                + "}"
        }
    }

    static func entry(_ key: YAMLNode, value: YAMLNode, inFlow: Bool) -> String {
        let written = flow(value, inFlow: inFlow)
        // Without the space, the colon could be part of the key.
        return flow(key, inFlow: inFlow) + (written.isEmpty ? ":" : ": " + written)
    }

    static func inline(_ node: YAMLNode) -> String? {
        if let mapping = node.mapping, !mapping.entries.isEmpty { return nil }
        return flow(node, inFlow: false)
    }

    /// The lines of a mapping in block style, without line breaks.
    static func lines(_ mapping: YAMLMapping, indentation: Int, step: Int) -> [String] {
        mapping.entries.flatMap { entry in
            let margin = String(repeating: " ", count: indentation)
            guard inline(entry.value) == nil, let nested = entry.value.mapping else {
                return [margin + self.entry(entry.key, value: entry.value, inFlow: false)]
            }
            return [margin + flow(entry.key, inFlow: false) + ":"]
                + lines(nested, indentation: indentation + step, step: step)
        }
    }
}
