/// Why a text is no YAML that can be used, or cannot be changed.
package struct YAMLProblem: Sendable, Equatable {
    /// Nil where no place is known.
    package var position: Position?
    package var reason: Reason

    /// From 1, in characters.
    package struct Position: Sendable, Equatable { public var line: Int, column: Int }

    package enum Reason: Sendable, Equatable {
        /// libyaml's own words, with the place where what it is about began.
        case parser(String, Context?)
        /// libyaml found it to be none, and had no words for it.
        case noYAML
        case noMemory
        /// libyaml gave something that it should not.
        case stopped
        case secondDocument
        case undefinedAlias
        case repeatedKey(ServerText)
        case keyIsNoText
        case noValue
        case tooDeep(levels: Int)
        /// What the limits are of, its aliases written out.
        case tooManyValues(Int)
        case tooManyBytes(Int)
        /// A change of a document that is no mapping.
        case noMapping
        /// What stands there has no text of its own that could change.
        case fixed
        case tooManyChanges(Int)
    }

    package struct Context: Sendable, Equatable {
        package var words: String
        package var start: Position
    }
}

// Thrown inside this room; ConfigFileError carries it out.
extension YAMLProblem: Error {}
