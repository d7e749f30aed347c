import Glibc

/// Reads a small file to its end, and fails if it is longer than a limit.
package enum BoundedRead {
    /// - Parameter limit: the maximum length in bytes.
    package static func all(
        of descriptor: Int32, limit: Int, isSecret: Bool = false
    ) throws(PathFault.Reason) -> [UInt8] {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: min(limit + 1, 65536))
        defer { if isSecret { buffer.wipe() } }
        while true {
            let count = Glibc.read(descriptor, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw .system(code: errno) }
            if count == 0 { return bytes }
            bytes += buffer[..<count]
            guard bytes.count <= limit else { throw .tooLong(limit: limit) }
        }
    }

    static func file(_ path: String, limit: Int) throws(StoreError) -> NamedFile {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY)
        guard descriptor >= 0 else { throw .system(operation: "open", path: path, code: errno) }
        defer { close(descriptor) }
        let bytes = try all(of: descriptor, at: path, limit: limit, isSecret: true)
        return NamedFile(bytes, insecurity: InsecureFile.found(descriptor, at: path))
    }

    static func all(of descriptor: Int32, at path: String, limit: Int, isSecret: Bool) throws(StoreError) -> [UInt8] {
        do throws(PathFault.Reason) { return try all(of: descriptor, limit: limit, isSecret: isSecret) } catch {
            throw StoreError(PathFault(path: path, error), of: path, operation: "read")
        }
    }
}
