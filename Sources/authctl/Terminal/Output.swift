import AuthCore
import Glibc
import Synchronization

// The rules for output:
//
// - data on standard output, everything else on standard error;
// - one error line and one hint, both without a final period;
// - colors only on a terminal that supports them, and never as the only sign of a state;
// - with --json, standard output is one JSON value, and the last line of standard error is the error object;
// - only this file writes to a standard stream, and it escapes all text from a server, a file or a project.

/// Writes lines for users, JSON, and data that must not be changed.
struct Output: Sendable {
    let isJSON: Bool
    let isQuiet: Bool
    private(set) var isSilent = false
    var field: FieldPath?

    static let silent = Output(isJSON: false, isQuiet: true, isSilent: true)

    // MARK: Standard output

    func line(_ text: String) { data((Output.encoded(Output.escaped(text)) + "\n").utf8) }

    private func data(_ bytes: some Sequence<UInt8>) { Output.write(Array(bytes), to: 1, isJSON: isJSON) }

    /// Prints a value as JSON. Its serialization escapes control characters.
    func json(_ value: JSONValue) { data((value.text + "\n").utf8) }

    /// Prints what another program reads from a command that failed. If it cannot be written, the exit code remains.
    static func response(_ value: JSONValue) { write(Array((value.text + "\n").utf8), to: 1, isRequired: false) }

    func result(_ json: @autoclosure () -> JSONValue, _ lines: () -> [String]) {
        if isJSON { self.json(json()) } else { for line in lines() { self.line(line) } }
    }

    /// Prints JSON text that consists of several parts.
    func json(parts: [[UInt8]]) {
        for part in parts { data(part) }
        data("\n".utf8)
    }

    /// Prints an object with one array. The array's values are produced in portions, so that they need not fit into
    /// memory.
    func json(listing name: String, _ portions: (([JSONValue]) -> Void) async throws -> Void) async throws {
        var start = "{\"\(name)\":["
        try await portions { values in
            // All accounts of a portion may have been removed in the meantime.
            guard !values.isEmpty else { return }
            data((start + values.map(\.text).joined(separator: ",")).utf8)
            start = ","
        }
        data(((start == "," ? "" : start) + "]}\n").utf8)
    }

    /// Prints all lines with one write.
    func lines(_ lines: [[Cell]], on screen: Screen) { data(lines.map { text($0, on: screen) + "\n" }.joined().utf8) }

    func done(_ json: JSONValue, _ note: String) {
        if isJSON { self.json(json) }
        self.note(note)
    }

    func show(_ value: @autoclosure () -> JSONValue, on screen: Screen, lines: () -> [[Cell]]) throws(FieldMissing) {
        if let field {
            let found = try field.value(in: value())
            if let text = found.string, !isJSON { exactly(text) } else { json(found) }
        } else if isJSON {
            json(value())
        } else {
            self.lines(lines(), on: screen)
        }
    }

    private func text(_ cells: [Cell], on screen: Screen) -> String {
        cells.map { cell in
            var shown = Output.encoded(ServerText.escaped(cell.text))
            if screen.hasColours, let tone = cell.tone { shown = "\u{1B}[\(tone.rawValue)m\(shown)\u{1B}[0m" }
            guard screen.hasLinks, let link = cell.link, link.isVisibleASCII else { return shown }
            return "\u{1B}]8;;\(link)\u{1B}\\\(shown)\u{1B}]8;;\u{1B}\\"
        }.joined()
    }

    /// Replaces this program's non-ASCII characters in a locale without UTF-8, and for screen readers.
    private static func encoded(_ text: String) -> String {
        guard !text.utf8.allSatisfy({ $0 < 0x80 }) else { return text }
        return replacements.reduce(text) { $0.replacing($1.key, with: $1.value) }
    }

    private static let replacements: KeyValuePairs<String, String> = {
        let environment = Process.environment
        if environment.isAccessible { return ["…": "...", "✓": "ok", "✗": "error", "→": "to fix:"] }
        return environment.showsBlocks ? [:] : ["…": "...", "✓": "+", "✗": "x", "→": "->"]
    }()

    /// Returns text as it will be printed, to measure its width.
    static func escaped(_ text: String) -> String { ServerText.escaped(text) }

    func exactly(_ text: String) { exactly(Array((text + "\n").utf8)) }

    func exactly(_ bytes: [UInt8]) {
        guard isatty(1) == 1 else { return data(bytes) }
        let text = Output.shown(bytes)
        // The next output must start on a new line.
        data((text.isEmpty || text.hasSuffix("\n") ? text : text + "\n").utf8)
    }

    static func shown(_ bytes: [UInt8]) -> String {
        String(decoding: bytes, as: UTF8.self).replacing("\r\n", with: "\n")
            .split(separator: "\n", omittingEmptySubsequences: false)
            .map { line in
                line.split(separator: "\t", omittingEmptySubsequences: false)
                    .map { ServerText.escaped(String($0)) }.joined(separator: "\t")
            }.joined(separator: "\n")
    }

    static func help(_ text: String) { write(Array((encoded(shown(Array(text.utf8))) + "\n").utf8), to: 1) }

    // MARK: Standard error

    func note(_ text: String) {
        guard !isQuiet else { return }
        let line = Output.redacted("authctl: \(text)")
        // A command stays on one line, so that it can be copied.
        let lines = text.contains("authctl ") ? [ServerText.escaped(line)] : Output.broken(line)
        Output.write(Array(lines.map { Output.encoded($0) + "\n" }.joined().utf8), to: 2)
    }

    /// Prints sentences of a dialogue, on one line if they fit. Without a user at a terminal, each is a note.
    func say(_ sentences: [[Cell]]) {
        guard isSeen else {
            for text in sentences.map({ $0.map(\.text).joined() }) {
                note(text.prefix(1).lowercased() + text.dropFirst().dropLast(text.hasSuffix(".") ? 1 : 0))
            }
            return
        }
        let screen = Screen.standardError(Process.environment)
        let line = Array(sentences.joined(separator: [" "]))
        prompt(screen.columns.map { line.width < $0 } ?? true ? [line] : sentences, on: screen)
    }

    /// Prints text that the user must see even with --quiet, such as a URL to visit.
    func prompt(_ text: String) {
        guard !isSilent else { return }
        Output.write(text, end: "\n", to: 2)
    }

    /// - Parameter rows: how many rows above the cursor the lines replace.
    func prompt(_ lines: [[Cell]], on screen: Screen, replacing rows: Int = 0) {
        guard !isSilent else { return }
        let up = rows > 0 ? "\u{1B}[\(rows)A\u{1B}[J" : ""
        Output.write(Array((up + lines.map { text($0, on: screen) + "\n" }.joined()).utf8), to: 2)
    }

    /// Shows lines that the next output removes. The cursor stays in the first of them.
    func countdown(_ lines: [String], on screen: Screen) {
        guard hasCountdown(on: screen) else { return }
        let width = max(0, (screen.columns ?? 80) - 1)
        let shown = lines.map { text([Cell(TextWidth.prefix(of: Output.escaped($0), width), as: .minor)], on: screen) }
        let up = lines.count > 1 ? "\u{1B}[\(lines.count - 1)A" : ""
        Output.write(Array((shown.joined(separator: "\n") + "\r" + up).utf8), to: 2)
        Output.writes.subtract(1, ordering: .relaxed)
        Output.isCounting.store(true, ordering: .sequentiallyConsistent)
    }

    private static let writes = Atomic<Int>(0)
    /// Changes with each output on standard error that is not a countdown.
    static var count: Int { writes.load(ordering: .relaxed) }

    /// Whether notes are printed on a terminal, where a user sees them immediately.
    var isSeen: Bool { !isQuiet && !isJSON && isatty(2) == 1 }

    func hasCountdown(on screen: Screen) -> Bool { !isQuiet && !isJSON && screen.isRewritable }

    /// Whether the terminal's last lines are a countdown, which must be removed before other output.
    private static let isCounting = Atomic<Bool>(false)

    /// Removes the countdown. Async-signal-safe: does not allocate or lock.
    static func endCountdown() {
        guard isCounting.exchange(false, ordering: .sequentiallyConsistent) else { return }
        let line = clear
        _ = Glibc.write(2, line.utf8Start, line.utf8CodeUnitCount)
    }

    private static var clear: StaticString { "\r\u{1B}[J" }

    /// Makes the terminal mark pasted text. Async-signal-safe.
    static func marksPastes(_ isOn: Bool) {
        let code: StaticString = isOn ? "\u{1B}[?2004h" : "\u{1B}[?2004l"
        _ = Glibc.write(2, code.utf8Start, code.utf8CodeUnitCount)
    }

    func trace(_ line: String) { Output.write("authctl: http: \(line)", end: "\n", to: 2) }

    /// Prints errors with one call of write(2), so that output of other processes is not mixed with them. On a
    /// terminal, messages are wrapped between words. Hints are not, because users copy their commands.
    static func errors(_ lines: [String]) {
        let shown = lines.map(redacted).flatMap { $0.hasPrefix("authctl: error: ") ? broken($0) : [escaped($0)] }
        write(Array(shown.map { encoded($0) + "\n" }.joined().utf8), to: 2)
    }

    /// Removes secrets that the user passed in the wrong place, and which errors repeat.
    static func redacted(_ text: String) -> String { ServerText.redacted(text, secrets: Shell.typedSecrets) }

    /// Wraps the text to the width of the terminal of standard error.
    private static func broken(_ text: String) -> [String] {
        Paragraph.lines(text, on: Screen(columns: Screen.size(of: 2).columns)).map { $0.map(\.text).joined() }
    }

    /// Called before the signal handler is installed, which must not initialize anything.
    static func expectSignals() {
        let screen = Screen.standardError(Process.environment)
        canClear.store(screen.isRewritable, ordering: .sequentiallyConsistent)
        endCountdown()
    }

    private static let canClear = Atomic<Bool>(false)

    /// Prints that the user canceled. Async-signal-safe: does not allocate or lock.
    static func cancelled() {
        let (next, text): (StaticString, StaticString) = ("\n", "authctl: cancelled\n")
        // The current line contains a countdown, a question, or the ^C of the terminal.
        if isatty(2) == 1 {
            let line = canClear.load(ordering: .sequentiallyConsistent) ? clear : next
            _ = Glibc.write(2, line.utf8Start, line.utf8CodeUnitCount)
        }
        _ = Glibc.write(2, text.utf8Start, text.utf8CodeUnitCount)
    }

    /// Says why the process does not end yet, if the user has pressed Ctrl-C. Async-signal-safe.
    static func completingRefresh() {
        guard isatty(2) == 1 else { return }
        let text: StaticString = "\nauthctl: completing the refresh; Ctrl-C again ends it, and may end the session\n"
        _ = Glibc.write(2, text.utf8Start, text.utf8CodeUnitCount)
    }

    static func question(_ text: String) {
        let lines = broken(text)
        let shown = lines.count > 1 ? lines.joined(separator: "\n") + " " : ServerText.escaped(text)
        write(Array(encoded(shown).utf8), to: 2)
    }

    /// Ends the line of a question. The terminal does not do this after Ctrl-D.
    static func endQuestion() { write([10], to: 2) }

    /// Asks a question with a hidden answer, on standard error if it is a terminal, otherwise on the controlling
    /// terminal.
    static func ask<R>(hidden question: String, then body: () -> R) -> R {
        var terminal: Int32 = 2
        if isatty(2) != 1 {
            let own = open("/dev/tty", O_WRONLY | O_CLOEXEC | O_NOCTTY)
            if own >= 0 { terminal = own }
        }
        defer { if terminal != 2 { close(terminal) } }
        write(question, end: "", to: terminal)
        let text = Array(encoded(ServerText.escaped(question)).utf8)
        // Never freed, because a signal handler may still write it.
        let copy = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: text.count)
        _ = copy.initialize(from: text)
        hidden = (UnsafeBufferPointer(copy), terminal)
        isAsking.store(true, ordering: .sequentiallyConsistent)
        defer {
            isAsking.store(false, ordering: .sequentiallyConsistent)
            write("", end: "\n", to: terminal)
        }
        return body()
    }

    /// The open question with a hidden answer. `nonisolated(unsafe)` holds because it is written while `isAsking` is
    /// false, and a signal handler reads it only while `isAsking` is true.
    private nonisolated(unsafe) static var hidden: (text: UnsafeBufferPointer<UInt8>, terminal: Int32)?
    private static let isAsking = Atomic<Bool>(false)

    /// Shows the open question again. Async-signal-safe: does not allocate or lock.
    static func askAgain() {
        guard isAsking.load(ordering: .sequentiallyConsistent), let hidden else { return }
        _ = Glibc.write(hidden.terminal, hidden.text.baseAddress, hidden.text.count)
    }

    private static func write(_ text: String, end: String, to descriptor: Int32) {
        write(Array((encoded(ServerText.escaped(text)) + end).utf8), to: descriptor)
    }

    /// Writes all bytes. If the reader has closed the pipe, the process ends with the status of SIGPIPE.
    private static func write(_ bytes: [UInt8], to descriptor: Int32, isJSON: Bool = false, isRequired: Bool = true) {
        if descriptor == 2 {
            endCountdown()
            writes.add(1, ordering: .relaxed)
        }
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count > 0 {
                rest = rest.dropFirst(count)
            } else if errno == EPIPE, isRequired {
                Process.exit(128 + SIGPIPE)
            } else if errno == EAGAIN {
                _ = Poll.wait(for: POLLOUT, on: descriptor, milliseconds: -1)
            } else if errno != EINTR {
                // Lost notes are not an error. If standard output is closed or its disk is full, data is lost.
                guard descriptor == 1, isRequired else { return }
                unwritten(errno, isJSON: isJSON)
            }
        }
    }

    private static func unwritten(_ number: Int32, isJSON: Bool) -> Never {
        let code = ErrorCode.outputFailed
        let message = "standard output cannot be written to: \(SystemText.of(number))"
        let hint = "the command was completed; check the file or the disk of its output"
        let error = ErrorObject(code: code.rawValue, message: message, hint: hint)
        errors(
            isJSON
                ? [ErrorObject.output.json(error).text]
                : ["authctl: error: \(message) (\(code))", "authctl: hint: \(hint)"])
        Process.exit(code.exitCode)
    }
}
