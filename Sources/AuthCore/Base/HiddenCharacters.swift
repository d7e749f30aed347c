// Characters that are invisible, or that change how a terminal, an editor or a web page displays the text around them.
extension Unicode.Scalar {
    /// A control character (C0, DEL, C1), a mark of writing direction, a line or paragraph separator, or a character
    /// without width (Unicode Standard Annex #9, and `Default_Ignorable_Code_Point`). The variation selectors of emoji
    /// are visible.
    package var isHidden: Bool {
        switch value {
        case 0x20...0x7E: false
        case 0..<0x20, 0x7F..<0xA0, 0x00AD, 0x034F, 0x061C, 0x115F...0x1160, 0x17B4...0x17B5, 0x180B...0x180F,
            0x200B...0x200F, 0x2028...0x202E, 0x2060...0x206F, 0x3164, 0xFEFF, 0xFFA0, 0xFFF0...0xFFFB,
            0x1BCA0...0x1BCA3, 0x1D173...0x1D17A, 0xE0000...0xE0FFF:
            true
        default: false
        }
    }

    /// A variation selector, which selects the glyph of the character before it, for example of an emoji.
    package var isSelector: Bool { (0xFE00...0xFE0F).contains(value) }
}

extension [UInt8] {
    package var isPrintableASCII: Bool {
        withUnsafeBufferPointer { bytes in bytes.allSatisfy { $0 >= 0x20 && $0 < 0x7F } }
    }
}

extension String {
    package var isPrintableASCII: Bool { utf8.allSatisfy { $0 >= 0x20 && $0 < 0x7F } }

    /// Whether the text contains only visible ASCII characters (VCHAR, RFC 5234 appendix B.1), without spaces.
    package var isVisibleASCII: Bool { utf8.allSatisfy { (0x21...0x7E).contains($0) } }
}
