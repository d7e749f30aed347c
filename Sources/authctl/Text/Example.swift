/// A command line to learn from: help and the manual show it, and a test tries whether it is understood.
struct Example: Sendable {
    let purpose: String
    /// For a POSIX shell, or for bash if it requires that.
    let command: String

    init(_ purpose: String, _ command: String) {
        self.purpose = purpose
        self.command = command
    }
}

/// A command with examples.
protocol HasExamples {
    static var examples: [Example] { get }
}

extension HasExamples {
    static var examples: [Example] { [] }
}
