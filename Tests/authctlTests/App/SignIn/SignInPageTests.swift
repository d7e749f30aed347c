import AuthCoreTesting
import Testing

@testable import AuthCore
@testable import authctl

/// What a sign-in shows, on screens of all sizes.
@Suite struct `Sign-in page` {
    /// A URL of the length of Google's authorization URLs.
    private static let url =
        "https://accounts.google.com/o/oauth2/v2/auth?" + String(repeating: "scope=openid%20profile&", count: 18)
        + "code_challenge_method=S256"
    private static let redirectURI = "http://127.0.0.1:41234/callback/google.com"

    private static func page(_ content: SignInPage.Content, url: Bool = true, code: Bool = true) -> SignInPage {
        var page = SignInPage(provider: "google.com", clientID: "1234567890.apps.example.com", content: content)
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
        (page.readsKeys, page.hasBrowser) = (true, true)
        return page
    }

    private static func terminal(_ columns: Int, _ term: String = "xterm-256color") -> Screen {
        var screen = Screen(terminal: ["TERM": term, "LC_ALL": "C.UTF-8"])
        (screen.isTerminal, screen.columns, screen.rows) = (true, columns, 24)
        return screen
    }

    private static func text(_ page: SignInPage, _ columns: Int) -> [String] {
        let screen = terminal(columns)
        return page.lines(on: screen).map { $0.map(\.text).joined() } + page.waiting("4:58", on: screen)
    }

    @Test func `shows the code and where to enter it, and below 60 columns each at the start of a line`() {
        #expect(
            Self.text(Self.page(.code), 80) == [
                "Sign in to google.com on any device:", "", "  Open   https://id.example.com/device",
                "  Enter  WDJB-MJHT", "", "Enter this code only if you started this sign-in yourself.",
                "Waiting, 4:58 left. Enter: open the page here  u: use a URL  Ctrl-C: cancel",
            ])
        #expect(
            Self.text(Self.page(.code), 40) == [
                "Sign in to google.com on any device:", "", "Open", "https://id.example.com/device", "Enter",
                "WDJB-MJHT", "", "Enter this code only if you started this", "sign-in yourself.",
                "Waiting, 4:58 left.", "Enter open  u URL  Ctrl-C cancel",
            ])
    }

    @Test func `shows which host's page was opened, or the whole URL at the start of a line`() {
        #expect(
            Self.text(Self.page(.browser, code: false), 80) == [
                "Sign in to google.com in your browser. A page of accounts.google.com was opened.", "",
                "Waiting, 4:58 left. u: show the URL  d: use a code  Ctrl-C: cancel",
            ])
        #expect(
            Self.text(Self.page(.url), 80) == [
                "Sign in to google.com. Open this URL on any computer:", "", Self.url, "",
                "If the browser then shows an error for 127.0.0.1, copy the address of that page",
                "and paste it here.", "Waiting, 4:58 left. d: use a code  Ctrl-C: cancel",
            ])
        #expect(Self.text(Self.page(.url), 40).suffix(2) == ["Waiting, 4:58 left.", "d code  Ctrl-C cancel"])
    }

    @Test func `lists only keys that are possible, and the client ID only with --verbose`() {
        #expect(Self.text(Self.page(.code, url: false), 80).last?.contains("u:") == false)
        var page = Self.page(.url, code: false)
        page.url?.offersDevice = false
        #expect(Self.text(page, 80).last == "Waiting, 4:58 left. Ctrl-C: cancel")
        page = Self.page(.code, url: false)
        (page.hasBrowser, page.isVerbose) = (false, true)
        #expect(
            Self.text(page, 80).suffix(2) == [
                "Client ID: 1234567890.apps.example.com", "Waiting, 4:58 left. Ctrl-C: cancel",
            ])
        page.readsKeys = true
        let spoken = Self.page(.browser).waiting("4:58", on: Self.terminal(80, "dumb"))
        #expect(spoken == ["Waiting, 4:58 left. u+Enter: show the URL  d+Enter: use a code  Ctrl-C: cancel"])
    }

    @Test func `without a terminal, the time limit is written in words and the URL to visit comes first`() {
        #expect(
            Self.page(.code, url: false).plainLines(seconds: 300) == [
                "To sign in to 'google.com' as the client '1234567890.apps.example.com', on any device within 5 min:",
                "",
                "Never enter a code that someone sent you: they would be signed in as you.", "",
                "  visit  https://id.example.com/device", "  enter  WDJB-MJHT",
                "  or visit  https://id.example.com/device?user_code=WDJB-MJHT", "",
            ])
        let page = Self.page(.url, code: false).plainLines(seconds: 300)
        #expect(page.contains("To sign in to 'google.com', visit this URL (waiting 300 s):"))
        #expect(page.first { $0.contains("http") } == "  " + Self.url)
        #expect(page.contains("To use a code on another device, type d, then Enter."))
    }
}

@Suite struct `Terminal capabilities` {
    private func screen(_ variables: [String: String]) -> Screen {
        Screen(terminal: Environment(["LC_ALL": "C.UTF-8"].merging(variables) { $1 }))
    }

    @Test(arguments: ["", "dumb"])
    func `a dumb or unnamed terminal has no capabilities`(term: String) {
        let screen = screen(["TERM": term, "VTE_VERSION": "7000", "WT_SESSION": "x"])
        #expect(!screen.isRewritable && !screen.hasColours && !screen.hasLinks)
    }

    @Test func `only terminals known to support links get them`() {
        for variables in [
            ["TERM": "xterm-kitty"], ["TERM": "xterm-256color", "TERM_PROGRAM": "WezTerm"], ["TERM": "foot"],
        ] {
            #expect(screen(variables).hasLinks, "\(variables)")
        }
        for variables in [["VTE_VERSION": "7006"], ["KONSOLE_VERSION": "230800"], ["TERM_PROGRAM": "vscode"]] {
            let screen = screen(["TERM": "xterm-256color"].merging(variables) { $1 })
            #expect(screen.hasLinks, "\(variables)")
        }
        for variables in [["TERM": "xterm"], ["TERM": "linux"], ["TERM": "xterm", "VTE_VERSION": "4600"]] {
            #expect(!screen(variables).hasLinks, "\(variables)")
        }
    }

    @Test func `in tmux, the capabilities of tmux apply, not those of the outer terminal`() {
        let outer = ["TERM": "tmux-256color", "TMUX": "x", "VTE_VERSION": "7006", "WT_SESSION": "x"]
        #expect(!screen(outer).hasLinks)
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

    @Test func `text that the terminal marks as pasted is never a key, and other keys are ignored`() {
        #expect(lines([("\u{1B}[200~", false), ("d", true), ("\u{1B}[201~", false), ("\n", true)]) == ["d"])
        #expect(lines([("\u{1B}[200~code=1\u{1B}[201~\n", false), ("d", true)]) == ["code=1", "d"])
        #expect(lines([("\u{1B}[A", false), ("o", true)]) == ["o"])
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
