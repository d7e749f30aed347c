import FoundationEssentials

/// A document as stories: every command in it is run.
///
///     ```console           input after `$ `, and below it the output; `…` matches anything
///     $ authctl signin
///     ```
///     ```yaml file=a.yaml  a file for the following commands
///
/// What only the test does is in a file beside the page, `docs/tools.setup` for `docs/tools.md`, in the page's order:
///
///     == $ authctl signin  before this line of the page, or the block that begins with it; without a line, at the end
///     story: A sentence.   begins another story, in a new directory
///     types: Client ID: =Ov23li | [Y/n]=y
///     play github.com      a script
struct Document {
    let path: String
    private(set) var stories: [Story] = []
    /// An error in the document, with its line.
    private(set) var problems: [String] = []
    /// The allowed languages of blocks. Commands are only in `console` blocks, so that all of them are run.
    private static let languages: Set = ["console", "yaml", "json", "python", "swift", "text", "dockerfile"]

    private var sentence: String?
    private var script: [String] = []
    private var hasSteps = false

    init(_ path: String, _ text: String, setup: String = "", withoutRunning: (String) -> Bool = { _ in false }) {
        self.path = path
        var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)[...]
        var sections = setup.split(separator: /\n*(?:^|\n)== ?|\n+$/).map {
            $0.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        }[...]
        var number = 0
        func next() -> String? {
            number += 1
            return lines.popFirst()
        }
        /// The lines up to `end`.
        func until(_ end: String) -> [String] {
            var inner: [String] = []
            while let line = next(), line != end { inner.append(line) }
            return inner
        }
        while let line = next() {
            while let place = sections.first?[0], place == line || line.hasPrefix("```") && place == lines.first {
                if place.isEmpty { break }
                prepare(sections.removeFirst().dropFirst())
            }
            guard line.hasPrefix("```") else { continue }
            let words = line.dropFirst(3).split(separator: " ")
            let start = number
            let inner = until("```")
            guard let language = words.first, Self.languages.contains(String(language)) else {
                problems.append("\(path):\(start): a block in no language of \(Self.languages.sorted())")
                continue
            }
            if language == "console" { type(inner, at: start, withoutRunning) }
            if let file = words.dropFirst().first(where: { $0.hasPrefix("file=") })?.dropFirst(5) {
                script.append(
                    "mkdir -p \"$(dirname \(file))\"; printf '%s\\n' \(Self.quoted(inner.joined(separator: "\n"))) >\(file)"
                )
            }
        }
        while let section = sections.popFirst() {
            prepare(section.dropFirst())
            if !section[0].isEmpty { problems.append("\(path): there is no line '\(section[0])' for its setup") }
        }
        finish()
    }

    /// The lines of one section of the setup.
    private mutating func prepare(_ section: ArraySlice<String>) {
        for line in section {
            if line.hasPrefix("story: ") {
                finish()
                sentence = String(line.dropFirst(7))
            } else if line.hasPrefix("types: ") {
                let pairs = line.dropFirst(7).split(separator: " | ").map { Self.quoted(String($0)) }
                script.append("answers=(\(pairs.joined(separator: " ")))")
            } else {
                script.append(line)
                hasSteps = true
            }
        }
    }

    private mutating func finish() {
        if hasSteps {
            stories.append(
                Story(
                    file: path, sentence: sentence,
                    script: ". \"$ROOT/Tests/ScriptTests/documents.sh\"\n" + script.joined(separator: "\n") + "\n",
                    ownNetwork: true))
        }
        (script, hasSteps, sentence) = ([], false, nil)
    }

    /// The commands of a block, each with the output below it.
    private mutating func type(_ lines: [String], at start: Int, _ withoutRunning: (String) -> Bool) {
        var rest = lines[...]
        guard rest.first?.hasPrefix("$ ") == true else {
            problems.append("\(path):\(start + 1): a console block begins with what is typed, '$ …'")
            return
        }
        while let line = rest.popFirst() {
            let place = "\(path):\(start + lines.count - rest.count)"
            var command = String(line.dropFirst(2))
            while command.hasSuffix("\\"), let more = rest.popFirst() { command += "\n" + more }
            var shown: [String] = []
            while let output = rest.first, !output.hasPrefix("$ ") {
                shown.append(output)
                rest = rest.dropFirst()
            }
            if withoutRunning(command) { continue }
            hasSteps = true
            script.append(
                "shown \(Self.quoted(place)) \(Self.quoted(command)) \(Self.quoted(shown.joined(separator: "\n")))")
        }
        script.append("answers=()")
    }

    private static func quoted(_ text: String) -> String {
        "'" + text.replacing("'", with: "'\\''") + "'"
    }
}
