/// A hint for the user: prose, and commands to paste.
///
/// Commands are interpolated with `run:` at the end of a clause, so that readers see their end. Interpolated values are
/// quoted as one shell word, because users also paste parts of sentences.
///
/// `let hint: Hint = "look up that account: \(run: "authctl accounts lookup \(email)")"`
/// See docs/decisions/036.
struct Hint: Sendable, Equatable, ExpressibleByStringInterpolation {
    enum Part: Sendable, Equatable {
        case prose(String)
        case command(ShellCommand)
    }

    private(set) var parts: [Part]

    var text: String {
        parts.map { part in
            switch part {
            case .prose(let text): text
            case .command(let command): command.text
            }
        }.joined()
    }

    init(stringLiteral value: String) { parts = [.prose(value)] }
    /// Text that is not quoted. It must not contain external values.
    init(prose text: String) { parts = [.prose(text)] }
    init(stringInterpolation: StringInterpolation) { parts = stringInterpolation.parts }
    private init(parts: [Part]) { self.parts = parts }

    static func run(_ command: ShellCommand) -> Hint { Hint(parts: [.command(command)]) }

    /// Several commands. Each one runs only if the previous one succeeded.
    static func run(_ commands: [ShellCommand]) -> Hint {
        Hint(parts: Array(commands.map { [Part.command($0)] }.joined(separator: [.prose(" && ")])))
    }

    struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var parts: [Part] = []

        init(literalCapacity: Int, interpolationCount: Int) {}

        private mutating func appendText(_ more: (inout String) -> Void) {
            var text = ""
            if case .prose(let previous)? = parts.last {
                text = previous
                parts.removeLast()
            }
            more(&text)
            if !text.isEmpty { parts.append(.prose(text)) }
        }

        mutating func appendLiteral(_ literal: String) { appendText { $0 += literal } }

        mutating func appendInterpolation(_ value: String) { appendText { Shell.append(value, to: &$0) } }

        mutating func appendInterpolation(_ number: some BinaryInteger) { appendText { $0 += String(number) } }

        mutating func appendInterpolation(run command: ShellCommand) { parts.append(.command(command)) }

        mutating func appendInterpolation(_ hint: Hint) {
            for part in hint.parts {
                switch part {
                case .prose(let text): appendText { $0 += text }
                case .command: parts.append(part)
                }
            }
        }

        mutating func appendInterpolation(list values: [String]) {
            appendText { $0 += values.map(Shell.word).joined(separator: ", ") }
        }
    }

    func mapping(_ change: (ShellCommand) -> ShellCommand) -> Hint {
        Hint(
            parts: parts.map { part in
                switch part {
                case .prose: part
                case .command(let command): .command(change(command))
                }
            })
    }

    func repeating(_ given: RepeatedOptions) -> Hint { mapping { $0.repeating(given) } }

    static func signIn(_ provider: String?) -> Hint { .run(.signIn(provider)) }
}
