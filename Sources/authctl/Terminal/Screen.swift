import AuthCore
import Glibc

/// The properties of a stream that affect output. A stream that is not a terminal has no width and no colors.
struct Screen: Sendable, Equatable {
    var isTerminal = false
    var columns: Int?
    var rows: Int?
    var hasColours = false
    var isRewritable = false
    var hasUnicode = true
    var hasLinks = false
    var isAccessible = false

    var ellipsis: String { hasUnicode ? "…" : "..." }

    static func standardOutput(_ environment: Environment) -> Screen { of(1, environment) }
    static func standardError(_ environment: Environment) -> Screen { of(2, environment) }

    static func size(of descriptor: Int32) -> (columns: Int?, rows: Int?) {
        var size = winsize()
        guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0 else { return (nil, nil) }
        return (size.ws_col > 0 ? Int(size.ws_col) : nil, size.ws_row > 0 ? Int(size.ws_row) : nil)
    }

    private static func of(_ descriptor: Int32, _ environment: Environment) -> Screen {
        guard isatty(descriptor) == 1 else { return Screen() }
        var screen = Screen(terminal: environment)
        screen.isTerminal = true
        // A background process must not rewrite lines of other processes.
        screen.isRewritable = screen.isRewritable && Environment.isInForeground(descriptor)
        (screen.columns, screen.rows) = size(of: descriptor)
        return screen
    }
}

extension Screen {
    init(terminal environment: Environment) {
        func value(_ name: String) -> String { environment[name] ?? "" }
        let term = value("TERM")
        (hasUnicode, isAccessible) = (environment.showsBlocks, environment.isAccessible)
        guard !isAccessible, !["", "dumb"].contains(term) else { return }
        isRewritable = true
        hasColours = value("NO_COLOR").isEmpty
        // Inside a multiplexer, the multiplexer's capabilities apply, not those of the outer terminal.
        let isInside = !value("TMUX").isEmpty || ["screen", "tmux"].contains { term.hasPrefix($0) }
        let isTmux = value("TERM_PROGRAM") == "tmux"
        let names = [term, value("TERM_PROGRAM")].map { $0.lowercased() }
        let isModern = ["kitty", "alacritty", "foot", "ghostty", "wezterm", "contour", "iterm", "rio"].contains {
            known in names.contains { $0.contains(known) }
        }
        let hasBoth = !isInside && (isModern || !value("WT_SESSION").isEmpty)
        let hasLinksAlone =
            Screen.isVersion(value("VTE_VERSION"), from: [5000])
            || Screen.isVersion(value("KONSOLE_VERSION"), from: [201_200])
            || ["vscode", "hyper"].contains(value("TERM_PROGRAM").lowercased())
        hasLinks =
            isInside
            ? isTmux && Screen.isVersion(value("TERM_PROGRAM_VERSION"), from: [3, 4]) : hasBoth || hasLinksAlone
        // A convention of other programs.
        if let forced = environment["FORCE_HYPERLINK"] { hasLinks = forced != "0" }
    }

    private static func isVersion(_ text: String, from first: [Int]) -> Bool {
        let numbers = text.split(separator: ".").map { Int($0.prefix { $0.isNumber }) ?? 0 }
        return !numbers.lexicographicallyPrecedes(first)
    }
}
