import Testing

struct ConformanceTests {
    @Test func `Each requirement in docs/conformance.md names a test that exists, or a reason`() throws {
        let sources = try Repository.files("Tests").merging(Repository.files("Tests", suffix: ".sh")) { a, _ in a }
        let rows = try Repository.text("docs/conformance.md").split(separator: "\n").filter {
            $0.hasPrefix("| ") && !$0.hasPrefix("| ---") && !$0.hasSuffix("| shown by |")
        }
        #expect(rows.count >= 100)
        for row in rows {
            let named = row.matches(of: /`([\w-]+\.(?:swift|sh))`(?:: `([^`]+)`)?/)
            #expect(!named.isEmpty || row.contains(/\| (not met|does not apply): [^|]+ \|$/), "\(row)")
            for match in named {
                let (file, name) = (match.1, match.2)
                let lines = sources.filter { $0.key.hasSuffix("/\(file)") }.values.flatMap { $0.split(separator: "\n") }
                // A file that is one story has no sentence.
                let exists = lines.contains { line in
                    name.map { line == "#: \($0)" || line.contains("func `\($0)`(") || line.contains("@Test(\"\($0)\"") }
                        ?? !lines.contains { $0.hasPrefix("#: ") }
                }
                #expect(exists, "\(file) has no test '\(name ?? "")'")
            }
        }
    }
}
