import AuthCore
import Glibc

/// The Unix socket that a server listens on. Either systemd or this process created it.
struct ServeSocket: Sendable {
    let descriptor: Int32
    /// Nil for a port, and if systemd created the socket, and will remove it.
    var file: (directory: Int32, name: String, inode: ino_t)?

    /// The socket that systemd passed to this process (sd_listen_fds(3)), or nil.
    static func activated(_ environment: Environment) throws -> ServeSocket? {
        guard let process = environment["LISTEN_PID"], process == String(getpid()),
            let count = environment["LISTEN_FDS"]
        else { return nil }
        for name in ["LISTEN_PID", "LISTEN_FDS", "LISTEN_FDNAMES"] { unsetenv(name) }
        let descriptor: Int32 = 3
        guard count == "1", number(of: SO_DOMAIN, descriptor) == AF_UNIX,
            number(of: SO_TYPE, descriptor) == Int32(SOCK_STREAM.rawValue),
            number(of: SO_ACCEPTCONN, descriptor) == 1, fcntl(descriptor, F_SETFD, FD_CLOEXEC) == 0
        else {
            throw UsageProblem.other(
                "systemd passed something else than one Unix socket that listens",
                hint: "in the socket unit: one ListenStream= with a path, and Accept=no")
        }
        return ServeSocket(descriptor: descriptor)
    }

    private static func number(of option: Int32, _ descriptor: Int32) -> Int32? {
        var (value, length) = (Int32(0), socklen_t(4))
        return getsockopt(descriptor, SOL_SOCKET, option, &value, &length) == 0 ? value : nil
    }

    /// Creates a socket with mode 0600. Replaces a socket that a killed process left behind.
    static func listening(at path: String) throws -> ServeSocket {
        guard path.hasPrefix("/"), !path.hasSuffix("/"), let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else {
            throw UsageProblem.other("--socket requires a file name")
        }
        let (parent, name) = (String(path[..<slash]), String(path[path.utf8.index(after: slash)...]))
        guard var address = UnixAddress(path) else {
            throw UsageProblem.other(
                "the socket's path is longer than \(UnixAddress.limit) bytes: '\(shown: path)'",
                hint: "use a shorter path")
        }
        let directory = try trustedDirectory(parent.isEmpty ? "/" : parent, of: path)
        // In the directory that was checked, also if its path leads elsewhere now. Without /proc, by the path.
        let checked = "/proc/self/fd/\(directory)"
        if access(checked, F_OK) == 0 { address = UnixAddress("\(checked)/\(name)") ?? address }
        // Only one server at a time may remove and create sockets in the directory. Another user who can read the
        // directory may hold the lock, so the wait is limited.
        for _ in 0..<100 {
            if flock(directory, LOCK_EX | LOCK_NB) == 0 { break }
            usleep(20_000)
        }
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        do {
            try removeStale(path, address: address, name: name, in: directory)
            // Set before `bind`, so that the file never has a more permissive mode (unix(7): the umask only removes
            // bits).
            guard descriptor >= 0, fchmod(descriptor, 0o600) == 0 else { throw failure("make", path) }
            guard address.call(bind, descriptor) == 0 else { throw failure("make", path) }
            guard listen(descriptor, 4096) == 0, let status = stat(at: name, in: directory, followsLinks: false),
                status.kind == S_IFSOCK
            else {
                let failure = failure("listen at", path)
                unlinkat(directory, name, 0)
                throw failure
            }
            flock(directory, LOCK_UN)
            return ServeSocket(descriptor: descriptor, file: (directory, name, status.st_ino))
        } catch {
            for descriptor in [descriptor, directory] { close(descriptor) }
            throw error
        }
    }

    private static func failure(_ operation: String, _ path: String) -> ServeFileError {
        ServeFileError(file: "the socket", error: .system(operation: operation, path: path, code: errno))
    }

    /// Opens the socket's directory. No other user may replace the socket, or a directory on its path.
    private static func trustedDirectory(_ parent: String, of path: String) throws -> Int32 {
        do throws(StoreError) { return try TrustedPath.ofUser.directory(parent) } catch {
            switch error {
            case .foreignPath(_, let place, _), .exposedPath(_, let place, _):
                throw CommandError(
                    .operationNotAllowed,
                    "others can replace files in '\(shown: place)', a directory on the path of the socket",
                    hint: "use a directory that only you can write to: --socket \"$XDG_RUNTIME_DIR/authctl.sock\"")
            case .system(let operation, _, ENOENT):
                throw ServeFileError(file: "the socket", error: .system(operation: operation, path: path, code: ENOENT))
            default: throw ServeFileError(file: "the socket", error: error)
            }
        }
    }

    private static func removeStale(
        _ path: String, address: UnixAddress, name: String, in directory: Int32
    ) throws {
        guard let status = stat(at: name, in: directory, followsLinks: false) else { return }
        guard status.kind == S_IFSOCK, FileTrust(status).isOwn else {
            throw CommandError(
                .usage, "'\(shown: path)' exists, and is not a socket of this user",
                hint: "use another path with --socket", isComplete: false)
        }
        let probe = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue), 0)
        defer { close(probe) }
        let isRefused = address.call(connect, probe) != 0 && errno == ECONNREFUSED
        guard isRefused else {
            throw CommandError(
                .portInUse, "another process listens at '\(shown: path)'",
                hint: "end that process, or use another path with --socket")
        }
        unlinkat(directory, name, 0)
    }

    /// Closes the socket, and removes its file unless the file was replaced.
    func remove() {
        close(descriptor)
        guard let file else { return }
        let status = stat(at: file.name, in: file.directory, followsLinks: false)
        if status?.st_ino == file.inode { unlinkat(file.directory, file.name, 0) }
        close(file.directory)
    }
}

/// A file of `serve`, other than the store, cannot be used.
struct ServeFileError: UserFacingError {
    let file: String
    let error: StoreError

    var code: ErrorCode { error.code }
    var isComplete: Bool { true }

    func explanation(_ context: ErrorContext) -> Explanation { error.explanation(of: file) }
}
