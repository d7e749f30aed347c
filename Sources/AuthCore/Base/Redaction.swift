/// Replaces secrets in text. It finds them unchanged, percent-encoded in whole or in part, once or twice, and inside
/// Base64 of both alphabets.
struct Redaction {
    private static let minimumLength = 6

    private static let maximumLength = 1 << 16

    let needles: [[UInt8]]
    /// For each byte, whether one of them begins with it.
    private let isFirst: [Bool]

    init(_ secrets: [String]) {
        var needles: Set<[UInt8]> = []
        for secret in Set(secrets) where secret.utf8.count >= Redaction.minimumLength {
            needles.insert(Array(secret.utf8))
            needles.formUnion(Redaction.base64(of: Array(secret.utf8)))
        }
        self.needles = needles.sorted { $0.count > $1.count }
        var isFirst = [Bool](repeating: false, count: 256)
        for needle in needles { isFirst[Int(needle[0])] = true }
        self.isFirst = isFirst
    }

    func beginning(of text: String) -> String {
        let length = Redaction.maximumLength + 16 * (needles.first?.count ?? 0)
        return text.utf8.count <= length ? text : String(decoding: text.utf8.prefix(length), as: UTF8.self)
    }

    func applied(to text: String) -> String {
        guard !needles.isEmpty else { return text }
        let bytes = Array(text.utf8)
        var result: [UInt8] = []
        var hasFound = false
        var index = 0
        while index < bytes.count {
            if mayBegin(bytes, index),
                let end = needles.lazy.compactMap({ Redaction.end(of: $0, in: bytes, at: index) }).first
            {
                result += Redaction.mark
                hasFound = true
                index = end
            } else {
                result.append(bytes[index])
                index += 1
            }
        }
        return hasFound ? String(decoding: result, as: UTF8.self) : text
    }

    private func mayBegin(_ text: [UInt8], _ index: Int) -> Bool {
        let byte = text[index]
        if isFirst[Int(byte)] { return true }
        guard byte == Redaction.percent || byte == UInt8(ascii: "+") else { return false }
        return Redaction.readings(text, index).contains { isFirst[Int($0.byte)] }
    }

    /// The Base64 forms of a secret inside other bytes, at each of the three offsets, without the characters that also
    /// depend on the neighbouring bytes.
    private static func base64(of secret: [UInt8]) -> [[UInt8]] {
        (0..<3).flatMap { offset -> [[UInt8]] in
            let text = Array(Base64URL.encode([UInt8](repeating: 0, count: offset) + secret).utf8)
            let first = [0, 2, 3][offset]
            let end = (offset + secret.count) * 8 / 6
            guard end - first >= minimumLength else { return [] }
            let url = Array(text[first..<end])
            return [url, url.map { $0 == UInt8(ascii: "-") ? 0x2B : $0 == UInt8(ascii: "_") ? 0x2F : $0 }]
        }
    }

    static let shown = "<redacted>"
    private static let mark = Array(shown.utf8)

    private static func end(of needle: [UInt8], in text: [UInt8], at start: Int) -> Int? {
        // A percent sign can be a character or begin an escape, so both readings are tried.
        var places = [start]
        for target in needle {
            var next: [Int] = []
            for place in places {
                for (byte, end) in readings(text, place) where byte == target && !next.contains(end) {
                    next.append(end)
                }
            }
            guard !next.isEmpty else { return nil }
            places = next
        }
        return places.max()
    }

    private static let percent = UInt8(ascii: "%")

    /// The possible bytes at an offset of the text (the byte itself, `%XX`, `%25XX` and so on), with the offset after
    /// each.
    private static func readings(_ text: [UInt8], _ start: Int) -> [(byte: UInt8, end: Int)] {
        guard start < text.count else { return [] }
        guard text[start] == percent else {
            let itself = (byte: text[start], end: start + 1)
            return text[start] == UInt8(ascii: "+") ? [itself, (byte: UInt8(ascii: " "), end: start + 1)] : [itself]
        }
        var readings: [(byte: UInt8, end: Int)] = [(percent, start + 1)]
        var digits = start + 1
        while digits + 1 < text.count, let high = text[digits].hexadecimalDigit,
            let low = text[digits + 1].hexadecimalDigit
        {
            let byte = high << 4 | low
            readings.append((byte, digits + 2))
            guard byte == percent else { break }
            digits += 2
        }
        return readings
    }
}
