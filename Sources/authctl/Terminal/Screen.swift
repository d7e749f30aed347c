import Glibc

/// What standard output ends at, as far as it decides how much of a line is shown, and in what colours.
struct Screen: Sendable, Equatable {
    /// Of a terminal; nil where nothing limits a line.
    var columns: Int?
    var hasColours = false
    /// What stands for the rest of a text that was cut.
    var ellipsis = "…"

    static func standardOutput(_ environment: [String: String]) -> Screen {
        guard isatty(1) == 1 else { return Screen() }
        let (term, noColour) = (environment["TERM"] ?? "", environment["NO_COLOR"] ?? "")
        return Screen(
            columns: Output.columns(of: 1), hasColours: !["", "dumb"].contains(term) && noColour.isEmpty,
            ellipsis: Surroundings(environment: environment).showsBlocks ? "…" : "...")
    }
}
