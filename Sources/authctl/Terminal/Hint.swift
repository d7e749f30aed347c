import AuthCore

/// What to do next: a command to paste, or a sentence.
///
/// A value enters it only by interpolation, and then as one word of a POSIX shell, whatever is in it: an address that a
/// provider chose cannot become a command, nor a flag.
///
///     let hint: Hint = "authctl accounts lookup \(email)"
struct Hint: Sendable, Equatable, ExpressibleByStringInterpolation {
    let text: String

    init(stringLiteral value: String) { text = value }
    /// Words of this program's own, without a value in them.
    init(ours words: String) { text = words }
    init(stringInterpolation: StringInterpolation) { text = stringInterpolation.text }

    struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var text = ""

        init(literalCapacity: Int, interpolationCount: Int) {}

        mutating func appendLiteral(_ literal: String) { text += literal }

        /// A value, as one word.
        mutating func appendInterpolation(_ value: String) {
            // Behind an option a dash belongs to the value only when they are joined; elsewhere options end first.
            if value.hasPrefix("-"), text.hasSuffix(" ") {
                let option = text.dropLast().split(separator: " ").last ?? ""
                if option.hasPrefix("--") { text = text.dropLast() + "=" } else { text += "-- " }
            }
            text += Shell.word(value)
        }

        mutating func appendInterpolation(_ number: some BinaryInteger) { text += String(number) }

        /// A hint, as it is.
        mutating func appendInterpolation(_ hint: Hint) { text += hint.text }

        /// Several values, each a word: names to choose from.
        mutating func appendInterpolation(list values: [String]) {
            text += values.map(Shell.word).joined(separator: ", ")
        }
    }
}

extension Hint {
    /// How somebody signs in, with this provider where one is named.
    static func signIn(_ provider: String?) -> Hint {
        provider.map { "authctl signin --provider \($0)" } ?? "authctl signin"
    }
}
