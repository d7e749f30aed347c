import AuthCore
import Glibc

/// The file from which a long-running command reads its token, in a directory that only this user can enter.
///
/// The directory is open and locked as long as this process runs. Files are created relative to its descriptor, so
/// renaming it has no effect. A later process finds the leftovers of a killed one by the missing lock.
struct TokenFile: Sendable {
    private let parent: Int32
    private let name: String
    private let directory: Int32
    let path: String

    private static let prefix = "authctl-exec."
    private static let file = "token"
    private static let temporary = ".token"

    /// In the user's runtime directory, or in `/tmp` if there is none or it belongs to another user, as after `sudo
    /// -E`.
    init(_ environment: Environment) throws {
        let named = environment["XDG_RUNTIME_DIR"].flatMap { $0.hasPrefix("/") ? $0 : nil }
        var opened: (path: String, descriptor: Int32)?
        for place in [named, "/tmp"].compactMap({ $0 }) where opened == nil {
            opened = TokenFile.safeDirectory(place).map { (place, $0) }
        }
        guard let opened else { throw StoreError.tooOpen(path: "/tmp", mode: 0o777, expected: 0o1777) }
        parent = opened.descriptor
        TokenFile.removeStrays(in: parent)
        name = TokenFile.prefix + String(UInt64.random(in: 0 ... .max), radix: 36)
        path = "\(opened.path)/\(name)/\(TokenFile.file)"
        guard mkdirat(parent, name, 0o700) == 0 else {
            throw StoreError.system(operation: "make a directory in", path: opened.path, code: errno)
        }
        directory = openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard directory >= 0, TokenFile.isPrivate(directory), flock(directory, LOCK_EX | LOCK_NB) == 0 else {
            throw StoreError.system(operation: "open", path: "\(opened.path)/\(name)", code: errno)
        }
    }

    private static func safeDirectory(_ path: String) -> Int32? {
        let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        var status = stat()
        if fstat(descriptor, &status) == 0 {
            let trust = FileTrust(status)
            if trust.isTrusted && !trust.isWritableByOthers || trust.owner == 0 && trust.isSticky { return descriptor }
        }
        close(descriptor)
        return nil
    }

    private static func isPrivate(_ directory: Int32) -> Bool {
        var status = stat()
        return fstat(directory, &status) == 0 && FileTrust(status).isPrivate
    }

    /// Removes the tokens of killed processes. A directory without a token belongs to a process that has just started.
    private static func removeStrays(in parent: Int32) {
        for name in DirectoryListing.names(of: parent) ?? [] where name.hasPrefix(prefix) {
            let directory = openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
            guard directory >= 0 else { continue }
            if isPrivate(directory), faccessat(directory, file, F_OK, 0) == 0, flock(directory, LOCK_EX | LOCK_NB) == 0
            {
                empty(directory, name, in: parent)
            }
            close(directory)
        }
    }

    func write(_ token: String) throws {
        do throws(AtomicFile.Failure) {
            try AtomicFile.replace(
                TokenFile.file, Array((token + "\n").utf8), by: TokenFile.temporary, in: directory)
        } catch {
            throw StoreError.system(operation: "write", path: path, code: error.code)
        }
    }

    func remove() { TokenFile.empty(directory, name, in: parent) }

    private static func empty(_ directory: Int32, _ name: String, in parent: Int32) {
        for file in [file, temporary] { unlinkat(directory, file, 0) }
        unlinkat(parent, name, AT_REMOVEDIR)
    }
}
