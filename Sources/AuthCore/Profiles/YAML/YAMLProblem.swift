/// Why a text is not usable YAML, or cannot be changed.
package struct YAMLProblem: Sendable, Equatable {
    package var position: Position?
    package var reason: Reason

    /// A position in characters, from 1.
    package struct Position: Sendable, Equatable { public var line: Int, column: Int }

    package enum Reason: Sendable, Equatable {
        case parser(String, Context?)
        case notYAML, noMemory, stopped, secondDocument, undefinedAlias
        case repeatedKey(ServerText)
        case keyIsNotText, mergeKey, noValue
        case tooDeep(levels: Int)
        case tooManyValues(Int)
        case tooManyBytes(Int)
        case notAMapping
        case unchangeable
        case tooManyChanges(Int)
    }

    package struct Context: Sendable, Equatable {
        package var message: String
        package var start: Position
    }
}

extension YAMLProblem: Error {}
