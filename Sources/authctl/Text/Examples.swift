/// Command lines to learn from, each after what it does, for a POSIX shell, or for bash if it requires that: help and the
/// manual show them, and a test tries whether they are understood.
typealias Examples = KeyValuePairs<String, String>

/// A command with examples.
protocol HasExamples { static var examples: Examples { get } }
