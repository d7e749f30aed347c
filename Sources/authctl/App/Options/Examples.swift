/// Descriptions with example command lines, for a POSIX shell or, if necessary, bash. Help and the manual show them,
/// and a test parses them.
typealias Examples = KeyValuePairs<String, String>

protocol HasExamples { static var examples: Examples { get } }
