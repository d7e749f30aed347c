import AuthCore
import Glibc

/// A program that is run for its output, without a shell or input and with a timeout.
struct Program: Sendable {
    let command: [String]
    var environment: Environment
    /// Seconds.
    var timeout = 30

    struct Result: Sendable {
        var status: Int32
        var output: [UInt8]
        var errors: [UInt8]
        var wasKilled = false

        var isSuccess: Bool { status == 0 }
    }

    private static let maximumLength = 1 << 20

    /// Runs the program on a separate thread until it ends. The program is killed after the timeout, or after more than
    /// one megabyte of output.
    func run() async throws -> Result {
        try await NewThread.run { Swift.Result { () throws(Child.NotStarted) in try finish() } }.get()
    }

    /// Runs the program like `run`, but blocks this thread.
    func finish() throws(Child.NotStarted) -> Result {
        var (output, errors): ([Int32], [Int32]) = ([-1, -1], [-1, -1])
        guard pipe(&output) == 0, pipe(&errors) == 0 else {
            throw Child.NotStarted(command: command[0], number: errno)
        }
        defer { for end in [output[0], errors[0]] { close(end) } }
        let child = try start(output[1], errors[1])
        var pipes = Pipes(open: [output[0], errors[0]])
        let deadline = Deadline(after: Double(timeout))
        var wasKilled = false
        while !pipes.open.isEmpty, !wasKilled { wasKilled = !pipes.read(until: deadline) }
        if wasKilled { kill(child, SIGKILL) }
        let status = Child.wait(for: child)
        // Incomplete output must not be returned as complete.
        guard pipes.failure == 0 else { throw Child.NotStarted(command: command[0], number: pipes.failure) }
        return Result(
            status: status, output: pipes.bytes[output[0]] ?? [], errors: pipes.bytes[errors[0]] ?? [],
            wasKilled: wasKilled)
    }

    /// The read ends of a program's standard output and error, and what was read from them.
    private struct Pipes {
        var open: [Int32]
        var bytes: [Int32: [UInt8]] = [:]
        /// The system's error number.
        var failure: Int32 = 0

        /// Waits for output and reads it. Returns false after the deadline, or if there is too much.
        mutating func read(until deadline: Deadline) -> Bool {
            var waiting = open.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
            let count = poll(&waiting, nfds_t(waiting.count), deadline.milliseconds)
            for entry in waiting where entry.revents != 0 { read(from: entry.fd) }
            return count != 0 && bytes.values.allSatisfy { $0.count <= Program.maximumLength }
        }

        private mutating func read(from end: Int32) {
            var buffer = [UInt8](repeating: 0, count: 65536)
            let length = Glibc.read(end, &buffer, buffer.count)
            if length > 0 { return bytes[end, default: []] += buffer[..<length] }
            if length < 0, errno == EINTR { return }
            if length < 0 { failure = errno }
            open.removeAll { $0 == end }
        }
    }

    private func start(_ output: Int32, _ errors: Int32) throws(Child.NotStarted) -> pid_t {
        defer { for end in [output, errors] { close(end) } }
        return try Child.spawn(command, with: environment, streams: (output, errors))
    }
}

extension Environment {
    /// Whether a program with this name or path can be run.
    func hasProgram(_ name: String) -> Bool {
        func canRun(_ path: String) -> Bool { stat(at: path)?.kind == S_IFREG && access(path, X_OK) == 0 }
        return name.contains("/") ? canRun(name) : searchPath.contains { canRun("\($0)/\(name)") }
    }
}
