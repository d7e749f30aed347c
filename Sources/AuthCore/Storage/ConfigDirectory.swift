import Glibc

/// The directory that holds everything of one user: `config.yaml`, `authctl.db`, `key`, `locks/`.
///
/// Files are opened relative to the checked directory, never through a link, and checked after they are open, so that
/// nothing can be swapped between the look and the use.
public struct ConfigDirectory: Sendable {
    public let path: String
    /// Told when permissions were mended.
    private let notice: @Sendable (String) -> Void

    public init(path: String, notice: @escaping @Sendable (String) -> Void = { _ in }) {
        self.path = path
        self.notice = notice
    }

    /// How far a file may be open to other people.
    public enum Protection: Sendable {
        /// Nobody else may read it: the key, the database.
        case secret
        /// Others could read it, which is mended, but never write it: `config.yaml`.
        case settings
    }

    /// Makes the directory (0700) where it is missing, its parents too.
    /// - Throws: `StoreError`.
    public func create() throws(StoreError) {
        var prefix = ""
        for part in path.split(separator: "/", omittingEmptySubsequences: true) {
            prefix += "/" + part
            if mkdir(prefix, 0o700) != 0, errno != EEXIST, errno != EISDIR {
                let code = errno
                var status = stat()
                guard stat(prefix, &status) == 0 else { throw .system(operation: "make", path: prefix, code: code) }
            }
        }
        _ = try withDirectory { _ throws(StoreError) in }
    }

    /// True when the directory is there; says nothing about whether it may be used.
    public var exists: Bool {
        var status = stat()
        return lstat(path, &status) == 0
    }

    /// The full path of a file in it.
    public func path(of name: String) -> String { path + "/" + name }

    /// Opens the directory, checks it, and lends its descriptor.
    private func withDirectory<R>(_ body: (Int32) throws(StoreError) -> R) throws(StoreError) -> R {
        let directory = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard directory >= 0 else {
            let code = errno
            if code == ELOOP || code == ENOTDIR { throw .notAPlainFile(path: path) }
            throw .system(operation: "open", path: path, code: code)
        }
        defer { close(directory) }
        var status = stat()
        guard fstat(directory, &status) == 0 else { throw .system(operation: "look at", path: path, code: errno) }
        guard status.st_uid == geteuid() else { throw .wrongOwner(path: path, owner: status.st_uid) }
        guard status.st_mode & 0o022 == 0 else {
            throw .tooOpen(path: path, mode: status.st_mode & 0o7777, wanted: 0o700)
        }
        if status.st_mode & 0o055 != 0 {
            guard fchmod(directory, 0o700) == 0 else { throw .system(operation: "chmod", path: path, code: errno) }
            notice("'\(path)' could be read by other people; its mode is now 0700")
        }
        return try body(directory)
    }

    /// Reads a small file; nil when it is not there.
    /// - Throws: `StoreError`.
    public func read(
        _ name: String, _ protection: Protection, maximumLength: Int = 1 << 20
    ) throws(StoreError) -> [UInt8]? {
        guard exists else { return nil }
        return try withDirectory { directory throws(StoreError) in
            let file = openat(directory, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK)
            if file < 0, errno == ENOENT { return nil }
            let descriptor = try opened(file, name)
            defer { close(descriptor) }
            try check(descriptor, name, protection)
            var bytes: [UInt8] = []
            var buffer = [UInt8](repeating: 0, count: 65536)
            while true {
                let count = Glibc.read(descriptor, &buffer, buffer.count)
                if count < 0, errno == EINTR { continue }
                guard count >= 0 else { throw .system(operation: "read", path: path(of: name), code: errno) }
                if count == 0 { return bytes }
                bytes += buffer[..<count]
                guard bytes.count <= maximumLength else {
                    throw .configuration(path: path(of: name), reason: "longer than \(maximumLength) bytes")
                }
            }
        }
    }

    /// Checks a file that SQLite will open by its path. Returns its length in bytes, nil when it is not there.
    ///
    /// The directory is this user's alone, so nobody else can put another file there afterwards.
    func checkFile(_ name: String) throws(StoreError) -> Int? {
        guard exists else { return nil }
        return try withDirectory { directory throws(StoreError) in
            let file = openat(directory, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK)
            if file < 0, errno == ENOENT { return nil }
            let descriptor = try opened(file, name)
            defer { close(descriptor) }
            return try check(descriptor, name, .secret)
        }
    }

    /// Makes a file with its content, complete or not at all; false when one of that name is already there.
    @discardableResult
    func createFile(_ name: String, _ bytes: [UInt8]) throws(StoreError) -> Bool {
        try withDirectory { directory throws(StoreError) in
            // A name of this call alone: two that make the same file do not write into one another's.
            let temporary = ".\(name).\(getpid()).\(UInt64.random(in: 0 ... .max)).tmp"
            defer { unlinkat(directory, temporary, 0) }
            try write(bytes, to: temporary, in: directory)
            // link, not rename: of two processes one wins, and the other's file is not overwritten.
            guard linkat(directory, temporary, directory, name, 0) == 0 else {
                guard errno == EEXIST else { throw .system(operation: "make", path: path(of: name), code: errno) }
                return false
            }
            unlinkat(directory, temporary, 0)
            fsync(directory)
            return true
        }
    }

    /// Replaces a file in one step. The caller holds the lock that guards it.
    public func replaceFile(_ name: String, _ bytes: [UInt8]) throws(StoreError) {
        try withDirectory { directory throws(StoreError) in
            let temporary = ".\(name).tmp"
            unlinkat(directory, temporary, 0)
            try write(bytes, to: temporary, in: directory)
            guard renameat(directory, temporary, directory, name) == 0 else {
                throw .system(operation: "replace", path: path(of: name), code: errno)
            }
            fsync(directory)
        }
    }

    private func write(_ bytes: [UInt8], to name: String, in directory: Int32) throws(StoreError) {
        let flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
        let descriptor = try opened(openat(directory, name, flags, 0o600), name)
        defer { close(descriptor) }
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw .system(operation: "write", path: path(of: name), code: errno) }
            rest = rest.dropFirst(count)
        }
        guard fsync(descriptor) == 0 else { throw .system(operation: "write", path: path(of: name), code: errno) }
    }

    /// Opens a lock file, making it where it is missing. Locks stand in a directory of their own.
    func openLock(_ name: String) throws(StoreError) -> Int32 {
        try withDirectory { directory throws(StoreError) in
            if mkdirat(directory, "locks", 0o700) != 0, errno != EEXIST {
                throw .system(operation: "make", path: path(of: "locks"), code: errno)
            }
            let full = "locks/" + name
            let descriptor = try opened(
                openat(directory, full, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK, 0o600), full)
            do throws(StoreError) {
                try check(descriptor, full, .secret)
            } catch {
                close(descriptor)
                throw error
            }
            return descriptor
        }
    }

    private func opened(_ descriptor: Int32, _ name: String) throws(StoreError) -> Int32 {
        guard descriptor < 0 else { return descriptor }
        let code = errno
        if code == ELOOP || code == ENXIO || code == EISDIR { throw .notAPlainFile(path: path(of: name)) }
        throw .system(operation: "open", path: path(of: name), code: code)
    }

    @discardableResult
    private func check(_ descriptor: Int32, _ name: String, _ protection: Protection) throws(StoreError) -> Int {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else {
            throw .system(operation: "look at", path: path(of: name), code: errno)
        }
        guard status.st_mode & S_IFMT == S_IFREG, status.st_nlink == 1 else {
            throw .notAPlainFile(path: path(of: name))
        }
        guard status.st_uid == geteuid() else { throw .wrongOwner(path: path(of: name), owner: status.st_uid) }
        let refused: mode_t = protection == .secret ? 0o077 : 0o022
        guard status.st_mode & refused == 0 else {
            throw .tooOpen(path: path(of: name), mode: status.st_mode & 0o7777, wanted: 0o600)
        }
        if status.st_mode & 0o077 != 0, fchmod(descriptor, 0o600) == 0 {
            notice("'\(path(of: name))' could be read by other people; its mode is now 0600")
        }
        return Int(status.st_size)
    }
}
