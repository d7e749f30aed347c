import Glibc

/// A program that is run for what it prints: no shell, no input, and not for longer than it may take.
struct Program: Sendable {
    let command: [String]
    var environment: [String: String]
    /// Seconds.
    var patience = 30

    struct Result: Sendable {
        /// As `waitpid` has it.
        var status: Int32
        var output: [UInt8]
        var errors: [UInt8]
        /// It was ended for taking too long, or for printing too much.
        var isCut = false

        var isSuccess: Bool { status == 0 }
    }

    private static let maximumLength = 1 << 20

    /// Runs it to its end on a thread of its own; what it prints beyond a megabyte, or later than it may, ends it.
    /// - Throws: `Child.NotStarted`.
    func run() async throws -> Result {
        try await Blocking.run { () -> Swift.Result<Result, Child.NotStarted> in
            do throws(Child.NotStarted) { return .success(try finish()) } catch { return .failure(error) }
        }.get()
    }

    /// The same on this thread, which waits.
    /// - Throws: `Child.NotStarted`.
    func finish() throws(Child.NotStarted) -> Result {
        var ends: (output: [Int32], errors: [Int32]) = ([-1, -1], [-1, -1])
        guard pipe(&ends.output) == 0, pipe(&ends.errors) == 0 else {
            throw Child.NotStarted(command: command[0], number: errno)
        }
        defer { for end in [ends.output[0], ends.errors[0]] { close(end) } }
        let child = try spawn(ends.output[1], ends.errors[1])
        var result = Result(status: 0, output: [], errors: [])
        var isLate = false
        var open = [ends.output[0]: true, ends.errors[0]: true]
        let deadline = Program.now() + patience * 1000
        while open.values.contains(true), !isLate {
            var waiting = open.filter(\.value).map { pollfd(fd: $0.key, events: Int16(POLLIN), revents: 0) }
            let count = poll(&waiting, nfds_t(waiting.count), Int32(max(0, deadline - Program.now())))
            isLate = count == 0
            for entry in waiting where entry.revents != 0 {
                var buffer = [UInt8](repeating: 0, count: 65536)
                let length = read(entry.fd, &buffer, buffer.count)
                guard length > 0 else {
                    open[entry.fd] = length < 0 && errno == EINTR
                    continue
                }
                if entry.fd == ends.output[0] {
                    result.output += buffer[..<length]
                } else {
                    result.errors += buffer[..<length]
                }
                if max(result.output.count, result.errors.count) > Program.maximumLength { isLate = true }
            }
        }
        if isLate { kill(child, SIGKILL) }
        result.isCut = isLate
        while waitpid(child, &result.status, 0) < 0, errno == EINTR {}
        return result
    }

    private func spawn(_ output: Int32, _ errors: Int32) throws(Child.NotStarted) -> pid_t {
        defer {
            close(output)
            close(errors)
        }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_adddup2(&actions, output, 1)
        posix_spawn_file_actions_adddup2(&actions, errors, 2)
        return try Child.spawn(command, environment, &actions)
    }

    /// Milliseconds of the monotonic clock.
    private static func now() -> Int {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return time.tv_sec * 1000 + time.tv_nsec / 1_000_000
    }
}
