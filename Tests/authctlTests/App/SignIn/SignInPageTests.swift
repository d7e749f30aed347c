import AuthCoreTesting
import Testing

@testable import AuthCore
@testable import authctl

/// The sign-in page on screens of all sizes.
@Suite struct `Sign-in page` {
    /// A URL of the length of Google's authorization URLs.
    private static let url =
        "https://accounts.google.com/o/oauth2/v2/auth?" + String(repeating: "scope=openid%20profile&", count: 18)
        + "code_challenge_method=S256"
    private static let redirectURI = "http://127.0.0.1:41234/callback/google.com"

    private static func page(url: Bool = true, code: Bool = true, keys: [SignInPage.Key] = [.copy]) -> SignInPage {
        var page = SignInPage(providerID: "google.com", clientID: "1234567890.apps.example.com", seconds: 300)
        if url {
            page.url = AuthorizationPage(
                url: Self.url, redirectURI: redirectURI, acceptsPaste: true, offersDevice: !code)
        }
        if code {
            page.code = try? DeviceAuthorization(
                [
                    "device_code": "d", "user_code": "WDJB-MJHT", "verification_uri": "https://id.example.com/device",
                    "verification_uri_complete": "https://id.example.com/device?user_code=WDJB-MJHT",
                ], nameOfURL: "verification_uri")
        }
        page.keys = keys
        return page
    }

    private static func terminal(_ columns: Int, _ rows: Int, _ term: String = "xterm-256color") -> Screen {
        var screen = Screen(terminal: ["TERM": term, "LC_ALL": "C.UTF-8"])
        (screen.columns, screen.rows) = (columns, rows)
        return screen
    }

    private static func text(_ lines: [[Cell]]) -> [String] { lines.map { $0.map(\.text).joined() } }

    private static func qr(_ text: String) -> [String]? {
        Array(repeating: String(repeating: "█", count: 37), count: 19)
    }

    /// The lines that remain visible. Two rows of the screen are for lines that are printed later.
    private static func visible(_ lines: [[Cell]], on screen: Screen) -> [String] {
        var left = (screen.rows ?? .max) - 2
        var shown: [String] = []
        for line in lines.reversed() {
            left -= Paragraph.rows([line], on: screen)
            guard left >= 0 else { break }
            shown.insert(line.map(\.text).joined(), at: 0)
        }
        return shown
    }

    @Test(arguments: [(40, 24), (80, 24), (200, 50), (60, 30), (100, 15)])
    func `the device code with its page, or the only URL, is visible on every screen size`(columns: Int, rows: Int) {
        let screen = Self.terminal(columns, rows)
        for page in [Self.page(), Self.page(url: false)] {
            let visible = Self.visible(page.lines(on: screen, counts: true, qr: Self.qr), on: screen)
            #expect(visible.contains { $0.contains("visit  https://id.example.com/device") }, "\(visible)")
            #expect(visible.contains { $0.hasSuffix("enter  WDJB-MJHT") }, "\(visible)")
            #expect(visible.contains { $0.contains("Never enter a code that") }, "\(visible)")
        }
        let visible = Self.visible(Self.page(code: false).lines(on: screen, counts: true), on: screen)
        #expect(visible.contains { $0.hasSuffix(Self.url) }, "\(visible)")
        #expect(visible.contains { $0.hasPrefix("To sign in to") }, "\(visible)")
    }

    @Test(arguments: [(40, 24), (80, 24), (40, 10)])
    func `every line except the long URL fits the screen, and the code is not repeated`(columns: Int, rows: Int) {
        let screen = Self.terminal(columns, rows)
        let lines = Self.text(Self.page().lines(on: screen, counts: true, qr: Self.qr))
        #expect(lines.filter { $0.contains("WDJB-MJHT") }.count <= 2)
        for line in lines where line != Self.url { #expect(TextWidth.of(line) <= columns, "\(line)") }
        #expect(lines.contains(Self.url), "a URL that does not fit starts in column 1, to be copied whole")
    }

    @Test func `a QR code is drawn only if the screen has enough rows and columns`() {
        func isDrawn(_ columns: Int, _ rows: Int) -> Bool {
            let lines = Self.page(url: false).lines(on: Self.terminal(columns, rows), counts: true, qr: Self.qr)
            return lines.contains { $0.contains { $0.tone == .printed } }
        }
        #expect(isDrawn(80, 40) && isDrawn(200, 50))
        #expect(!isDrawn(80, 24) && !isDrawn(40, 24) && !isDrawn(36, 60))
        // Files and pipes get no QR code.
        #expect(Self.page().lines(on: Screen(), counts: false).allSatisfy { $0.allSatisfy { $0.tone != .printed } })
    }

    @Test func `without a terminal, lines are not broken and the time limit is written in words`() {
        let lines = Self.text(Self.page(url: false, keys: []).lines(on: Screen(), counts: false))
        #expect(
            lines == [
                "To sign in to 'google.com' as the client '1234567890.apps.example.com', on any device within 5 min:",
                "",
                "Never enter a code that someone sent you: they would be signed in as you.", "",
                "  visit  https://id.example.com/device", "  enter  WDJB-MJHT",
                "  or visit  https://id.example.com/device?user_code=WDJB-MJHT", "",
            ])
        let page = Self.text(Self.page(code: false, keys: []).lines(on: Screen(), counts: false))
        #expect(page.contains("To sign in to 'google.com', visit this URL (waiting 300 s):"))
        #expect(page.first { $0.contains("http") } == "  " + Self.url, "the first URL is the one to visit")
        #expect(page.contains("To use a code on another device, type d, then Enter."))
    }

    @Test func `the URL and the code are both indented, or neither on a narrow screen`() {
        let narrow = Self.text(Self.page(url: false).lines(on: Self.terminal(36, 60), counts: true))
        #expect(narrow.contains("visit  https://id.example.com/device") && narrow.contains("enter  WDJB-MJHT"))
        let wide = Self.text(Self.page(url: false).lines(on: Self.terminal(80, 60), counts: true))
        #expect(wide.contains("  visit  https://id.example.com/device") && wide.contains("  enter  WDJB-MJHT"))
    }

    @Test func `keys are listed only on rewritable terminals, and match the shown URL and code`() {
        let screen = Self.terminal(100, 50)
        let both: [SignInPage.Key] = [.copy, .open]
        #expect(
            Self.text(Self.page(keys: both).lines(on: screen, counts: true)).contains(
                "Press c to copy the code, o to open the page."))
        #expect(
            Self.text(Self.page(code: false, keys: [.copy, .device]).lines(on: screen, counts: true)).contains(
                "Press c to copy the URL, d for a code to enter on another device."))
        let dumb = Self.text(Self.page(code: false).lines(on: Self.terminal(100, 50, "dumb"), counts: false))
        #expect(!dumb.contains { $0.contains("Press") })
        #expect(dumb.contains("To use a code on another device, type d, then Enter."))
    }
}

@Suite struct `Terminal capabilities` {
    private func screen(_ variables: [String: String]) -> Screen {
        Screen(terminal: Environment(["LC_ALL": "C.UTF-8"].merging(variables) { $1 }))
    }

    @Test(arguments: ["", "dumb"])
    func `a dumb or unnamed terminal has no capabilities`(term: String) {
        let screen = screen(["TERM": term, "VTE_VERSION": "7000", "WT_SESSION": "x"])
        #expect(!screen.isRewritable && !screen.hasColours && !screen.hasLinks && !screen.hasClipboard)
    }

    @Test func `only terminals known to support links and the clipboard get them`() {
        for variables in [
            ["TERM": "xterm-kitty"], ["TERM": "xterm-256color", "TERM_PROGRAM": "WezTerm"], ["TERM": "foot"],
        ] {
            #expect(screen(variables).hasLinks && screen(variables).hasClipboard, "\(variables)")
        }
        for variables in [["VTE_VERSION": "7006"], ["KONSOLE_VERSION": "230800"], ["TERM_PROGRAM": "vscode"]] {
            let screen = screen(["TERM": "xterm-256color"].merging(variables) { $1 })
            #expect(screen.hasLinks && !screen.hasClipboard, "\(variables)")
        }
        for variables in [["TERM": "xterm"], ["TERM": "linux"], ["TERM": "xterm", "VTE_VERSION": "4600"]] {
            #expect(!screen(variables).hasLinks && !screen(variables).hasClipboard, "\(variables)")
        }
    }

    @Test func `in tmux, the capabilities of tmux apply, not those of the outer terminal`() {
        let outer = ["TERM": "tmux-256color", "TMUX": "x", "VTE_VERSION": "7006", "WT_SESSION": "x"]
        #expect(!screen(outer).hasLinks && !screen(outer).hasClipboard)
        func tmux(_ version: String) -> Screen {
            screen(outer.merging(["TERM_PROGRAM": "tmux", "TERM_PROGRAM_VERSION": version]) { $1 })
        }
        #expect(!tmux("3.3a").hasLinks && tmux("3.4").hasLinks && tmux("4.0").hasLinks)
    }

    @Test func `NO_COLOR disables colours, LC_ALL=C non-ASCII output, and FORCE_HYPERLINK sets links`() {
        #expect(screen(["TERM": "xterm"]).hasColours && !screen(["TERM": "xterm", "NO_COLOR": "1"]).hasColours)
        #expect(screen(["TERM": "xterm", "LC_ALL": "C"]).ellipsis == "...")
        #expect(screen(["TERM": "xterm", "FORCE_HYPERLINK": "1"]).hasLinks)
        #expect(!screen(["TERM": "xterm-kitty", "FORCE_HYPERLINK": "0"]).hasLinks)
    }
}

/// Typed and pasted input during a sign-in.
@Suite struct `Typed lines` {
    private func lines(_ chunks: [(String, Bool)], keys: String? = "cod") -> [String] {
        var typed = TypedLines(keys: keys.map { Set($0.utf8) })
        return chunks.flatMap { typed.take(Array($0.utf8), isAlone: $1 && typed.isKey(Array($0.utf8))) }
            + [typed.rest].compactMap { $0 }
    }

    @Test func `a single typed key is a line, but the first character of pasted text is not`() {
        #expect(lines([("c", true), ("d", true)]) == ["c", "d"])
        #expect(lines([("c", false), ("ode=1&state=2\n", false)]) == ["code=1&state=2"])
        #expect(lines([("h", true), ("c", true), ("\n", true)]) == ["hc"])
        #expect(lines([("d\n", true)]) == ["d"])
        #expect(lines([("x", true)]) == ["x"])
    }

    @Test func `backspace and Ctrl-U edit the typed line as in a terminal`() {
        #expect(lines([("ab\u{7F}c\n", false)]) == ["ac"])
        #expect(lines([("aé\u{8}\n", false)]) == ["a"])
        #expect(lines([("abc\u{15}d\n", false)]) == ["d"])
    }

    @Test func `Ctrl-D at the start of a line ends the input, and input from a file is not edited`() {
        var typed = TypedLines(keys: [])
        #expect(typed.take([97, 4, 10, 4, 98], isAlone: false) == ["a"])
        #expect(typed.isEnded)
        #expect(lines([("a\u{7F}\u{4}\n", false), ("b", false)], keys: nil) == ["a\u{7F}\u{4}", "b"])
    }
}
