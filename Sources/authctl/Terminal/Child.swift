import AuthCore
import CLinux
import Glibc
import Synchronization

/// A child process, which does not inherit authctl's signal settings and descriptors.
/// swift-subprocess is always the parent of what it starts, and closes every descriptor above 2; `exec` must give its
/// command the descriptors and signals of the caller.
struct Child {
    /// Why a command could not be started, with the exit code that shells use.
    struct NotStarted: Error {
        let command: String
        let number: Int32

        var exitCode: Int32 { number == ENOENT ? 127 : 126 }
    }

    private let process: pid_t

    /// The environment without authctl's variables for passphrases, client secrets and tokens.
    static func environment(from environment: Environment) -> Environment {
        environment.without { name in
            let isSecret = ["_CLIENT_SECRET", "_TOKEN", "_TOKEN_FILE"].contains { name.hasSuffix($0) }
            return name.hasPrefix("AUTHCTL_PASSPHRASE_") || name.hasPrefix("AUTHCTL_") && isSecret
        }
    }

    /// Replaces this process with the command. Returns only if that fails.
    static func replace(_ command: [String], _ environment: Environment) -> NotStarted {
        Process.restoreForChild()
        var variables = Process.variables(of: environment)
        return NotStarted(command: command[0], number: clinux_execute(Process.words(of: command), &variables))
    }

    /// Starts the command in this process's group, so that the terminal's signals reach both. It gets the signals that
    /// this process receives after `forwardSignals`.
    static func start(_ command: [String], _ environment: Environment) throws(NotStarted) -> Child {
        let process = try Process.withCoreLimitOfCaller { () throws(NotStarted) in
            try spawn(command, with: environment, keeping: Process.inherited, ignoring: Process.ignoredByCaller)
        }
        target.store(process, ordering: .sequentiallyConsistent)
        forwardHeld()
        return Child(process: process)
    }

    static func spawn(
        _ command: [String], with environment: Environment, streams: (output: Int32, errors: Int32)? = nil,
        keeping retained: Set<Int32> = [], ignoring ignored: Set<Int32> = [], isOwnGroup: Bool = false
    ) throws(NotStarted) -> pid_t {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        if let streams {
            posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
            posix_spawn_file_actions_adddup2(&actions, streams.output, 1)
            posix_spawn_file_actions_adddup2(&actions, streams.errors, 2)
        }
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        defaultSignals(&attributes, except: ignored, isOwnGroup: isOwnGroup)
        Process.closeOnExec(keeping: retained)
        let words = Process.words(of: command)
        let variables = Process.variables(of: environment)
        defer { for pointer in words + variables { free(pointer) } }
        guard let program = words[0] else { throw NotStarted(command: command[0], number: ENOMEM) }
        var process = pid_t()
        let code = posix_spawnp(&process, program, &actions, &attributes, words, variables)
        guard code == 0 else { throw NotStarted(command: command[0], number: code) }
        return process
    }

    /// The child that signals are forwarded to, 0 before it is started; and the signal that waits for it.
    private static let target = Atomic<pid_t>(0)
    private static let held = Atomic<Int32>(0)

    /// From now on, signals do not end this process, which has to remove files after the command.
    static func forwardSignals() {
        // Initializes the static variables here, because a signal handler must not.
        target.store(0, ordering: .sequentiallyConsistent)
        held.store(0, ordering: .sequentiallyConsistent)
        let ignored = Process.ignoredByCaller
        var action = sigaction()
        action.sa_flags = SA_SIGINFO | SA_RESTART
        action.__sigaction_handler.sa_sigaction = { number, info, _ in
            // The terminal also sends its signals to the command. The code of a process's signal is not positive.
            let isStarted = Child.target.load(ordering: .sequentiallyConsistent) != 0
            if !isStarted || info.map({ $0.pointee.si_code <= 0 }) ?? false { Child.forward(number) }
        }
        for number in [SIGINT, SIGQUIT] where !ignored.contains(number) { sigaction(number, &action, nil) }
        for number in [SIGTERM, SIGHUP, SIGUSR1, SIGUSR2] where !ignored.contains(number) {
            signal(number) { Child.forward($0) }
        }
    }

    /// Async-signal-safe.
    private static func forward(_ number: Int32) {
        let process = target.load(ordering: .sequentiallyConsistent)
        if process != 0 {
            kill(process, number)
        } else {
            held.store(number, ordering: .sequentiallyConsistent)
            // The command may have been started meanwhile.
            if target.load(ordering: .sequentiallyConsistent) != 0 { forwardHeld() }
        }
    }

    private static func forwardHeld() {
        let number = held.exchange(0, ordering: .sequentiallyConsistent)
        if number != 0 { kill(target.load(ordering: .sequentiallyConsistent), number) }
    }

    /// Restores the default signals, because this process may block or ignore some.
    private static func defaultSignals(
        _ attributes: inout posix_spawnattr_t, except ignored: Set<Int32>, isOwnGroup: Bool
    ) {
        var none = sigset_t()
        sigemptyset(&none)
        var all = sigset_t()
        sigfillset(&all)
        for number in ignored { sigdelset(&all, number) }
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setsigdefault(&attributes, &all)
        let flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | (isOwnGroup ? POSIX_SPAWN_SETPGROUP : 0)
        posix_spawnattr_setflags(&attributes, Int16(flags))
    }

    func wait() async -> Int32 { await NewThread.run { Child.wait(for: process) } }

    static func wait(for process: pid_t) -> Int32 {
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0, errno == EINTR {}
        return status
    }

    static func end(like status: Int32) -> Never {
        let number = status & 0x7F
        if number == 0 { Process.exit(status >> 8 & 0xFF) }
        signal(number, SIG_DFL)
        Process.unblockSignals()
        kill(getpid(), number)
        Process.exit(128 + number)
    }
}
