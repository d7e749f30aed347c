import AuthCore
import Testing

@testable import authctl

/// Fits text to a terminal's width.
@Suite struct `A screen` {
    private func shown(_ rows: [[Cell]], _ columns: Int?, keeping kept: Int = 2) -> [String] {
        Table.lines(rows, on: Screen(columns: columns), keeping: kept).map { $0.map(\.text).joined() }
    }

    @Test func `cells go from the end of a line, and what stays is cut`() {
        let row: [Cell] = ["github.com", "needs-sign-in", "expired 3 h ago"]
        #expect(shown([row], nil) == ["github.com  needs-sign-in  expired 3 h ago"])
        #expect(shown([row], 42) == ["github.com  needs-sign-in  expired 3 h ago"])
        #expect(shown([row], 41) == ["github.com  needs-sign-in"])
        #expect(shown([row], 20) == ["github.com  needs-s…"])
        #expect(shown([row], 5, keeping: 1) == ["gith…"])
    }

    @Test func `columns stand below each other, and the last cell of a row makes none wider`() {
        let rows: [[Cell]] = [["a", "fresh", "x"], ["bcd", "linked, without a session on this machine"]]
        #expect(shown(rows, nil) == ["a    fresh  x", "bcd  linked, without a session on this machine"])
    }

    @Test func `wide characters take two columns, and marks upon letters none`() {
        #expect(TextWidth.of("日本") == 4)
        #expect(TextWidth.of("e\u{301}") == 1)
        #expect(TextWidth.of("🙂") == 2)
        #expect(shown([["日本語のとても長い名前"]], 9) == ["日本語の…"])
        #expect(shown([["日", "x"], ["ab", "y"]], nil) == ["日  x", "ab  y"])
    }

    @Test(arguments: 1...60)
    func `nothing is wider than the screen`(columns: Int) {
        let rows: [[Cell]] = [
            ["* ada@example.com", "d24a50290bcafc0a20e3108f1183", "google.com"], ["  日本語\u{1B}[31m", "uid"], ["", "🙂"],
            [],
        ]
        for line in shown(rows, columns, keeping: 1) where columns > 2 {
            #expect(TextWidth.of(line) <= columns, "\(line)")
        }
    }

    @Test func `an escape of somebody else's is counted as it is shown`() {
        #expect(shown([["\u{1B}[31mred", "x"]], nil) == ["\\u{1b}[31mred  x"])
    }
}

/// `--field`.
@Suite struct `The path of a field` {
    private static let json: JSONValue = [
        "account": ["email": "a@example.com", "name": .null], "accounts": [["uid": "1"], ["uid": "2"]],
    ]

    private func value(_ path: String) throws(FieldMissing) -> JSONValue {
        try FieldPath(text: path, whole: "authctl whoami --json").value(in: Self.json)
    }

    @Test func `it leads through names and numbers`() throws {
        #expect(try value("account.email") == "a@example.com")
        #expect(try value("account.name") == .null)
        #expect(try value("accounts.1.uid") == "2")
        #expect(try value("accounts.0") == ["uid": "1"])
    }

    @Test(arguments: ["", "x", "account.", ".account", "accounts.2", "accounts.-1", "account.email.x", "accounts.uid"])
    func `a path that leads nowhere is an error`(path: String) {
        #expect(throws: FieldMissing.self) { try value(path) }
    }

    @Test func `the error says what there is, and how to see all of it`() throws {
        let error = try #require(throws: FieldMissing.self) { try value("account.mail") }
        let failure = Failure(error, while: ErrorContext("no account to show", again: "authctl signin"))
        #expect(failure.message == "--field: 'mail' not found in 'account'; known: email, name")
        #expect(failure.exitCode == 64 && failure.hint?.text == "authctl whoami --json")
    }
}
