import Testing

@Suite struct `Error messages` {
    /// The error types that the files of a folder declare.
    private func declared(_ folder: String, _ pattern: Regex<(Substring, Substring)>) throws -> Set<String> {
        var found: Set<String> = []
        for source in try Repository.files(folder).values {
            for line in source.split(separator: "\n") {
                if let match = line.firstMatch(of: pattern) { found.insert(String(match.1)) }
            }
        }
        return found
    }

    /// The types with a message, without the names of enclosing types.
    private func typesWithMessage(in folder: String = "Sources/authctl") throws -> Set<String> {
        try declared(
            folder,
            /^(?:extension (?:\w+\.)*|struct |enum )(\w+): (?:UserFacingError|WrappingError)\b/)
    }

    @Test func `Each error of AuthCore has a message`() throws {
        let errors = try declared(
            "Sources/AuthCore",
            /^\s*(?:public|package) (?:final )?(?:enum|struct|class) (\w+)\b[^{]*:[^{]*\b(?:Error|CodedError|UnusableClient)\b/
        )
        #expect(errors.isSuperset(of: ["OAuthError", "StoreError", "Refusal", "HTTPFieldProblem", "InsecureFile"]))
        // The public API's error, which is created from the other errors, and two internal errors.
        let messages = try typesWithMessage(in: "Sources/authctl/Messages")
        #expect(errors.subtracting(messages) == ["AuthError", "ConnectionEnded", "Failure"])
    }

    @Test func `Each error of authctl has a message`() throws {
        // These types have no message, or the command prints it.
        let withoutMessage: Set = ["ExitStatus", "ProxyRefusal"]
        let errors = try declared(
            "Sources/authctl", /^\s*(?:enum|struct) (\w+)\b[^{]*:[^{]*\b(?:User\w+|Wrapping)?Error\b/)
        #expect(errors.isSuperset(of: withoutMessage.union(["CommandError", "NotStarted"])))
        #expect(errors.subtracting(try typesWithMessage()) == withoutMessage)
    }
}
