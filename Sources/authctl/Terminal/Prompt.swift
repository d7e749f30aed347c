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

    /// The lines of standard input, without echo on a terminal: a callback's URL holds the code.
    static func lines() -> AsyncStream<String> {
        hideEcho()
        return AsyncStream { continuation in
            var thread = pthread_t()
            let context = Unmanaged.passRetained(Reader(continuation)).toOpaque()
            let made = pthread_create(
                &thread, nil,
                { context in
                    if let context { Unmanaged<Reader>.fromOpaque(context).takeRetainedValue().run() }
                    return nil
                }, context)
            if made == 0 {
                pthread_detach(thread)
            } else {
                Unmanaged<Reader>.fromOpaque(context).release()
                continuation.finish()
            }
        }
    }

    private final class Reader: Sendable {
        let continuation: AsyncStream<String>.Continuation

        init(_ continuation: AsyncStream<String>.Continuation) { self.continuation = continuation }

        func run() {
            // The reading blocks, so it has a thread of its own, which ends with the process.
            while let line = readLine() { continuation.yield(line) }
            continuation.finish()
        }
    }

    private static func hideEcho() {
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
