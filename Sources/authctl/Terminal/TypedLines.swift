import AuthCore

/// Assembles typed and pasted bytes into lines.
struct TypedLines: Sendable {
    let keys: Set<UInt8>?
    private var line: [UInt8] = []
    /// Inside text that the terminal marks as pasted.
    private var isPasting = false
    private(set) var isEnded = false

    init(keys: Set<UInt8>?) { self.keys = keys }

    /// Longer than any callback URL.
    private static let maximumLength = 1 << 20
    /// Bracketed paste mode of xterm.
    private static let (pasteBegin, pasteEnd) = (Array("\u{1B}[200~".utf8), Array("\u{1B}[201~".utf8))

    func isKey(_ bytes: [UInt8]) -> Bool {
        guard let keys, line.isEmpty, !isPasting, bytes.count == 1 else { return false }
        return keys.contains(bytes[0])
    }

    /// Adds bytes, and returns the lines that they complete.
    mutating func take(_ bytes: [UInt8], isAlone: Bool) -> [String] {
        if isAlone { return [String(decoding: bytes, as: UTF8.self)] }
        // Another key, such as an arrow.
        if keys != nil, !isPasting, bytes.first == 0x1B, !bytes.starts(with: TypedLines.pasteBegin) { return [] }
        var lines: [String] = []
        for byte in bytes where !isEnded {
            switch byte {
            case 10:
                lines.append(String(decoding: line, as: UTF8.self))
                line = []
            case 4 where keys != nil: isEnded = line.isEmpty  // Ctrl-D
            case _ where keys != nil: line.type(byte)
            default: line.append(byte)
            }
            guard keys != nil, byte == UInt8(ascii: "~") else { continue }
            for (mark, begins) in [(TypedLines.pasteBegin, true), (TypedLines.pasteEnd, false)]
            where line.suffix(mark.count).elementsEqual(mark) {
                line.removeLast(mark.count)
                isPasting = begins
            }
        }
        if line.count > TypedLines.maximumLength { isEnded = true }
        return lines
    }

    var rest: String? { line.isEmpty ? nil : String(decoding: line, as: UTF8.self) }
}

extension [UInt8] {
    /// Applies a typed byte as a terminal's line editing does.
    mutating func type(_ byte: UInt8) {
        switch byte {
        case 8, 0x7F:
            // Removes a whole character, which may have several bytes.
            while let last = popLast(), last & 0xC0 == 0x80 {}
        case 0x15: wipe()  // Ctrl-U
        default: append(byte)
        }
    }
}
