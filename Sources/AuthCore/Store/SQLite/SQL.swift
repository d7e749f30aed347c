/// A statement with its arguments. Interpolated values become arguments, never part of the text.
struct SQL: ExpressibleByStringInterpolation, Sendable {
    private(set) var text: String
    private(set) var arguments: [SQLiteValue] = []

    init(text: String) { self.text = text }

    init(stringLiteral text: String) { self.init(text: text) }

    init(stringInterpolation: Interpolation) { self = stringInterpolation.sql }

    struct Interpolation: StringInterpolationProtocol {
        fileprivate var sql = SQL(text: "")

        init(literalCapacity: Int, interpolationCount: Int) {}

        mutating func appendLiteral(_ literal: String) { sql.text += literal }

        mutating func appendInterpolation(_ argument: (some SQLiteConvertible)?) {
            sql.text += "?"
            sql.arguments.append(argument.sqliteValue)
        }

        mutating func appendInterpolation(_ part: SQL) {
            sql.text += part.text
            sql.arguments += part.arguments
        }
    }
}
