// Times in JSON are numbers or, at some servers, texts of digits.
extension Seconds {
    static func span(of value: JSONValue) -> Int64? { seconds(value, longest: longest) }

    package static func time(of value: JSONValue?) -> Int64? { seconds(value, longest: latest) }

    private static func seconds(_ value: JSONValue?, longest: Int64) -> Int64? {
        let seconds: Double? =
            switch value {
            case .number(let number): number.double
            case .string(let text): number(text)
            default: nil
            }
        guard let seconds, !seconds.isNaN else { return nil }
        return Int64(min(max(seconds, 0), Double(longest)))
    }

    private static func number(_ text: String) -> Double? {
        let digits = text.hasPrefix("-") ? text.dropFirst() : text[...]
        guard digits.utf8.count <= 400, digits.hasOnlyDigits else { return nil }
        return Double(text)
    }
}
