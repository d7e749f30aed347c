import Glibc

/// System-wide files that only root can have written or created.
struct SystemFiles: Sendable {
    var owner: uid_t = 0

    /// The maximum length of a file in bytes.
    static let limit = 1 << 20

    private var paths: TrustedPath { TrustedPath(owners: [0, owner], trustsOwnerOfRoot: false) }

    static func exists(at path: String) -> Bool {
        stat(at: path, followsLinks: false) != nil || (errno != ENOENT && errno != ENOTDIR)
    }

    func read(_ path: String) throws(PathFault) -> [UInt8]? {
        guard let file = try paths.open(path, S_IFREG) else { return nil }
        defer { close(file) }
        return try BoundedRead.all(of: file, at: path, limit: Self.limit)
    }

    func names(in path: String) throws(PathFault) -> [String]? {
        guard let directory = try paths.open(path, S_IFDIR) else { return nil }
        defer { close(directory) }
        return DirectoryListing.names(of: directory)?.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }
}
