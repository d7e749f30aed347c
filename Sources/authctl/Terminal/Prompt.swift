import Glibc
import Synchronization

/// Reads what a person pastes.
enum Prompt {
    static var isTerminal: Bool { isatty(0) == 1 }

    /// The terminal's settings before echo was switched off.
    ///
    /// `nonisolated(unsafe)` holds because it is written once, before the signal handler that reads it is installed.
    private nonisolated(unsafe) static var saved = termios()
    private static let isHidden = Mutex(false)

    /// The lines of standard input, without echo on a terminal: a callback's URL holds the code. Reading stops as soon as
    /// nobody listens, so that what is typed next goes to the next question.
    static func lines() -> AsyncStream<String> {
        hideEcho()
        return AsyncStream { continuation in
            var ends: [Int32] = [-1, -1]
            guard pipe(&ends) == 0 else { return continuation.finish() }
            let (stop, stopping) = (ends[0], ends[1])
            for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
            var thread = pthread_t()
            let context = Unmanaged.passRetained(Reader(continuation, stop: stop)).toOpaque()
            let made = pthread_create(
                &thread, nil,
                { context in
                    if let context { Unmanaged<Reader>.fromOpaque(context).takeRetainedValue().run() }
                    return nil
                }, context)
            guard made == 0 else {
                Unmanaged<Reader>.fromOpaque(context).release()
                return continuation.finish()
            }
            pthread_detach(thread)
            continuation.onTermination = { _ in
                close(stopping)
                showEcho()
            }
        }
    }

    /// Reads on a thread of its own, because reading blocks.
    private final class Reader: Sendable {
        let continuation: AsyncStream<String>.Continuation
        /// Readable once the other end is closed.
        let stop: Int32

        init(_ continuation: AsyncStream<String>.Continuation, stop: Int32) {
            self.continuation = continuation
            self.stop = stop
        }

        deinit { close(stop) }

        func run() {
            var line: [UInt8] = []
            while let bytes = more() {
                for byte in bytes {
                    guard byte == 10 else {
                        line.append(byte)
                        continue
                    }
                    continuation.yield(String(decoding: line, as: UTF8.self))
                    line = []
                }
                // A callback's URL is never this long.
                if line.count > 1 << 20 { break }
            }
            if !line.isEmpty { continuation.yield(String(decoding: line, as: UTF8.self)) }
            continuation.finish()
        }

        /// What is there next; nil at the end, or when nobody listens any more.
        private func more() -> [UInt8]? {
            var waiting = [pollfd(fd: 0, events: Int16(POLLIN), revents: 0), pollfd(fd: stop, events: 0, revents: 0)]
            while poll(&waiting, 2, -1) < 0 { guard errno == EINTR else { return nil } }
            guard waiting[1].revents == 0 else { return nil }
            var buffer = [UInt8](repeating: 0, count: 4096)
            let count = read(0, &buffer, buffer.count)
            return count > 0 ? Array(buffer[..<count]) : nil
        }
    }

    /// Asks for a line that nobody shall see; nil when there is no terminal, or input ended.
    static func hidden(_ question: String) -> String? {
        guard isTerminal, isatty(2) == 1 else { return nil }
        // Before the question: whoever is quick must not see the first letters.
        hideEcho()
        Output.write(Array(question.utf8), to: 2)
        defer {
            showEcho()
            Output.write([10], to: 2)
        }
        return readLine().flatMap { $0.isEmpty ? nil : $0 }
    }

    static func hideEcho() {
        guard isTerminal else { return }
        isHidden.withLock { hidden in
            guard !hidden, tcgetattr(0, &saved) == 0 else { return }
            hidden = true
            for number in [SIGINT, SIGTERM, SIGHUP] {
                signal(number) { number in
                    tcsetattr(0, TCSANOW, &Prompt.saved)
                    signal(number, SIG_DFL)
                    raise(number)
                }
            }
            var silent = saved
            silent.c_lflag &= ~tcflag_t(ECHO)
            tcsetattr(0, TCSANOW, &silent)
            atexit { Prompt.showEcho() }
        }
    }

    static func showEcho() {
        isHidden.withLock { hidden in
            guard hidden else { return }
            hidden = false
            tcsetattr(0, TCSANOW, &saved)
        }
    }
}
