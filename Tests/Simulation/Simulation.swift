import AuthCoreTesting
import Glibc

@testable import AuthCore

/// `Simulation --seeds N [--first S]` runs many seeds. `--seed S` runs one seed and prints its trace.
@main
struct Simulation {
    /// `isPassed` removes the stores before `exit` ends the process.
    static func main() throws { exit(try isPassed() ? 0 : 1) }

    private static func isPassed() throws -> Bool {
        var options: [String: UInt64] = [:]
        var words = CommandLine.arguments.dropFirst()
        while let name = words.popFirst(), let value = words.popFirst().flatMap({ UInt64($0) }) {
            options[name] = value
        }
        let key = try TestProvider()
        if let seed = options["--seed"] {
            let machine = try Machine(seed: seed, key: key, isTraced: true)
            machine.run()
            for line in machine.trace { print(line) }
            return machine.violation == nil
        }
        let (first, count) = (options["--first"] ?? 1, options["--seeds"] ?? 300)
        let began = ContinuousClock.now
        var (steps, kills) = (0, 0)
        for seed in first..<first + count {
            // Runs some seeds twice: only the seed may affect a run, so that failures can be replayed.
            let isCompared = seed % 100 == 0
            let machine = try Machine(seed: seed, key: key, isTraced: isCompared)
            machine.run()
            if let violation = machine.violation {
                print("seed \(seed): \(violation)\n  to see what happened: make simulate SEED=\(seed)")
                return false
            }
            steps += machine.step
            kills += machine.kills
            guard isCompared else { continue }
            let again = try Machine(seed: seed, key: key, isTraced: true)
            again.run()
            guard again.trace == machine.trace else {
                print("seed \(seed): does something else when it is replayed")
                return false
            }
        }
        let seconds = (ContinuousClock.now - began) / .seconds(1)
        print(
            "\(count) seeds from \(first): \(steps) steps, \(kills) kills, \(Int(seconds)) s,",
            "\(Int(Double(count) / max(seconds, 0.001))) seeds/s")
        return true
    }
}
