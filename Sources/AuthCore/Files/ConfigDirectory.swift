import CLinux
import Glibc

/// The directory with all files of one user: `config.yaml`, `authctl.db`, `key`, `locks/`.
///
/// Files are opened relative to the checked directory, and never through a link. They are checked after they are open,
/// so that no file can be replaced between the check and the use.
package struct ConfigDirectory: Sendable {
    package let path: String
    private let notice: @Sendable (String) -> Void
    private let verified = VerifiedDirectory()

    package init(path: String, notice: @escaping @Sendable (String) -> Void = { _ in }) {
        self.path = path
        self.notice = notice
    }

    package static func defaultPath(_ named: String?, _ environment: Environment) -> String? {
        if let path = named ?? environment["AUTHCTL_CONFIG_DIR"], !path.isEmpty { return absolute(path) }
        // A relative XDG path is to be ignored (XDG Base Directory Specification).
        if let xdg = environment["XDG_CONFIG_HOME"], xdg.hasPrefix("/") { return xdg + "/authctl" }
        let home = environment.home
        return home.isEmpty ? nil : home + "/.config/authctl"
    }

    /// The path without symbolic links; nil with errno if it cannot be resolved.
    package static func resolved(_ path: String) -> String? {
        guard let pointer = realpath(path, nil) else { return nil }
        defer { free(pointer) }
        return String(cString: pointer)
    }

    package static func absolute(_ path: String) -> String {
        guard !path.hasPrefix("/"), let current = getcwd(nil, 0) else { return path }
        defer { free(current) }
        return String(cString: current) + "/" + path
    }

    /// The access of other users to a file: they may not access a secret, but may read the settings.
    package enum Protection: Sendable { case secret, settings }

    package func create() throws(StoreError) {
        do throws(StoreError) { close(try TrustedPath.ofConfigDirectory.directory(path, last: .unchecked)) } catch {
            // If the path cannot be followed, mkdir(2) says why.
            guard case .system = error else { throw error }
        }
        var prefix = ""
        for part in path.split(separator: "/", omittingEmptySubsequences: true) {
            prefix += "/" + part
            if mkdir(prefix, 0o700) != 0, errno != EEXIST, errno != EISDIR {
                let code = errno
                guard stat(at: prefix) != nil else { throw .system(operation: "make", path: prefix, code: code) }
            }
        }
        _ = try withDirectory(.write) { _ throws(StoreError) in }
    }

    /// - Throws: if the path cannot be examined. A missing path is not an error.
    package var exists: Bool {
        get throws(StoreError) {
            if stat(at: path, followsLinks: false) != nil { return true }
            guard errno == ENOENT || errno == ENOTDIR else {
                throw .system(operation: "look at", path: path, code: errno)
            }
            return false
        }
    }

    package func path(of name: String) -> String { path + "/" + name }

    /// The caller's access to the directory. Only a caller that writes changes a mode.
    enum Access { case read, write }

    private func withDirectory<R>(_ access: Access, _ body: (Int32) throws(StoreError) -> R) throws(StoreError) -> R {
        let directory = try opened()
        defer { close(directory) }
        try check(directory, at: path, for: access, in: directory)
        return try body(directory)
    }

    private static let flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC

    /// Opens this directory. Its path is checked again if it leads to another directory than before.
    private func opened() throws(StoreError) -> Int32 {
        if let known = verified.id.withLock({ $0 }) {
            let directory = openat(AT_FDCWD, path, ConfigDirectory.flags)
            if directory >= 0, stat(of: directory).map({ FileID($0) }) == known { return directory }
            if directory >= 0 { close(directory) }
        }
        let directory: Int32
        do throws(StoreError) {
            directory = try TrustedPath.ofConfigDirectory.directory(path, last: .unchecked)
        } catch .system(_, _, let code) where code == ELOOP || code == ENOTDIR {
            throw .notADirectory(path: path)
        }
        let id = stat(of: directory).map { FileID($0) }
        verified.id.withLock { $0 = id }
        return directory
    }

    private func withLocks<R>(
        _ access: Access, in directory: Int32, body: (Int32) throws(StoreError) -> R
    ) throws(StoreError) -> R {
        let locks = openat(directory, ConfigDirectory.locks, ConfigDirectory.flags)
        if locks < 0, errno == ELOOP || errno == ENOTDIR {
            throw .notADirectory(path: path(of: ConfigDirectory.locks))
        }
        guard locks >= 0 else { throw failed("open", of: ConfigDirectory.locks) }
        defer { close(locks) }
        try check(locks, at: path(of: ConfigDirectory.locks), for: access, in: directory)
        return try body(locks)
    }

    /// Whether only authctl uses the directory: it contains the store, and nothing that is not authctl's.
    /// The modes of a project's directory, a home directory or `/` are never changed, even if a user names it.
    private static func isOnlyForAuthctl(_ directory: Int32) -> Bool {
        guard stat(at: store, in: directory, followsLinks: false) != nil else { return false }
        return (DirectoryListing.names(of: directory) ?? ["?"]).allSatisfy { name in
            // Also temporary files, journals and the copies that hints make.
            let visible = name.drop { $0 == "." }
            return visible.isEmpty
                || names.contains { own in visible == own || [".", "-"].contains { visible.hasPrefix(own + $0) } }
        }
    }

    private func check(
        _ directory: Int32, at path: String, for access: Access, in configDirectory: Int32
    ) throws(StoreError) {
        guard let status = stat(of: directory) else { throw .system(operation: "look at", path: path, code: errno) }
        let trust = FileTrust(status)
        guard trust.isOwn else { throw .wrongOwner(path: path, owner: trust.owner) }
        guard !trust.isWritableByOthers else { throw .tooOpen(path: path, mode: trust.mode, expected: 0o700) }
        if access == .write, trust.isReadableByOthers, ConfigDirectory.isOnlyForAuthctl(configDirectory) {
            guard fchmod(directory, 0o700) == 0 else { throw .system(operation: "chmod", path: path, code: errno) }
            notice("'\(path)' could be read by other people; its mode is now 0700")
        }
    }

    /// Checks whether a change could be stored, before a browser is opened or a token is used for it. The directory may
    /// be read-only, the disk full, or the process's limit of file sizes too low.
    package func requireWritable() throws(StoreError) {
        // The directory is created in its nearest existing ancestor.
        var base = path
        while base.count > 1, stat(at: base) == nil {
            base = String(base[..<(base.lastIndex(of: "/") ?? base.startIndex)])
        }
        for place in [base.isEmpty ? "/" : base, path(of: ConfigDirectory.store)]
        where !FileTrust.mayWrite(place) && errno != ENOENT {
            throw .notWritable(path: place, code: errno)
        }
        let length = Int(stat(at: path(of: ConfigDirectory.store))?.st_size ?? 0)
        var limit = rlimit()
        let isLimited = getrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit) == 0
        if isLimited, limit.rlim_cur < rlim_t(length + ConfigDirectory.reservedSpace) {
            throw .notWritable(path: path(of: ConfigDirectory.store), code: EFBIG)
        }
        guard FileTrust.hasSpace(for: ConfigDirectory.reservedSpace, at: base) else {
            throw .notWritable(path: base, code: ENOSPC)
        }
    }

    static let store = "authctl.db"

    private static let locks = "locks"

    /// Bytes that one change may need for the database and its journal.
    private static let reservedSpace = 256 << 10

    static let settingsName = "config.yaml"

    /// The file of the vault `file`.
    static let keyName = "key"

    /// The files and directories that authctl makes.
    private static let names = [
        store, locks, settingsName, keyName, "account-rules", "profile", "serve-audit.jsonl",
    ]

    /// The maximum length of the settings in bytes, for reading and writing.
    static let settingsLimit = 1 << 20

    /// The text of the settings; empty if there is none.
    func settings() throws(StoreError) -> [UInt8] {
        try read(ConfigDirectory.settingsName, as: .settings, maximumLength: ConfigDirectory.settingsLimit) ?? []
    }

    package func read(
        _ name: String, as protection: Protection, maximumLength: Int = 1 << 20
    ) throws(StoreError) -> [UInt8]? {
        guard try exists else { return nil }
        return try withDirectory(.read) { directory throws(StoreError) in
            let file = openat(directory, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK)
            if file < 0, errno == ENOENT { return nil }
            let descriptor = try opened(file, name)
            defer { close(descriptor) }
            try check(descriptor, name: name, for: protection, in: directory, mayBeReplaced: true)
            return try BoundedRead.all(
                of: descriptor, at: path(of: name), limit: maximumLength, isSecret: protection == .secret)
        }
    }

    /// Checks a file that SQLite will open by its path, and the files that SQLite opens with it. Returns its length in
    /// bytes, nil if it does not exist.
    ///
    /// Only this user can write to the directory, so the file cannot be replaced afterwards.
    func checkDatabase(_ name: String) throws(StoreError) -> Int? {
        guard try exists else { return nil }
        return try withDirectory(.read) { directory throws(StoreError) in
            for suffix in ["-journal", "-wal", "-shm"] {
                // Opening another kind of file, for example a pipe, could block forever.
                guard let status = stat(at: name + suffix, in: directory, followsLinks: false) else {
                    if errno == ENOENT { continue }
                    throw failed("look at", of: name + suffix)
                }
                guard status.kind == S_IFREG else { throw .notAPlainFile(path: path(of: name + suffix)) }
            }
            // O_PATH, because closing an opened file would release SQLite's locks on it in this process.
            let file = clinux_open_path(directory, name, O_NOFOLLOW | O_CLOEXEC)
            if file < 0, errno == ENOENT { return nil }
            let descriptor = try opened(file, name)
            defer { close(descriptor) }
            return try check(descriptor, name: name, for: .secret, in: directory)
        }
    }

    @discardableResult
    func createFile(_ name: String, _ bytes: [UInt8]) throws(StoreError) -> Bool {
        try withDirectory(.write) { directory throws(StoreError) in
            removeLeftovers(of: name, in: directory)
            // Unique for this call, so that two calls for the same file do not write into one temporary file.
            let temporary = ".\(name).\(getpid()).\(UInt64.random(in: 0 ... .max)).tmp"
            let descriptor: Int32
            do throws(AtomicFile.Failure) {
                descriptor = try AtomicFile.make(temporary, with: bytes, in: directory)
            } catch {
                throw refused(error, of: name, by: temporary)
            }
            // The file remains locked until it has its final name: a temporary file without a lock is a leftover.
            defer { close(descriptor) }
            // Does not overwrite the file of another process that was faster. The file never has two names, so that a
            // killed process leaves either no file or a complete one.
            if clinux_rename_new(directory, temporary, name) == 0 {
                fsync(directory)
                return true
            }
            var code = errno
            if code == EINVAL || code == ENOSYS {
                // Without RENAME_NOREPLACE, the file has two names for a moment. If the process is killed then, `check`
                // removes the temporary name.
                code = linkat(directory, temporary, directory, name, 0) == 0 ? 0 : errno
            }
            unlinkat(directory, temporary, 0)
            guard code == 0 || code == EEXIST else { throw failed("make", of: name, code: code) }
            fsync(directory)
            return code == 0
        }
    }

    private func temporaries(of name: String) -> [String] {
        (DirectoryListing.names(at: path) ?? []).filter { $0.hasPrefix(".\(name).") && $0.hasSuffix(".tmp") }
    }

    /// Removes temporary files of killed processes: those that no process has locked.
    private func removeLeftovers(of name: String, in directory: Int32) {
        for file in temporaries(of: name) {
            let descriptor = openat(directory, file, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK)
            guard descriptor >= 0 else { continue }
            if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { unlinkat(directory, file, 0) }
            close(descriptor)
        }
    }

    /// Replaces a file in one step. The caller holds the lock that guards it.
    package func replaceFile(_ name: String, _ bytes: [UInt8]) throws(StoreError) {
        try withDirectory(.write) { directory throws(StoreError) in
            let temporary = ConfigDirectory.successor(of: name)
            do throws(AtomicFile.Failure) {
                try AtomicFile.replace(name, with: bytes, by: temporary, in: directory)
            } catch {
                throw refused(error, of: name, by: temporary)
            }
        }
    }

    /// Overwrites and removes a file with a secret, and the temporary file of a killed `replaceFile`. Does nothing if
    /// neither exists. The caller holds the file's lock. The disk may retain the old content.
    func removeSecret(_ name: String) throws(StoreError) {
        guard try exists else { return }
        try withDirectory(.write) { directory throws(StoreError) in
            for file in [ConfigDirectory.successor(of: name), name] { try removeSecret(file, in: directory) }
        }
    }

    private func removeSecret(_ name: String, in directory: Int32) throws(StoreError) {
        let file = openat(directory, name, O_WRONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK)
        if file < 0, errno == ENOENT { return }
        let descriptor = try opened(file, name)
        defer { close(descriptor) }
        let length = try check(descriptor, name: name, for: .secret, in: directory)
        let zeros = [UInt8](repeating: 0, count: min(length, 4096))
        _ = pwrite(descriptor, zeros, zeros.count, 0)
        fsync(descriptor)
        guard unlinkat(directory, name, 0) == 0 || errno == ENOENT else { throw failed("remove", of: name) }
        fsync(directory)
    }

    /// The temporary name of a file before `replaceFile` renames it.
    private static func successor(of name: String) -> String { ".\(name).tmp" }

    private func refused(_ failure: AtomicFile.Failure, of name: String, by temporary: String) -> StoreError {
        switch failure.step {
        case .open: unopened(temporary, failure.code)
        case .write: failed("write", of: temporary, code: failure.code)
        case .rename: failed("replace", of: name, code: failure.code)
        }
    }

    /// Opens a lock file, and creates it if it is missing. Locks are in a separate directory.
    func openLock(_ name: String) throws(StoreError) -> Int32 {
        try withDirectory(.write) { directory throws(StoreError) in
            if mkdirat(directory, ConfigDirectory.locks, 0o700) != 0, errno != EEXIST {
                throw failed("make", of: ConfigDirectory.locks)
            }
            let full = "\(ConfigDirectory.locks)/\(name)"
            let flags = O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK
            let descriptor = try withLocks(.write, in: directory) { locks throws(StoreError) in
                try opened(openat(locks, name, flags, 0o600), full)
            }
            do throws(StoreError) { try check(descriptor, name: full, for: .secret, in: directory) } catch {
                close(descriptor)
                throw error
            }
            return descriptor
        }
    }

    /// Checks the directory of the locks without creating a file.
    package func checkLocks() throws(StoreError) {
        try withDirectory(.read) { directory throws(StoreError) in
            guard stat(at: ConfigDirectory.locks, in: directory, followsLinks: false) != nil else { return }
            try withLocks(.read, in: directory) { _ throws(StoreError) in
                let path = path(of: ConfigDirectory.locks)
                guard FileTrust.mayWrite(path) else { throw .notWritable(path: path, code: errno) }
            }
        }
    }

    private func opened(_ descriptor: Int32, _ name: String) throws(StoreError) -> Int32 {
        guard descriptor < 0 else { return descriptor }
        throw unopened(name, errno)
    }

    private func unopened(_ name: String, _ code: Int32) -> StoreError {
        [ELOOP, ENXIO, EISDIR, ENOTDIR].contains(code)
            ? .notAPlainFile(path: path(of: name)) : failed("open", of: name, code: code)
    }

    private func failed(_ operation: String, of name: String, code: Int32 = errno) -> StoreError {
        .system(operation: operation, path: path(of: name), code: code)
    }

    @discardableResult
    private func check(
        _ descriptor: Int32, name: String, for protection: Protection, in directory: Int32, mayBeReplaced: Bool = false
    ) throws(StoreError) -> Int {
        guard var status = stat(of: descriptor) else { throw failed("look at", of: name) }
        // The process that created the file was killed, or is about to remove its temporary name.
        if status.st_nlink > 1 {
            removeSecondName(of: name, status, in: directory)
            status = stat(of: descriptor) ?? status
        }
        let isSingle = status.st_nlink == 1 || mayBeReplaced && status.st_nlink == 0
        guard status.kind == S_IFREG, isSingle else { throw .notAPlainFile(path: path(of: name)) }
        let trust = FileTrust(status)
        guard trust.isOwn else { throw .wrongOwner(path: path(of: name), owner: trust.owner) }
        guard protection == .secret ? trust.isPrivate : !trust.isWritableByOthers else {
            throw .tooOpen(path: path(of: name), mode: trust.mode, expected: 0o600)
        }
        return Int(status.st_size)
    }

    private func removeSecondName(of name: String, _ status: stat, in directory: Int32) {
        for file in temporaries(of: name) {
            let other = stat(at: file, in: directory, followsLinks: false)
            if other.map({ FileID($0) }) == FileID(status) { unlinkat(directory, file, 0) }
        }
    }
}

/// The directory to which the checked path led.
private final class VerifiedDirectory: Sendable { let id = Lock<FileID?>(nil) }

extension TrustedPath {
    /// With the umask 0002, directories are writable by the user's own group, which has the user's number. In
    /// containers, they may be writable by root's group.
    package static var ofConfigDirectory: TrustedPath {
        var paths = ofUser
        paths.groups = [0, geteuid()]
        return paths
    }
}
