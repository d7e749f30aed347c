import AuthCore
import TestSupport

extension SeededGenerator {
    mutating func chance(_ probability: Double) -> Bool { Double.random(in: 0..<1, using: &self) < probability }
}

/// Runs the jobs of all tasks on the thread that calls `runAll`, in the order in which they were enqueued.
final class OneThread: TaskExecutor {
    private let jobs = Lock<[UnownedJob]>([])

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        jobs.withLock { $0.append(job) }
    }

    /// Returns when every task waits or has ended.
    func runAll() {
        while let job = jobs.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) {
            job.runSynchronously(on: asUnownedTaskExecutor())
        }
    }
}

/// The process was killed, and must not change the store or send requests any more.
struct Killed: Error {}

/// One simulated process: a task that waits at each step at which another process could continue.
///
/// It is unchecked Sendable because one thread runs everything that uses it.
final class SimulatedProcess: @unchecked Sendable {
    let number: Int
    /// The step in which it began.
    let began: Int
    fileprivate(set) var isKilled = false
    var isDone = false
    private var continuation: CheckedContinuation<Void, Never>?
    /// The simulated time at which the process can continue.
    private(set) var wakesAt = 0.0

    /// The range of the machine's clock while the process ran.
    var clock: ClosedRange<Int64>
    /// The accounts that were current while the process ran.
    var currents: Set<String?>
    /// The accounts that there were while the process ran.
    var accounts: [[Account]]
    /// The rotated refresh token that the process has received or will receive.
    var rotation: IssuedToken?
    /// Whether it was received: then it must not be lost with the process.
    var hasReceived = false
    /// Whether the connection of the last request broke without a response.
    var mayRepeat = false
    private var sent: [IssuedToken] = []

    /// Checks that a refresh token is sent again only after a connection broke without a response, and only once.
    func send(_ token: IssuedToken?, _ fail: (String) -> Void) {
        guard let token else { return }
        let count = sent.count { $0 == token }
        if count > 1 || count == 1 && !mayRepeat { fail("process \(number) sends a refresh token \(count + 1) times") }
        sent.append(token)
        mayRepeat = false
    }

    init(_ number: Int, began: Int, clock: Int64, current: String?, accounts: [Account]) {
        self.number = number
        self.began = began
        self.clock = clock...clock
        currents = [current]
        self.accounts = [accounts]
    }

    var isWaiting: Bool { continuation != nil }

    /// Lets other processes continue, at least until this simulated time.
    func pause(until time: Double) async throws(Killed) {
        if isKilled { throw Killed() }
        wakesAt = time
        await withCheckedContinuation { continuation = $0 }
        if isKilled { throw Killed() }
    }

    func resume() {
        let waiting = continuation
        continuation = nil
        waiting?.resume()
    }

    func kill() {
        isKilled = true
        resume()
    }
}
