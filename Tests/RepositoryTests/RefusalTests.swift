import Testing

/// Decision 052 lists every refusal. The code is the other end of its tables.
@Suite struct `The table of refusals` {
    private typealias Row = (name: String, rule: Substring, setting: Substring)

    /// The rows of each table, by the error type in the line before the table.
    private static func tables() throws -> [String: [Row]] {
        var tables: [String: [Row]] = [:]
        var type = ""
        for line in try Repository.text("docs/decisions/052-every-refusal-has-a-reason.md").split(separator: "\n") {
            if let heading = line.firstMatch(of: /^\*\*.*`(\w+)`/) { type = String(heading.1) }
            guard let name = line.firstMatch(of: /^\| `(\w+)` \|/) else { continue }
            let cells = line.split(separator: "|", omittingEmptySubsequences: false).dropFirst().map {
                $0.drop { $0 == " " }
            }
            try #require(cells.count == 5, "\(line)")
            tables[type, default: []].append((String(name.1), cells[2], cells[3]))
        }
        return tables
    }

    /// The cases of an error type, read from its source. Nested types are indented further.
    private static func cases(of type: String, in sources: [String]) -> [String] {
        let bodies = sources.compactMap { source in
            source.firstRange(of: "enum \(type):").map { source[$0.upperBound...] }
        }
        guard let body = bodies.first, let end = body.firstRange(of: "\n}") else { return [] }
        return body[..<end.lowerBound].split(separator: "\n").filter { $0.hasPrefix("    case ") }.flatMap { line in
            line.dropFirst(9).replacing(/\([^()]*(\([^()]*\))?[^()]*\)/, with: "").split(separator: ", ").map(
                String.init)
        }
    }

    @Test func `Each case of the errors has a row, and each row has a case`() throws {
        let sources = Array(try Repository.files("Sources/AuthCore").values)
        let tables = try Self.tables()
        #expect(Set(tables.keys).isSuperset(of: ["IDTokenRejection", "ResponseFault", "OAuthError", "DiscoveryError"]))
        for (type, rows) in tables {
            let cases = Self.cases(of: type, in: sources)
            #expect(cases.count > 2 && rows.map(\.name).sorted() == cases.sorted(), "\(type)")
        }
    }

    @Test func `A refusal that the standard does not require has a setting or a reason`() throws {
        for row in try Self.tables().values.joined() {
            let isOurs = row.rule.contains("ours")
            #expect(isOurs || row.rule.contains("MUST") || row.name == "invalidResponse", "\(row.name): \(row.rule)")
            #expect(!isOurs || row.setting.count > 10, "\(row.name) has neither a setting nor a reason")
        }
    }

    @Test func `The settings in the table exist`() throws {
        let settings = try Repository.text("Sources/AuthCore/Providers/ProviderSettings.swift")
        for row in try Self.tables().values.joined() {
            for setting in row.setting.matches(of: /`([a-z]+_[a-z_]+)`/) {
                #expect(settings.contains("\"\(setting.1)\""), "\(row.name): \(setting.1)")
            }
        }
    }
}
