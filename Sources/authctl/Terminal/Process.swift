import Glibc

/// This process as the operating system sees it.
enum Process {
    /// Set up before anything secret is in memory: no core dump, no death by a closed pipe.
    static func protect() {
        var none = rlimit(rlim_cur: 0, rlim_max: 0)
        setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &none)
        signal(SIGPIPE, SIG_IGN)
    }

    static func exit(_ code: Int32) -> Never { Glibc.exit(code) }
}
