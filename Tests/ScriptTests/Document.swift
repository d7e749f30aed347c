import FoundationEssentials

/// A document as stories: every command in it is run.
///
///     <!-- setup           a script that only the test needs
///     play github.com
///     -->
///     <!-- types: client ID: =Ov23li | [Y/n]=y -->
///     ```console           input after `$ `, and below it the output; `…` matches anything
///     $ authctl signin
///     ```
///     ```yaml file=a.yaml  a file for the following commands
///
/// `<!-- story: A sentence. -->` begins another story, in a new directory.
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

    init(_ path: String, _ text: String, withoutRunning: (String) -> Bool = { _ in false }) {
        self.path = path
        var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)[...]
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
            if let story = line.wholeMatch(of: /<!-- story: (.+) -->/) {
                finish()
                sentence = String(story.1)
            } else if line == "<!-- setup" {
                script += until("-->")
                hasSteps = true
            } else if let types = line.wholeMatch(of: /<!-- types: (.+) -->/) {
                let pairs = types.1.split(separator: " | ").map { Self.quoted(String($0)) }
                script.append("answers=(\(pairs.joined(separator: " ")))")
            } else if line.hasPrefix("```") {
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
        }
        finish()
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
