import Testing

/// Errors and their words.
@Suite struct `Errors` {
    /// The errors that a folder's files declare, by their own names.
    private func declared(_ folder: String, _ pattern: Regex<(Substring, Substring)>) throws -> Set<String> {
        var found: Set<String> = []
        for source in try Repository.files(folder).values {
            for line in source.split(separator: "\n") {
                if let match = line.firstMatch(of: pattern) { found.insert(String(match.1)) }
            }
        }
        return found
    }

    /// The types that have a text in Failures; of a nested type, only its own name.
    private func worded() throws -> Set<String> {
        try declared(
            "Sources/authctl/Failures",
            /^(?:extension (?:\w+\.)*|struct )(\w+): (?:UserFacingError|WrappingError)\b/)
    }

    @Test func `each error of the core has a message in Failures`() throws {
        let errors = try declared(
            "Sources/AuthCore",
            /^\s*(?:public|package) (?:final )?(?:enum|struct|class) (\w+)\b[^{]*:[^{]*\b(?:Error|CodedError|UnusableClientCredential)\b/
        )
        #expect(errors.isSuperset(of: ["OAuthError", "StoreError", "Refusal", "HTTPFieldProblem", "InsecureFile"]))
        // The public API's error, which is made from the other errors, and an internal error.
        #expect(errors.subtracting(try worded()) == ["AuthError", "Failure"])
    }

    @Test func `each error of the command line has a message in Failures`() throws {
        // Nothing is left to be said, or the command says it.
        let silent: Set = ["ExitStatus", "ParseError"]
        let errors = try declared(
            "Sources/authctl", /^\s*(?:enum|struct) (\w+)\b[^{]*:[^{]*\b(?:User\w+|Wrapping)?Error\b/)
        #expect(errors.isSuperset(of: silent.union(["CommandError", "NotStarted"])))
        #expect(errors.subtracting(try worded()) == silent)
    }
}
