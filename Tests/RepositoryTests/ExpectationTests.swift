import Testing

/// A test of a refusal expects the case of the error and its data. If it accepted any error, it would also pass if
/// another rule refused its input.
@Suite struct `Expected errors` {
    /// Errors without cases and data. `Never` expects that there is no error.
    private static let plain: Set<Substring> = [
        "Never", "CancellationError", "ConnectionEnded", "UnexpectedJSON", "Stop", "Full",
    ]

    /// Tests that accept several errors, and why.
    private static let exceptions = [
        "Tests/AuthCoreTests/JOSE/JWSFuzzTests.swift": "a random byte can violate each rule of a JWS"
    ]

    /// The lines of expectations that accept any error, or any of a type. An error that is assigned or nested in an
    /// expectation is compared there.
    private static func accepting(_ source: String) -> [Int] {
        let lines = source.split(separator: "\n", omittingEmptySubsequences: false)
        return lines.indices.filter { index in
            let line = lines[index]
            if line.contains("#expect("), line.contains(/\ is [A-Z]\w*(\)| ==| !=| &&)/) { return true }
            if line.hasSuffix("!= nil)"), line.contains(/\b(failure|refusal|refused)\b/) { return true }
            guard line.contains(".self"), let match = line.firstMatch(of: /^(.*)throws: ([^:]+)\.self/) else {
                return false
            }
            // The parameter can be on a line of its own.
            let start = match.1.allSatisfy(\.isWhitespace) && index > 0 ? lines[index - 1] : match.1
            let isExpectation = start.hasSuffix("#expect(") || start.hasSuffix("#require(")
            let isCompared = start.contains("= ") || start.contains("#expect(#expect(")
            return isExpectation && !isCompared && !plain.contains(match.2)
        }.map { $0 + 1 }
    }

    @Test func `A test of a refusal does not accept any error`() throws {
        var excepted = Set(Self.exceptions.keys)
        for (path, source) in try Repository.files("Tests") where !path.hasSuffix("/ExpectationTests.swift") {
            let lines = Self.accepting(source)
            if Self.exceptions[path] != nil, !lines.isEmpty {
                excepted.remove(path)
            } else {
                #expect(lines.isEmpty, "\(path):\(lines): expect the case, or compare the error")
            }
        }
        #expect(excepted.isEmpty, "no longer needed: \(excepted.sorted())")
    }

    @Test(arguments: [
        ("#expect(throws: AError.self) { f() }", true), ("await #expect(\n    throws: (any Error).self) { f() }", true),
        ("_ = 1\n#expect(throws: Error.self, \"text\") { f() }", true), ("#expect(throws: AError.a) { f() }", false),
        ("let error = #expect(throws: AError.self) { f() }", false), ("#expect(throws: Never.self) { f() }", false),
        ("#expect(#expect(throws: AError.self) { f() }?.code == 1)", false), ("#expect(error is AError)", true),
        ("#expect(error as? AError == .a)", false), ("#expect(try failure(a) != nil)", true),
        ("#expect(failure(a) == nil)", false),
    ])
    func `An expectation that accepts any error is found`(line: String, isFound: Bool) {
        #expect(Self.accepting(line).isEmpty != isFound)
    }
}
