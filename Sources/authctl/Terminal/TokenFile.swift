import AuthCore
import Glibc

/// The file that a long-running command reads its token from: in a directory of its own that nobody else can enter.
///
/// The directory is held open and locked for as long as this process lives: files are made relative to it, whatever is
/// done to its name, and the next one of these finds what a killed process left by its lock.
struct TokenFile: Sendable {
    private let parent: Int32
    private let name: String
    private let directory: Int32
    let path: String

    private static let prefix = "authctl-exec."
    private static let file = "token"
    private static let temporary = ".token"

    /// In the person's runtime directory, or in `/tmp` where there is none or it is somebody else's, as after `sudo -E`.
    init(_ environment: Environment) throws {
        let named = environment["XDG_RUNTIME_DIR"].flatMap { $0.hasPrefix("/") ? $0 : nil }
        var opened: (path: String, descriptor: Int32)?
        for place in [named, "/tmp"].compactMap({ $0 }) where opened == nil {
            opened = TokenFile.safeDirectory(place).map { (place, $0) }
        }
        guard let opened else { throw StoreError.tooOpen(path: "/tmp", mode: 0o777, wanted: 0o1777) }
        parent = opened.descriptor
        TokenFile.removeStrays(in: parent)
        name = TokenFile.prefix + String(UInt64.random(in: 0 ... .max), radix: 36)
        path = "\(opened.path)/\(name)/\(TokenFile.file)"
        guard mkdirat(parent, name, 0o700) == 0 else {
            throw StoreError.system(operation: "make a directory in", path: opened.path, code: errno)
        }
        directory = openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard directory >= 0, TokenFile.isOurs(directory), flock(directory, LOCK_EX | LOCK_NB) == 0 else {
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

    private static func isOurs(_ directory: Int32) -> Bool {
        var status = stat()
        return fstat(directory, &status) == 0 && FileTrust(status).isPrivate
    }

    /// Removes the tokens of processes that were killed. A directory without a token is somebody's who is just beginning.
    private static func removeStrays(in parent: Int32) {
        for name in DirectoryListing.names(of: parent) ?? [] where name.hasPrefix(prefix) {
            let directory = openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
            guard directory >= 0 else { continue }
            if isOurs(directory), faccessat(directory, file, F_OK, 0) == 0, flock(directory, LOCK_EX | LOCK_NB) == 0 {
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
