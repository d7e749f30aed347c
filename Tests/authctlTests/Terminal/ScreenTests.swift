import AuthCore
import Testing

@testable import authctl

@Suite struct `Table layout` {
    private func shown(_ rows: [[Cell]], _ columns: Int?, keeping kept: Int = 2) -> [String] {
        Table.lines(rows, on: Screen(columns: columns), keeping: kept).map { $0.map(\.text).joined() }
    }

    @Test func `cells are dropped from the end of a line, and the remaining cells are truncated`() {
        let row: [Cell] = ["github.com", "needs-sign-in", "expired 3 h ago"]
        #expect(shown([row], nil) == ["github.com  needs-sign-in  expired 3 h ago"])
        #expect(shown([row], 42) == ["github.com  needs-sign-in  expired 3 h ago"])
        #expect(shown([row], 41) == ["github.com  needs-sign-in"])
        #expect(shown([row], 20) == ["github.com  needs-s…"])
        #expect(shown([row], 5, keeping: 1) == ["gith…"])
    }

    @Test func `columns are aligned, and the last cell of a row does not widen its column`() {
        let rows: [[Cell]] = [["a", "fresh", "x"], ["bcd", "linked, without a session on this machine"]]
        #expect(shown(rows, nil) == ["a    fresh  x", "bcd  linked, without a session on this machine"])
    }

    @Test func `wide characters use two columns, and combining marks use none`() {
        #expect(TextWidth.of("日本") == 4)
        #expect(TextWidth.of("e\u{301}") == 1)
        #expect(TextWidth.of("🙂") == 2)
        #expect(shown([["日本語のとても長い名前"]], 9) == ["日本語の…"])
        #expect(shown([["日", "x"], ["ab", "y"]], nil) == ["日  x", "ab  y"])
    }

    @Test(arguments: 1...60)
    func `no line is wider than the screen`(columns: Int) {
        let rows: [[Cell]] = [
            ["* ada@example.com", "d24a50290bcafc0a20e3108f1183", "google.com"], ["  日本語\u{1B}[31m", "uid"], ["", "🙂"],
            [],
        ]
        for line in shown(rows, columns, keeping: 1) where columns > 2 {
            #expect(TextWidth.of(line) <= columns, "\(line)")
        }
    }

    @Test func `A long cell is shortened, so that the last columns of other rows remain`() {
        let rows: [[Cell]] = [
            ["ada@example.com", "uid-1", "oidc.p"], [Cell(String(repeating: "m", count: 70)), "uid-2", "x"],
        ]
        #expect(
            shown(rows, 50, keeping: 1).map {
                $0.hasPrefix("ada@example.com") ? $0.hasSuffix("  uid-1  oidc.p") : $0.hasSuffix("m…  uid-2  x")
            } == [true, true])
        #expect(shown(rows, 200, keeping: 1)[1].contains(String(repeating: "m", count: 70)))
    }

    @Test func `a joiner is printed within a word or an emoji, and escaped elsewhere`() {
        for text in ["می\u{200C}رضا", "फ़र्\u{200D}क", "👩\u{200D}👧"] { #expect(Output.escaped(text) == text) }
        #expect(Output.escaped("ada\u{200D}") == "ada\\u{200d}" && Output.escaped("\u{200C}म") == "\\u{200c}म")
        #expect(Output.escaped("म\u{200C}\u{200C}") == "म\u{200C}\\u{200c}")
    }

    @Test func `an escape sequence in a cell is shown and measured in its escaped form`() {
        #expect(shown([["\u{1B}[31mred", "x"]], nil) == ["\\u{1b}[31mred  x"])
    }
}

/// `--field`.
@Suite struct `Field paths` {
    private static let json: JSONValue = [
        "account": ["email": "a@example.com", "name": .null], "accounts": [["uid": "1"], ["uid": "2"]],
    ]

    private func value(_ path: String) throws(FieldMissing) -> JSONValue {
        try FieldPath(text: path, whole: "authctl whoami --json").value(in: Self.json)
    }

    @Test func `a field path follows member names and array indexes`() throws {
        #expect(try value("account.email") == "a@example.com")
        #expect(try value("account.name") == .null)
        #expect(try value("accounts.1.uid") == "2")
        #expect(try value("accounts.0") == ["uid": "1"])
    }

    @Test(arguments: [
        ("", "", ""), ("x", "", "x"), ("account.", "account", ""), (".account", "", ""),
        ("accounts.2", "accounts", "2"),
        ("accounts.-1", "accounts", "-1"), ("account.email.x", "account.email", "x"),
        ("accounts.uid", "accounts", "uid"),
    ])
    func `a field path that does not exist is an error`(path: String, place: String, part: String) throws {
        let error = try #require(throws: FieldMissing.self) { try value(path) }
        #expect(error.place == place && error.part == part)
    }

    @Test func `the error for a missing field lists the known fields and a command that prints all of them`() throws {
        let error = try #require(throws: FieldMissing.self) { try value("account.mail") }
        let failure = Failure(error, while: ErrorContext("no account to show"))
        #expect(failure.message == "--field: 'mail' not found in 'account'; known: email, name")
        let index = try #require(throws: FieldMissing.self) { try value("accounts.*.uid") }
        #expect(
            Failure(index, while: ErrorContext()).message
                == "--field: '*' not found in 'accounts'; known: the indexes 0 to 1")
        #expect(failure.exitCode == 64)
    }
}
