import Dispatch
import Glibc

/// This process as the operating system sees it.
enum Process {
    /// Set up before anything secret is in memory: no core dump, no death by a closed pipe.
    static func protect() {
        var none = rlimit(rlim_cur: 0, rlim_max: 0)
        setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &none)
        signal(SIGPIPE, SIG_IGN)
    }

    /// The environment, without Foundation's way to it.
    static var environment: [String: String] {
        var variables: [String: String] = [:]
        var next = environ
        while let entry = next.pointee {
            let text = String(cString: entry)
            if let equals = text.utf8.firstIndex(of: UInt8(ascii: "=")) {
                variables[String(text[..<equals])] = String(text[text.index(after: equals)...])
            }
            next += 1
        }
        return variables
    }

    /// Runs what waits, and ends with the exit code it returns.
    static func run(_ body: @escaping @Sendable () async -> Int32) -> Never {
        Task { exit(await body()) }
        dispatchMain()
    }

    /// Ends with success, leaving to the kernel what libraries would tidy up: everything was written already.
    static func exitAtOnce() -> Never { _exit(0) }

    static func exit(_ code: Int32) -> Never { Glibc.exit(code) }
}
