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
        var isCut = false

        var isSuccess: Bool { status == 0 }
    }

    private static let maximumLength = 1 << 20

    /// Runs the program on a separate thread until it ends. The program is killed after the timeout, or after more than
    /// one megabyte of output.
    func run() async throws -> Result {
        try await Blocking.run { () -> Swift.Result<Result, Child.NotStarted> in
            do throws(Child.NotStarted) { return .success(try finish()) } catch { return .failure(error) }
        }.get()
    }

    /// Runs the program like `run`, but blocks this thread.
    func finish() throws(Child.NotStarted) -> Result {
        var ends: (output: [Int32], errors: [Int32]) = ([-1, -1], [-1, -1])
        guard pipe(&ends.output) == 0, pipe(&ends.errors) == 0 else {
            throw Child.NotStarted(command: command[0], number: errno)
        }
        defer { for end in [ends.output[0], ends.errors[0]] { close(end) } }
        let child = try start(ends.output[1], ends.errors[1])
        var printed: [Int32: [UInt8]] = [:]
        var open = [ends.output[0], ends.errors[0]]
        var isCut = false
        var failure: Int32 = 0
        let deadline = Deadline(after: Double(timeout))
        while !open.isEmpty, !isCut {
            var waiting = open.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
            isCut = poll(&waiting, nfds_t(waiting.count), deadline.milliseconds) == 0
            for entry in waiting where entry.revents != 0 {
                var buffer = [UInt8](repeating: 0, count: 65536)
                let length = read(entry.fd, &buffer, buffer.count)
                if length > 0 {
                    printed[entry.fd, default: []] += buffer[..<length]
                } else if length == 0 || errno != EINTR {
                    // Incomplete output must not be returned as complete.
                    if length < 0 { failure = errno }
                    open.removeAll { $0 == entry.fd }
                }
            }
            isCut = isCut || printed.values.contains { $0.count > Program.maximumLength }
        }
        if isCut { kill(child, SIGKILL) }
        let status = Child.wait(for: child)
        guard failure == 0 else { throw Child.NotStarted(command: command[0], number: failure) }
        return Result(
            status: status, output: printed[ends.output[0]] ?? [], errors: printed[ends.errors[0]] ?? [], isCut: isCut)
    }

    private func start(_ output: Int32, _ errors: Int32) throws(Child.NotStarted) -> pid_t {
        defer { for end in [output, errors] { close(end) } }
        return try Child.spawn(command, environment, streams: (output, errors))
    }
}

extension Environment {
    /// Whether a program with this name or path can be run.
    func hasProgram(_ name: String) -> Bool {
        func canRun(_ path: String) -> Bool {
            stat(at: path)?.kind == S_IFREG && access(path, X_OK) == 0
        }
        return name.contains("/") ? canRun(name) : searchPath.contains { canRun("\($0)/\(name)") }
    }
}
