import AuthCore
import CLinux
import Glibc

/// This process: its protection, descriptors, environment and exit.
enum Process {
    /// Protects this process before a secret is in memory. Only root can inspect it, and it does not dump core. Closed
    /// pipes and file size limits cause errors, not signals. New files do not get a closed standard stream's
    /// descriptor.
    static func protect() {
        _ = clinux_hide_memory()
        occupyStandardStreams()
        getrlimit(core, &coreLimit)
        setCoreLimit(rlimit(rlim_cur: 0, rlim_max: coreLimit.rlim_max))
        for number in ignored {
            if isIgnored(number) { ignoredBefore.insert(number) }
            signal(number, SIG_IGN)
        }
        // libcurl would write the TLS keys of its connections to it.
        setForLibraries("SSLKEYLOGFILE", nil)
        // GnuTLS, which libcurl loads for protocols that authctl does not use, would prepare itself: 0.7 MB of memory.
        setForLibraries("GNUTLS_NO_IMPLICIT_INIT", "1")
    }

    private static func setForLibraries(_ name: String, _ value: String?) {
        let before = getenv(name).map { String(cString: $0) }
        guard value != before else { return }
        callers.append((name, before))
        if let value { setenv(name, value, 1) } else { unsetenv(name) }
    }

    private static let ignored = [SIGPIPE, SIGXFSZ]
    private static let core = __rlimit_resource_t(RLIMIT_CORE.rawValue)

    private static func setCoreLimit(_ limit: rlimit) {
        var limit = limit
        setrlimit(core, &limit)
    }

    private static func isIgnored(_ number: Int32) -> Bool { handler(of: number) == 1 }  // SIG_IGN

    static func isDefault(_ number: Int32) -> Bool { handler(of: number) == 0 }  // SIG_DFL

    private static func handler(of number: Int32) -> Int? {
        var action = sigaction()
        guard sigaction(number, nil, &action) == 0 else { return nil }
        return unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self)
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

    typealias CStrings = [UnsafeMutablePointer<CChar>?]

    /// The words of a command, for exec(3). If they are the end of this process's arguments, their bytes are unchanged: a
    /// file name may not be UTF-8.
    static func words(of command: [String]) -> CStrings {
        let start = Int(clinux_argument_count()) - command.count
        guard arguments.suffix(command.count) == command[...] else { return command.map { strdup($0) } + [nil] }
        return command.indices.map { strdup(clinux_argument(Int32(start + $0))) } + [nil]
    }

    /// The variables of a child, for exec(3). The bytes of this process's variables are unchanged.
    static func variables(of environment: Environment) -> CStrings {
        var own: [String: UnsafeMutablePointer<CChar>] = [:]
        forEachVariable { entry, name, value in if environment.variables[name] == value { own[name] = entry } }
        return environment.variables.map { name, value in
            own[name].map { strdup($0) } ?? strdup("\(name)=\(value)")
        } + [nil]
    }

    /// The caller's values of the variables that have other values for libraries in this process; nil if there was none.
    /// Child processes get them.
    ///
    /// `nonisolated(unsafe)` holds because it is written before there is a second thread.
    private nonisolated(unsafe) static var callers: [(name: String, value: String?)] = []

    /// Opens closed standard streams. Otherwise the next opened file would get their descriptor, and a note could be
    /// written into the database. The replacement cannot be read or written, so the stream still behaves like a closed
    /// one.
    private static func occupyStandardStreams() {
        for (descriptor, mode) in [(Int32(0), O_WRONLY), (1, O_RDONLY), (2, O_RDONLY)] {
            guard fcntl(descriptor, F_GETFD) < 0, errno == EBADF else { continue }
            _ = open("/dev/null", mode | O_CLOEXEC)
        }
    }

    /// The original core limit, for a command that replaces this process.
    ///
    /// `nonisolated(unsafe)` holds because it is written once, before there is a second thread.
    private nonisolated(unsafe) static var coreLimit = rlimit()

    /// Restores the signals and limits that `protect` changed, before this process is replaced with a command.
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

    /// The descriptors that the caller passed to the command.
    ///
    /// `nonisolated(unsafe)` holds because it is written once, before a second thread exists.
    private(set) nonisolated(unsafe) static var inherited: Set<Int32> = []

    static func rememberInherited() { inherited = descriptors().filter { fcntl($0, F_GETFD) & FD_CLOEXEC == 0 } }

    /// Sets close-on-exec for all other descriptors, because libraries may have opened some without it.
    static func closeOnExec(keeping retained: Set<Int32> = []) {
        for descriptor in descriptors().subtracting(retained) { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
    }

    private static func descriptors() -> Set<Int32> {
        let numbers = DirectoryListing.names(at: "/proc/self/fd")?.compactMap { Int32($0) } ?? Array(0..<1024)
        // Leaves out the descriptor of the listing itself, which is closed now.
        return Set(numbers.filter { $0 > 2 && fcntl($0, F_GETFD) >= 0 })
    }

    /// The processors that this process may use. In a container, or under taskset(1), the machine can have more.
    static var availableCores: Int { max(1, Int(clinux_available_cores())) }

    /// Unblocks all signals, because the threads of the Swift runtime block them.
    static func unblockSignals() {
        var none = sigset_t()
        sigemptyset(&none)
        pthread_sigmask(SIG_SETMASK, &none, nil)
    }

    /// The path of this program. Without /proc, the name that it was called by.
    static var path: String {
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = readlink("/proc/self/exe", &buffer, buffer.count)
        guard count > 0 else {
            return arguments.first.flatMap { $0.contains("/") ? ConfigDirectory.absolute($0) : nil } ?? "authctl"
        }
        return String(decoding: buffer[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// The environment, read without Foundation.
    static var environment: Environment {
        var variables: [String: String] = [:]
        forEachVariable { variables[$1] = $2 }
        for (name, value) in callers { variables[name] = value }
        return Environment(variables)
    }

    private static func forEachVariable(
        _ body: (_ entry: UnsafeMutablePointer<CChar>, _ name: String, _ value: String) -> Void
    ) {
        var next = environ
        while let entry = next.pointee {
            let text = String(cString: entry)
            if let equals = text.utf8.firstIndex(of: UInt8(ascii: "=")) {
                body(entry, String(text[..<equals]), String(text[text.index(after: equals)...]))
            }
            next += 1
        }
    }

    static func run(_ body: @escaping @Sendable () async -> Int32) -> Never {
        TaskThreads.startWithoutProc()
        Task { exit(await body()) }
        // Tasks run on other threads.
        while true { pause() }
    }

    /// Ends the process without the cleanup of libraries, because another thread may be loading a library. All output
    /// was already written.
    static func exit(_ code: Int32) -> Never {
        beforeExit.withLock { $0 }?()
        _exit(code)
    }

    /// Called by `exit` before the process ends.
    static let beforeExit = Lock<(@Sendable () -> Void)?>(nil)
}
