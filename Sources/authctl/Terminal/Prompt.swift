import AuthCore
import Glibc
import Synchronization

/// Reads what the user types or pastes.
enum Prompt {
    static var isTerminal: Bool { isatty(0) == 1 }

    /// The terminal's settings before echo was switched off.
    ///
    /// `nonisolated(unsafe)` holds because it is written under the lock, while echo is on: no signal handler reads it then.
    private nonisolated(unsafe) static var saved = termios()
    /// The settings without echo. `nonisolated(unsafe)` holds because a handler reads them only between `hideEcho` and
    /// `showEcho`. `hideEcho` writes them before it sets `terminal`; a later `hideEcho` writes complete settings of the
    /// same kind.
    private nonisolated(unsafe) static var silent = termios()
    private static let isHidden = Lock(false)
    private static let terminal = Atomic<Int32>(-1)
    private static let marksPastes = Atomic<Bool>(false)
    /// Whether keys were read since the last question.
    private static let readsKeys = Atomic<Bool>(false)

    /// The lines of standard input. Echo is off on a terminal, because a callback URL contains the code. Reading stops
    /// when the stream's consumer stops, so that later input goes to the next question.
    static func lines(
        keys: Set<Character> = [], taking take: @escaping @Sendable (String) -> Bool = { _ in false }
    ) -> AsyncStream<String> {
        let hasKeys = isTerminal && !keys.isEmpty
        hideEcho(ofKeys: hasKeys)
        if hasKeys {
            marksPastes.store(true, ordering: .sequentiallyConsistent)
            readsKeys.store(true, ordering: .relaxed)
            Output.marksPastes(true)
        }
        return AsyncStream { continuation in
            var ends: [Int32] = [-1, -1]
            guard pipe(&ends) == 0 else { return continuation.finish() }
            let (stop, stopping) = (ends[0], ends[1])
            for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
            let bytes = hasKeys ? Set(keys.compactMap(\.asciiValue)) : nil
            // On a separate thread, because reading blocks.
            let isStarted = NewThread.start {
                read(TypedLines(keys: bytes), until: stop) { line, isKey in
                    // With keys, a whole line is never one.
                    if hasKeys != isKey || !take(line) { continuation.yield(line) }
                }
                close(stop)
                continuation.finish()
            }
            guard isStarted else {
                close(stop)
                return continuation.finish()
            }
            continuation.onTermination = { _ in
                close(stopping)
                showEcho()
            }
        }
    }

    /// Reads until the input ends, or the write end of the pipe `stop` is closed.
    private static func read(_ lines: TypedLines, until stop: Int32, taking take: (String, Bool) -> Void) {
        var lines = lines
        while !lines.isEnded, let bytes = more(until: stop) {
            // A key arrives as one character, pasted text as several.
            let isAlone = lines.isKey(bytes) && Poll.wait(for: POLLIN, on: 0, milliseconds: pause) != 1
            for line in lines.take(bytes, isAlone: isAlone) { take(line, isAlone) }
        }
        if let rest = lines.rest { take(rest, false) }
    }

    /// Milliseconds to wait for the rest of a pasted text after its first character.
    private static let pause: Int32 = 50

    private static func more(until stop: Int32) -> [UInt8]? {
        var waiting = [pollfd(fd: 0, events: Int16(POLLIN), revents: 0), pollfd(fd: stop, events: 0, revents: 0)]
        while poll(&waiting, 2, -1) < 0 { guard errno == EINTR else { return nil } }
        guard waiting[1].revents == 0 else { return nil }
        var buffer = [UInt8](repeating: 0, count: 4096)
        let count = Glibc.read(0, &buffer, buffer.count)
        return count > 0 ? Array(buffer[..<count]) : nil
    }

    static func hiddenLine(_ question: String) -> Answer {
        isTerminal ? prompted(question, on: 0, timeout: nil) : .noTerminal
    }

    /// Whether standard error is a terminal and this process is in the foreground of its controlling terminal. For
    /// credential helpers, whose standard input and output are pipes.
    static var isAttended: Bool {
        guard isatty(2) == 1 else { return false }
        let own = open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY)
        guard own >= 0 else { return false }
        defer { close(own) }
        return Environment.isInForeground(own)
    }

    static var canRead: Bool { isTerminal && Environment.isInForeground(0) }

    static var canPrompt: Bool { isTerminal && isatty(2) == 1 }

    static func line(_ question: String) -> Answer {
        guard canPrompt else { return .noTerminal }
        // An earlier reader may not have stopped yet.
        showEcho()
        reportCancellation()
        // What was typed before the question does not answer it.
        tcflush(0, TCIFLUSH)
        Output.question(question)
        let (followsKeys, begun) = (readsKeys.exchange(false, ordering: .relaxed), Deadline(after: 1))
        let answer = typed(on: 0, until: nil)
        // An Enter for the screen before, which was pressed while the question appeared.
        if followsKeys, case .empty = answer, begun.milliseconds > 0 { return line(question) }
        if case .ended = answer { Output.endQuestion() }
        return answer
    }

    enum Answer {
        case text(String)
        case empty
        case ended
        case late
        case noTerminal
    }

    /// Asks for a hidden line on the controlling terminal, because standard input may be redirected.
    ///
    /// - Parameter timeout: seconds for the whole line.
    static func secret(_ question: String, timeout: Int) -> Answer {
        guard !isTerminal else { return prompted(question, on: 0, timeout: timeout) }
        let own = open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY)
        guard own >= 0 else { return .noTerminal }
        defer { close(own) }
        return prompted(question, on: own, timeout: timeout)
    }

    private static func prompted(_ question: String, on descriptor: Int32, timeout: Int?) -> Answer {
        // Switched off before the question, so that the first typed characters are hidden too.
        hideEcho(of: descriptor, ofKeys: true)
        tcflush(descriptor, TCIFLUSH)
        return Output.ask(hidden: question) {
            defer { showEcho() }
            return typed(on: descriptor, until: timeout.map { Deadline(after: Double($0)) })
        }
    }

    /// Reads up to Enter, byte by byte. A terminal's own line editing is limited to 4096 bytes, and tokens can be
    /// longer.
    private static func typed(on descriptor: Int32, until deadline: Deadline?) -> Answer {
        var line: [UInt8] = []
        defer { line.wipe() }
        func answer() -> Answer { line.isEmpty ? .empty : .text(String(decoding: line, as: UTF8.self)) }
        var byte: UInt8 = 0
        while line.count < 1 << 20 {
            if let deadline {
                let count = Poll.wait(for: POLLIN, on: descriptor, milliseconds: deadline.milliseconds)
                if count < 0, errno == EINTR { continue }
                guard count != 0 else { return .late }
            }
            let count = Glibc.read(descriptor, &byte, 1)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { return .noTerminal }
            guard count == 1 else { return line.isEmpty ? .ended : answer() }
            switch byte {
            case 10, 13: return answer()
            case 4: return line.isEmpty ? .ended : answer()  // Ctrl-D
            default: line.type(byte)
            }
        }
        return answer()
    }

    static func hideEcho(of descriptor: Int32 = 0, ofKeys: Bool = false) {
        guard isatty(descriptor) == 1, Environment.isInForeground(descriptor) else { return }
        isHidden.withLock { hidden in
            if !hidden {
                guard tcgetattr(descriptor, &saved) == 0 else { return }
                hidden = true
                silent = saved
                terminal.store(descriptor, ordering: .sequentiallyConsistent)
                expect([SIGINT, SIGQUIT, SIGTERM, SIGHUP])
                // After Ctrl-Z and `fg`, the shell has switched echo on again.
                signal(SIGCONT) { _ in Prompt.hideAgain() }
                Process.beforeExit.withLock { $0 = { Prompt.showEcho() } }
            }
            silent = saved
            silent.c_lflag &= ~tcflag_t(ECHO)
            if ofKeys {
                silent.c_lflag &= ~tcflag_t(ICANON)
                withUnsafeMutableBytes(of: &silent.c_cc) { bytes in
                    bytes[Int(VMIN)] = 1
                    bytes[Int(VTIME)] = 0
                }
            }
            tcsetattr(descriptor, TCSANOW, &silent)
        }
    }

    /// Makes Ctrl-C print a message before it ends the process.
    static func reportCancellation() { expect([SIGINT]) }

    /// Makes these signals restore the terminal's settings before they end the process.
    private static func expect(_ numbers: [Int32]) {
        Output.expectSignals()
        // Initializes the static variable here, because a signal handler must not.
        _ = (terminal.load(ordering: .relaxed), marksPastes.load(ordering: .relaxed))
        for number in numbers {
            signal(number) { number in
                if number == SIGINT { Output.cancelled() } else { Output.endCountdown() }
                Prompt.restore()
                signal(number, SIG_DFL)
                raise(number)
            }
        }
    }

    /// Restores the terminal's settings. Async-signal-safe: does not allocate or lock.
    private static func restore() {
        let descriptor = terminal.load(ordering: .sequentiallyConsistent)
        if descriptor >= 0 { tcsetattr(descriptor, TCSANOW, &saved) }
        if marksPastes.exchange(false, ordering: .sequentiallyConsistent) { Output.marksPastes(false) }
    }

    /// Switches echo off and shows the question again, unless the process continues in the background.
    /// Async-signal-safe.
    private static func hideAgain() {
        let (descriptor, number) = (terminal.load(ordering: .sequentiallyConsistent), errno)
        if descriptor >= 0, Environment.isInForeground(descriptor) {
            tcsetattr(descriptor, TCSANOW, &silent)
            if marksPastes.load(ordering: .sequentiallyConsistent) { Output.marksPastes(true) }
            Output.askAgain()
        }
        errno = number
    }

    static func showEcho() {
        isHidden.withLock { hidden in
            guard hidden else { return }
            hidden = false
            restore()
            // Reset last: a signal handler that runs in between only restores the same settings again.
            terminal.store(-1, ordering: .sequentiallyConsistent)
        }
    }
}
