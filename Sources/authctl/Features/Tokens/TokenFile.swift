import AuthCore
import Glibc

/// The files from which a long-running command reads its tokens, in a directory that only this user can access.
///
/// This process keeps the directory open and locked. Files are created relative to its descriptor, so renaming the
/// directory has no effect. A later process removes unlocked directories, which killed processes left behind.
struct TokenFiles: Sendable {
    private let parent: Int32
    private let name: String
    private let directory: Int32
    private let path: String

    private static let prefix = "authctl-exec."
    private static let first = "token"

    /// Creates the directory in the user's runtime directory, or in `/tmp` if that is missing or belongs to another
    /// user, as after `sudo -E`.
    init(_ environment: Environment) throws {
        let named = environment["XDG_RUNTIME_DIR"].flatMap { $0.hasPrefix("/") ? $0 : nil }
        var opened: (path: String, descriptor: Int32)?
        for place in [named, "/tmp"].compactMap({ $0 }) where opened == nil {
            opened = (try? TrustedPath.ofUser.directory(place, last: .parent)).map { (place, $0) }
        }
        guard let opened else { throw StoreError.tooOpen(path: "/tmp", mode: 0o777, expected: 0o1777) }
        parent = opened.descriptor
        TokenFiles.removeLeftovers(in: parent)
        name = TokenFiles.prefix + String(UInt64.random(in: 0 ... .max), radix: 36)
        path = "\(opened.path)/\(name)"
        guard mkdirat(parent, name, 0o700) == 0 else {
            throw StoreError.system(operation: "make a directory in", path: opened.path, code: errno)
        }
        directory = openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard directory >= 0, TokenFiles.isPrivate(directory), flock(directory, LOCK_EX | LOCK_NB) == 0 else {
            throw StoreError.system(operation: "open", path: path, code: errno)
        }
    }

    private static func isPrivate(_ directory: Int32) -> Bool {
        stat(of: directory).map { FileTrust($0).isPrivate } ?? false
    }

    /// Removes the tokens of killed processes. An empty directory may belong to a process that has just started.
    private static func removeLeftovers(in parent: Int32) {
        for name in DirectoryListing.names(of: parent) ?? [] where name.hasPrefix(prefix) {
            let directory = openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
            guard directory >= 0 else { continue }
            let isEmpty = DirectoryListing.names(of: directory)?.allSatisfy { [".", ".."].contains($0) } ?? true
            if !isEmpty, isPrivate(directory), flock(directory, LOCK_EX | LOCK_NB) == 0 {
                empty(directory, name: name, in: parent)
            }
            close(directory)
        }
    }

    private static func name(_ number: Int) -> String { number == 0 ? first : "\(first)-\(number + 1)" }

    func path(of number: Int) -> String { "\(path)/\(TokenFiles.name(number))" }

    func write(_ token: String, to number: Int) throws {
        let name = TokenFiles.name(number)
        do throws(AtomicFile.Failure) {
            try AtomicFile.replace(name, with: Array(token.utf8), by: ".\(name)", in: directory)
        } catch {
            throw StoreError.system(operation: "write", path: path(of: number), code: error.code)
        }
    }

    func remove(_ number: Int) { unlinkat(directory, TokenFiles.name(number), 0) }

    func remove() { TokenFiles.empty(directory, name: name, in: parent) }

    private static func empty(_ directory: Int32, name: String, in parent: Int32) {
        // Another thread may be writing a token.
        for _ in 0..<10 {
            for file in DirectoryListing.names(of: directory) ?? [] { unlinkat(directory, file, 0) }
            if unlinkat(parent, name, AT_REMOVEDIR) == 0 || errno != ENOTEMPTY { return }
        }
    }
}
