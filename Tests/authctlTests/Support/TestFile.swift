import FoundationEssentials
import Glibc

enum TestFile {
    /// Reads to the end: files of /proc do not say how long they are.
    static func read(_ path: String) throws -> [UInt8] {
        guard let file = fopen(path, "r") else { throw CocoaError(.fileReadNoSuchFile) }
        defer { fclose(file) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65536)
        while case let count = fread(&buffer, 1, buffer.count, file), count > 0 { bytes += buffer[..<count] }
        return bytes
    }
}

/// The same numbers for the same seed (SplitMix64).
struct SeededNumbers: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed &+ (ProcessInfo.processInfo.environment["AUTHCTL_FUZZ_SEED"].flatMap(UInt64.init) ?? 0)
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }
}

enum FuzzLength {
    static let factor = ProcessInfo.processInfo.environment["AUTHCTL_FUZZ_FACTOR"].flatMap(Int.init) ?? 1
}
