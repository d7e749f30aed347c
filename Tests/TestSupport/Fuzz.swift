import FoundationEssentials

/// A generator with the same numbers for the same seed (SplitMix64), so that a failure can be reproduced.
public struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    public init(seed: UInt64) { state = seed &+ Fuzz.seed }

    public mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }
}

/// The number of iterations of the fuzz tests. It is small in `make test`; `make fuzz` sets the variables.
public enum Fuzz {
    public static let factor = ProcessInfo.processInfo.environment["AUTHCTL_FUZZ_FACTOR"].flatMap(Int.init) ?? 1
    static let seed = ProcessInfo.processInfo.environment["AUTHCTL_FUZZ_SEED"].flatMap(UInt64.init) ?? 0

    public static func iterations(_ count: Int) -> Int { count * factor }
}
