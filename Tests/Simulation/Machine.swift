import AuthCoreTesting
import Glibc
import TestSupport

@testable import AuthCore

/// A simulated machine with a store and a few concurrent processes. The seed determines everything: the commands, which
/// process continues or is killed at each step, the clock, and the provider.
///
/// It is unchecked Sendable because one thread runs everything that uses it.
final class Machine: @unchecked Sendable {
    private static let epoch: Int64 = 1_795_248_000
    private static let maximumSteps = 20_000

    var numbers: SeededGenerator
    let directory: ConfigDirectory
    private let folder: TemporaryFolder
    private let executor = OneThread()
    private let observer: Store
    let provider: SimulatedProvider
    private(set) var violation: String?
    private(set) var trace: [String] = []
    private let isTraced: Bool

    // MARK: Time

    private(set) var step = 0
    private var time = 0.0
    /// The difference between the machine's clock and the provider's, in seconds.
    private var ahead: Int64 = 0
    var serverTime: Int64 { Self.epoch + Int64(time) }
    var now: Int64 { serverTime + ahead }

    // MARK: What this seed does

    private let width: Int
    private let planned: Int
    let chances: Chances

    /// The probabilities, which depend on the seed, so that rare events are frequent with some seeds.
    struct Chances {
        var kill, jump, age, lost, refused, keysMissing, untyped, foreign: Double

        init(_ numbers: inout SeededGenerator) {
            func one(of values: [Double]) -> Double { values.randomElement(using: &numbers) ?? 0 }
            kill = one(of: [0, 0.003, 0.01, 0.03])
            jump = one(of: [0, 0, 0.005, 0.02])
            age = one(of: [0.01, 0.03, 0.1])
            lost = one(of: [0, 0, 0.05, 0.2])
            refused = one(of: [0, 0, 0.1])
            keysMissing = one(of: [0, 0, 0.1, 0.3])
            untyped = one(of: [0, 0, 0.1, 0.3])
            foreign = one(of: [0, 0, 0.1])
        }
    }

    // MARK: What was seen

    private var processes: [SimulatedProcess] = []
    private(set) var kills = 0
    private var version = -1
    private(set) var accounts: [Account] = []
    private(set) var current: String?
    private var sessions: [String: (family: Int, refresh: Int, access: Int)] = [:]
    private var families: [String: Set<Int>] = [:]
    private var deletions: [String: Int] = [:]
    /// The access tokens that were returned, with their providers.
    var handedOut: [(token: AccessToken, provider: String)] = []

    init(seed: UInt64, key: TestProvider, isTraced: Bool) throws {
        numbers = SeededGenerator(seed: seed)
        self.isTraced = isTraced
        width = Int.random(in: 2...5, using: &numbers)
        planned = Int.random(in: 10...30, using: &numbers)
        chances = Chances(&numbers)
        folder = try TemporaryFolder()
        directory = ConfigDirectory(path: folder.path + "/config")
        guard let store = try Store.open(in: directory, host: NonInteractiveVaultHost(), creating: true) else {
            throw StoreError.damagedEntry("store")
        }
        observer = store
        provider = SimulatedProvider(key)
        provider.report = { [unowned self] in fail($0) }
        provider.hasWindow = numbers.chance(0.5)
    }

    func fail(_ reason: String) {
        note("VIOLATION: \(reason)")
        if violation == nil { violation = reason }
    }

    func note(_ line: @autoclosure () -> String) {
        trace.append(isTraced || violation != nil ? "\(step) \(line())" : "")
    }

    // MARK: Running

    func run() {
        prepare()
        while violation == nil {
            executor.runAll()
            observe()
            let live = processes.filter { !$0.isDone }
            if live.isEmpty, processes.count == planned { break }
            guard step < Self.maximumSteps else { return fail("it does not end") }
            guard live.allSatisfy(\.isWaiting) else { return fail("a process waits for something outside") }
            step += 1
            if live.count < width, processes.count < planned, live.isEmpty || numbers.chance(0.3) {
                begin()
            } else if numbers.chance(chances.kill), let victim = live.randomElement(using: &numbers) {
                kill(victim)
            } else if numbers.chance(chances.jump) {
                ahead = [0, 30, -30, 90, -90, 7200, -7200, 40 * 86400, -40 * 86400].randomElement(using: &numbers) ?? 0
                note("the clock is \(ahead) s ahead")
            } else if numbers.chance(chances.age) {
                time += Double.random(in: 0...([3, 10, 100].randomElement(using: &numbers) ?? 3), using: &numbers)
            } else if let next = live.filter({ $0.wakesAt <= time }).randomElement(using: &numbers) {
                next.resume()
            } else {
                time = max(time, live.map(\.wakesAt).min() ?? time)
            }
            for process in processes where !process.isDone {
                process.clock = min(process.clock.lowerBound, now)...max(process.clock.upperBound, now)
            }
        }
        // In any case, no process must continue after this seed.
        for process in processes where !process.isDone { process.kill() }
        executor.runAll()
        checkModes()
    }

    /// Creates the key and records the directory before the first process starts.
    private func prepare() {
        let (store, directory) = (observer, directory)
        Task(executorPreference: executor) {
            do {
                _ = try await store.sealer(creating: true)
                await SessionStore(store: store, profile: "default").remember(
                    try SettingsDigest(directory.settings(), namesEmulator: false))
            } catch { self.fail("the store cannot be made: \(error)") }
        }
        executor.runAll()
    }

    private func begin() {
        let process = SimulatedProcess(processes.count, began: step, clock: now, current: current, accounts: accounts)
        processes.append(process)
        let command = Command(self, process)
        Task(executorPreference: executor) {
            await command.run()
            process.isDone = true
        }
    }

    private func kill(_ victim: SimulatedProcess) {
        kills += 1
        note("process \(victim.number) is killed")
        victim.kill()
        executor.runAll()
        if !victim.isDone { fail("a killed process goes on") }
        observe()
        // The response with the new refresh token did not arrive. After that, the process has stored it.
        if let rotation = victim.rotation, !victim.hasReceived,
            storedGeneration(rotation.family) < rotation.generation
        {
            provider.excuse(rotation)
        }
        checkModes()
    }

    func storedGeneration(_ family: Int) -> Int { newest[family] ?? -1 }
    private var newest: [Int: Int] = [:]

    // MARK: The connections of a process

    func clock(of process: SimulatedProcess) -> Clock {
        var clock = Clock(now: { [unowned self] in now }) { [unowned self] seconds in
            try await process.pause(until: time + seconds)
        }
        clock.jitter = { [unowned self] in Double.random(in: 0.5...1, using: &numbers) }
        return clock
    }

    func pause(_ process: SimulatedProcess, upTo seconds: Double = 0) async throws(Killed) {
        let wait = seconds == 0 ? 0 : Double.random(in: 0...seconds, using: &numbers)
        try await process.pause(until: time + wait)
    }

    var random: RandomSource {
        RandomSource { [unowned self] count in (0..<count).map { _ in UInt8.random(in: 0...255, using: &numbers) } }
    }

    // MARK: Rules of the store

    /// Reads and checks the store. Called after each step.
    private func observe() {
        do {
            let found = try observer.blockingRead { db -> Seen? in
                let version = try Int.fetchOne(db, "PRAGMA data_version") ?? 0
                guard version != self.version else { return nil }
                let id = try DirectoryID(reading: db, profile: "default", origin: .local)
                let rows = AccountRows(db: db, directoryID: id)
                return Seen(
                    version: version, accounts: try rows.accounts(),
                    currents: try String.fetchAll(db, "SELECT account_uid FROM current_account"),
                    sessions: try SealedSession.fetchAll(from: db, in: id, where: "TRUE"), vault: try VaultRow.fetch(db)
                )
            }
            guard let found, let vault = found.vault else { return }
            version = found.version
            let sealer = try observer.sealer(vault)
            see(found, try found.sessions.map { try $0.opened(sealer) })
        } catch {
            fail("the store cannot be read: \(error)")
        }
    }

    private struct Seen: Sendable {
        let version: Int
        let accounts: [Account]
        let currents: [String]
        let sessions: [SealedSession]
        let vault: VaultRow?
    }

    private func see(_ seen: Seen, _ stored: [Session]) {
        for gone in accounts where !seen.accounts.contains(where: { $0.uid == gone.uid }) { deletions[gone.uid] = step }
        accounts = seen.accounts
        if seen.currents.count > 1 { fail("there are two current accounts") }
        current = seen.currents.first
        if let current, !accounts.contains(where: { $0.uid == current }) { fail("the current account does not exist") }
        for process in processes where !process.isDone {
            process.currents.insert(current)
            process.accounts.append(accounts)
        }
        var now: [String: (family: Int, refresh: Int, access: Int)] = [:]
        for session in stored {
            let place = "\(session.accountUID) \(session.providerID)"
            guard let access = session.accessToken.flatMap({ SimulatedProvider.token($0.revealed()) }) else {
                fail("a session has no access token")
                continue
            }
            let family = provider.families[access.family]
            let refresh = session.refreshToken.flatMap { SimulatedProvider.token($0.revealed()) }
            if let refresh, refresh.family != access.family { fail("a session has tokens of two sign-ins") }
            if refresh == nil, !family.isOver { fail("the refresh token of sign-in \(access.family) was removed") }
            if family.subject != session.subject || family.provider != session.providerID {
                fail("a session has another user's tokens")
            }
            now[place] = (access.family, refresh?.generation ?? family.generation, access.generation)
            newest[access.family] = max(storedGeneration(access.family), refresh?.generation ?? -1)
            if provider.records[access.family][access.generation].storedAt == nil {
                provider.records[access.family][access.generation].storedAt = step
            }
        }
        for (place, session) in now {
            if let before = sessions[place], before.family == session.family {
                if session.refresh < before.refresh || session.access < before.access {
                    fail("an older token of sign-in \(session.family) was stored again")
                }
            } else if !families[place, default: []].insert(session.family).inserted {
                fail("sign-in \(session.family) was stored again after it was replaced or ended")
            }
        }
        sessions = now
    }

    func wasStored(_ family: Int) -> Bool {
        observe()
        return families.values.contains { $0.contains(family) }
    }

    /// A token must be stored, where other processes can find it, before it is returned.
    func checkStored(_ token: IssuedToken) {
        observe()
        if provider.records[token.family][token.generation].storedAt == nil {
            fail("token \(token.family)-\(token.generation) was handed out before it was stored")
        }
    }

    func wasDeleted(_ uid: String, before step: Int) -> Bool { deletions[uid].map { $0 < step } ?? false }

    private func checkModes() {
        func check(_ path: String) {
            var status = stat()
            guard lstat(path, &status) == 0 else { return }
            if status.st_mode & 0o077 != 0 {
                fail("others may use \(path.dropFirst(folder.path.count)): \(String(status.st_mode & 0o777, radix: 8))")
            }
            guard status.st_mode & S_IFMT == S_IFDIR else { return }
            for name in (DirectoryListing.names(at: path) ?? []).sorted() where ![".", ".."].contains(name) {
                check("\(path)/\(name)")
            }
        }
        check(directory.path)
    }
}
