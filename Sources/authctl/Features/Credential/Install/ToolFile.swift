import AuthCore
import Glibc

/// Reads and writes files that belong to other tools.
enum ToolFile {
    static let limit = 64 << 20
    /// The first line of a file that authctl created. If nothing else is left, `uninstall` removes the file.
    static let made = Array("# Made by authctl.\n".utf8)
    /// The first line if authctl also created the directory, which `uninstall` removes then.
    static let madeWithDirectory = Array("# Made by authctl, with its directory.\n".utf8)

    /// Returns the content, or nil only if the file does not exist. An unreadable file is an error, because a missing
    /// file would be overwritten.
    static func read(_ path: String) throws(CommandError) -> [UInt8]? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK)
        guard descriptor >= 0 else {
            if isMissing(errno) { return nil }
            throw problem("read", of: path, code: errno)
        }
        defer { close(descriptor) }
        guard let status = stat(of: descriptor), status.kind != S_IFIFO else {
            throw CommandError(.toolNotSetUp, "'\(path)' is not a regular file")
        }
        do throws(PathFault.Reason) {
            return try BoundedRead.all(of: descriptor, limit: limit, isSecret: true)
        } catch {
            if case .system(let code) = error { throw problem("read", of: path, code: code) }
            throw CommandError(.toolNotSetUp, "'\(path)' is longer than \(limit >> 20) MiB")
        }
    }

    static func exists(_ path: String) throws(CommandError) -> Bool {
        if access(path, F_OK) == 0 { return true }
        if isMissing(errno) { return false }
        throw problem("look at", of: path, code: errno)
    }

    private static func isMissing(_ code: Int32) -> Bool { code == ENOENT || code == ENOTDIR }

    static func problem(_ operation: String, of path: String, code: Int32) -> CommandError {
        CommandError(.toolNotSetUp, "cannot \(operation) '\(path)': \(SystemText.of(code))")
    }

    static func problem(_ problem: YAMLProblem, in path: String, hint: Hint? = nil) -> CommandError {
        CommandError(.toolNotSetUp, "'\(path)': \(problem.message); nothing was changed", hint: hint)
    }

    /// - Parameters:
    ///   - bytes: nil to remove the file.
    ///   - mode: of a new file.
    static func replace(_ path: String, with bytes: [UInt8]?, mode: mode_t = 0o600) throws(CommandError) {
        guard let bytes else { return try remove(path) }
        let target = try resolved(path)
        var directory = target.hasPrefix("/") ? "" : "."
        for part in target.split(separator: "/").dropLast() {
            directory += "/" + part
            if access(directory, F_OK) != 0, mkdir(directory, 0o700) != 0, errno != EEXIST {
                throw problem("make", of: directory, code: errno)
            }
        }
        let status = stat(at: target)
        if status == nil, errno != ENOENT { throw problem("look at", of: target, code: errno) }
        let currentMode = status.map { $0.st_mode & 0o777 } ?? mode
        let temporary = "\(target).authctl-\(getpid())"
        do throws(AtomicFile.Failure) {
            try AtomicFile.replace(target, with: bytes, mode: currentMode, by: temporary, in: AT_FDCWD)
        } catch {
            throw problem("write", of: error.step == .open ? temporary : target, code: error.code)
        }
    }

    /// Follows symbolic links to the file.
    static func resolved(_ path: String) throws(CommandError) -> String {
        if let resolved = ConfigDirectory.resolved(path) { return resolved }
        guard isMissing(errno) else { throw problem("look at", of: path, code: errno) }
        // The target of the link may be on a disk that is not mounted.
        guard stat(at: path, followsLinks: false) == nil else {
            throw CommandError(
                .toolNotSetUp, "'\(path)' is a link to a file that does not exist",
                hint: "make that file available, or remove the link")
        }
        return path
    }

    /// Removes the file, or empties the target of a symbolic link, which authctl did not create.
    static func remove(_ path: String) throws(CommandError) {
        if stat(at: path, followsLinks: false)?.kind == S_IFLNK { return try replace(path, with: []) }
        guard unlink(path) == 0 || errno == ENOENT else { throw problem("remove", of: path, code: errno) }
    }
}
