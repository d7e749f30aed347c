extension Array where Element == UInt8 {
    /// Two digits of either case for each byte; nil for any other text.
    init?(hexadecimal text: some StringProtocol) {
        self = []
        reserveCapacity(text.utf8.count / 2)
        var digits = text.utf8.makeIterator()
        while let high = digits.next() {
            guard let high = high.hexadecimalDigit, let low = digits.next()?.hexadecimalDigit else { return nil }
            append(high << 4 | low)
        }
    }

    /// Lower-case hexadecimal, two characters a byte.
    package var hexadecimal: String {
        let digits = Array<UInt8>("0123456789abcdef".utf8)
        var text: [UInt8] = []
        text.reserveCapacity(count * 2)
        for byte in self {
            text.append(digits[Int(byte >> 4)])
            text.append(digits[Int(byte & 15)])
        }
        return String(decoding: text, as: UTF8.self)
    }
}

extension UInt8 {
    var hexadecimalDigit: UInt8? {
        switch self {
        case 0x30...0x39: self - 0x30
        case 0x41...0x46: self - 0x41 + 10
        case 0x61...0x66: self - 0x61 + 10
        default: nil
        }
    }
}
