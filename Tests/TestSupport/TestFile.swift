import FoundationEssentials
import Glibc

public enum TestFile {
    /// The resident memory of this process in kilobytes (proc(5)).
    public static func residentKilobytes() throws -> Int {
        let lines = String(decoding: try read("/proc/self/status"), as: UTF8.self).split(separator: "\n")
        let line = lines.first { $0.hasPrefix("VmRSS:") }
        return line?.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) } ?? 0
    }

    /// Reads to the end, because files in /proc have no length.
    public static func read(_ path: String) throws -> [UInt8] {
        guard let file = fopen(path, "r") else { throw CocoaError(.fileReadNoSuchFile) }
        defer { fclose(file) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65536)
        while case let count = fread(&buffer, 1, buffer.count, file), count > 0 { bytes += buffer[..<count] }
        return bytes
    }
}
