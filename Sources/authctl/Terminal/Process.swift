import AuthCore
import CLinux
import Glibc

/// This process as the operating system sees it.
enum Process {
    /// Protects this process before a secret is in memory: only root can inspect it, no core dump, no signal for a
    /// closed pipe or a file size limit (both become errors), and no new file at the number of a closed standard
    /// stream.
    static func protect() {
        _ = clinux_hide_memory()
        occupyStandardStreams()
        getrlimit(core, &coreLimit)
        setCoreLimit(rlimit(rlim_cur: 0, rlim_max: coreLimit.rlim_max))
        for number in ignored {
            if isIgnored(number) { ignoredBefore.insert(number) }
            signal(number, SIG_IGN)
        }
        if let path = getenv("SSLKEYLOGFILE") {
            withheld["SSLKEYLOGFILE"] = String(cString: path)
            unsetenv("SSLKEYLOGFILE")
        }
    }

    private static let ignored = [SIGPIPE, SIGXFSZ]
    private static let core = __rlimit_resource_t(RLIMIT_CORE.rawValue)

    private static func setCoreLimit(_ limit: rlimit) {
        var limit = limit
        setrlimit(core, &limit)
    }

    private static func isIgnored(_ number: Int32) -> Bool {
        var action = sigaction()
        return sigaction(number, nil, &action) == 0
            && unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self) == 1  // SIG_IGN
    }

    /// Those of `ignored` that the caller ignores.
    ///
    /// `nonisolated(unsafe)` holds because it is written once, before there is a second thread.
    private nonisolated(unsafe) static var ignoredBefore: Set<Int32> = []

    /// The signals that the caller of this process ignores, as nohup(1) does.
    static var ignoredByCaller: Set<Int32> {
        ignoredBefore.union((1...31).filter { !ignored.contains($0) && isIgnored($0) })
    }

    static var arguments: [String] {
        (0..<clinux_argument_count()).compactMap { clinux_argument($0).map { String(cString: $0) } }
    }

    /// The words after the program's name.
    static var typed: [String] { Array(arguments.dropFirst()) }

    /// Variables that libraries in this process would obey and must not: libcurl writes the keys of its connections into
    /// SSLKEYLOGFILE. Commands that are run get them as they were.
    ///
    /// `nonisolated(unsafe)` holds because it is written once, before there is a second thread.
    private nonisolated(unsafe) static var withheld: [String: String] = [:]

    /// Opens closed standard streams. Otherwise the next opened file would get their number, and a note could be
    /// written into the database. The replacement can be neither read nor written, so the stream still behaves like a
    /// closed one.
    private static func occupyStandardStreams() {
        for (descriptor, mode) in [(Int32(0), O_WRONLY), (1, O_RDONLY), (2, O_RDONLY)] {
            guard fcntl(descriptor, F_GETFD) < 0, errno == EBADF else { continue }
            _ = open("/dev/null", mode | O_CLOEXEC)
        }
    }

    /// The limit that a command run by us gets back.
    ///
    /// `nonisolated(unsafe)` holds because it is written once, before there is a second thread.
    private nonisolated(unsafe) static var coreLimit = rlimit()

    /// Undoes what `protect` did: a command must find signals and limits as its caller left them.
    static func restoreForChild() {
        setCoreLimit(coreLimit)
        for number in ignored where !ignoredBefore.contains(number) { signal(number, SIG_DFL) }
        unblockSignals()
        closeOnExec(keeping: inherited)
    }

    /// Runs `body`, which starts a child, with the caller's limit. There is no core dump of this process in any case.
    static func withCoreLimitOfCaller<E: Error>(_ body: () throws(E) -> pid_t) throws(E) -> pid_t {
        setCoreLimit(coreLimit)
        defer { setCoreLimit(rlimit(rlim_cur: 0, rlim_max: coreLimit.rlim_max)) }
        return try body()
    }

    /// The descriptors that the caller passed for the command.
    ///
    /// `nonisolated(unsafe)` holds because it is written once, before a second thread exists.
    private(set) nonisolated(unsafe) static var inherited: Set<Int32> = []

    static func rememberInherited() { inherited = descriptors().filter { fcntl($0, F_GETFD) & FD_CLOEXEC == 0 } }

    /// Closes descriptors for child processes: libraries may have opened some without close-on-exec.
    static func closeOnExec(keeping retained: Set<Int32> = []) {
        for descriptor in descriptors().subtracting(retained) { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
    }

    private static func descriptors() -> Set<Int32> {
        let numbers = DirectoryListing.names(at: "/proc/self/fd")?.compactMap { Int32($0) } ?? Array(0..<1024)
        // The descriptor of the listing itself is closed by now.
        return Set(numbers.filter { $0 > 2 && fcntl($0, F_GETFD) >= 0 })
    }

    /// The processors that this process may run on: in a container, or under taskset(1), fewer than the machine has.
    static var availableCores: Int { max(1, Int(clinux_available_cores())) }

    /// This thread may be one of the runtime's, which block signals.
    static func unblockSignals() {
        var none = sigset_t()
        sigemptyset(&none)
        pthread_sigmask(SIG_SETMASK, &none, nil)
    }

    /// This program's own file; without /proc the name that it was called by.
    static var path: String {
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = readlink("/proc/self/exe", &buffer, buffer.count)
        guard count > 0 else {
            return arguments.first.flatMap { $0.contains("/") ? ConfigDirectory.absolute($0) : nil } ?? "authctl"
        }
        return String(decoding: buffer[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// The environment, without Foundation's way to it.
    static var environment: Environment {
        var variables = withheld
        var next = environ
        while let entry = next.pointee {
            let text = String(cString: entry)
            if let equals = text.utf8.firstIndex(of: UInt8(ascii: "=")) {
                variables[String(text[..<equals])] = String(text[text.index(after: equals)...])
            }
            next += 1
        }
        return Environment(variables)
    }

    static func run(_ body: @escaping @Sendable () async -> Int32) -> Never {
        TaskThreads.startWithoutProc()
        Task { exit(await body()) }
        // The tasks run on other threads.
        while true { pause() }
    }

    /// Leaves to the kernel what libraries would tidy up. Everything was written already, and another thread may be loading
    /// a library.
    static func exit(_ code: Int32) -> Never {
        beforeExit.withLock { $0 }?()
        _exit(code)
    }

    /// Called by `exit` before the process ends.
    static let beforeExit = Lock<(@Sendable () -> Void)?>(nil)
}
