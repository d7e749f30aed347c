import CLinux
import Glibc

/// Opens files and directories that no other user can have replaced.
///
/// Each component is opened in the one above it, and checked before it is followed. Every directory and every link on
/// the path belongs to a trusted user. Other users cannot write to a directory, unless it is sticky: there only the owner
/// of an entry can replace it.
/// See docs/decisions/053.
package struct TrustedPath: Sendable {
    let owners: [uid_t]
    /// The groups that may write to a directory above the last component.
    var groups: [gid_t] = []
    /// In a user namespace, the kernel shows every unmapped owner, such as that of `/`, as one ID. It is trusted, except
    /// in a directory where every user can create files.
    var trustsOwnerOfRoot = true

    /// This user and root.
    package static var ofUser: TrustedPath { TrustedPath(owners: [geteuid(), 0]) }
    /// Root, for files that are for all users.
    static let ofSystem = TrustedPath(owners: [0], trustsOwnerOfRoot: false)

    /// What is required of the last component.
    package enum Last: Sendable {
        case trusted
        /// The same as above it: a file in it is opened next.
        case parent
        /// The caller checks its owner and mode, and a link is not followed.
        case unchecked
    }

    private static let maximumLinks = 40

    /// Opens the path for reading.
    ///
    /// - Parameters:
    ///   - path: absolute.
    ///   - kind: `S_IFREG` or `S_IFDIR`. A pipe that the shell passes as `/dev/fd/N` counts as a file.
    /// - Returns: the descriptor; nil if the path does not exist.
    func open(_ path: String, as kind: mode_t, last: Last = .trusted) throws(PathFault) -> Int32? {
        let flags = O_NOFOLLOW | O_CLOEXEC | (kind == S_IFDIR ? O_DIRECTORY : O_NONBLOCK | O_NOCTTY)
        var (directory, entry) = (AT_FDCWD, Int32(-1))
        defer { for descriptor in [directory, entry] where descriptor >= 0 { close(descriptor) } }
        var names: [Substring] = []
        var rest = TrustedPath.steps(of: path)
        if rest.last != "/" { rest.append("/") }
        var (links, ownerOfRoot, isShared) = (0, uid_t(0), false)
        while let name = rest.popLast() {
            switch name {
            case "/": (names, isShared) = ([], false)
            case "..": _ = names.popLast()
            case ".": break
            default: names.append(name)
            }
            func fault(_ reason: PathFault.Reason) -> PathFault { PathFault(path: TrustedPath.text(names), reason) }
            let isLast = rest.isEmpty
            // Without O_DIRECTORY, the directory of autofs(5) would be opened instead of what is mounted there.
            entry =
                isLast
                ? openat(directory, String(name), flags)
                : clinux_open_path(directory, String(name), O_NOFOLLOW | O_CLOEXEC | O_DIRECTORY)
            if entry < 0, [ELOOP, ENOTDIR, ENXIO].contains(errno) {
                entry = clinux_open_path(directory, String(name), O_NOFOLLOW | O_CLOEXEC)
            }
            if entry < 0, errno == ENOENT { return nil }
            guard entry >= 0, let status = stat(of: entry) else { throw fault(.system(code: errno)) }
            if name == "/" { ownerOfRoot = status.st_uid }
            let trust = FileTrust(status)
            let isLink = status.kind == S_IFLNK
            guard
                owners.contains(trust.owner) || trustsOwnerOfRoot && trust.owner == ownerOfRoot && !isShared
                    || isLast && !isLink && last == .unchecked
            else { throw fault(.owner(trust.owner)) }
            guard isLink else {
                isShared = trust.isWritableByOthers && !(trust.mode & 0o002 == 0 && groups.contains(status.st_gid))
                let isParent = !isLast || last == .parent
                let isFine = isParent ? !isShared || trust.isSticky : last == .unchecked || !trust.isWritableByOthers
                guard isFine else { throw fault(.writable(mode: trust.mode)) }
                guard !isLast || status.kind == kind else { throw fault(.otherKind) }
                swap(&directory, &entry)
                if entry >= 0 { close(entry) }
                entry = -1
                continue
            }
            links += 1
            guard !isLast || last != .unchecked, links <= TrustedPath.maximumLinks,
                let target = TrustedPath.target(of: entry)
            else { throw fault(.system(code: ELOOP)) }
            close(entry)
            entry = -1
            if isLast, kind == S_IFREG, target.hasPrefix("pipe:[") {
                // Such a link of /proc has no path.
                entry = openat(directory, String(name), O_RDONLY | O_CLOEXEC)
                guard stat(of: entry)?.kind == S_IFIFO else { throw fault(.otherKind) }
                defer { entry = -1 }
                return entry
            }
            _ = names.popLast()
            rest += TrustedPath.steps(of: target)
        }
        defer { directory = -1 }
        return directory
    }

    /// The content of a file; nil if it does not exist.
    func read(_ path: String, limit: Int) throws(PathFault) -> [UInt8]? {
        guard let file = try open(path, as: S_IFREG) else { return nil }
        defer { close(file) }
        do throws(PathFault.Reason) { return try BoundedRead.all(of: file, limit: limit) } catch {
            throw PathFault(path: path, error)
        }
    }

    /// The names in a directory; nil if it does not exist.
    func names(in path: String) throws(PathFault) -> [String]? {
        guard let directory = try open(path, as: S_IFDIR) else { return nil }
        defer { close(directory) }
        return DirectoryListing.names(of: directory)?.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }

    /// Opens a directory.
    package func directory(_ path: String, last: Last = .trusted) throws(StoreError) -> Int32 {
        do throws(PathFault) {
            if let directory = try open(path, as: S_IFDIR, last: last) { return directory }
        } catch {
            throw StoreError(error, of: path)
        }
        throw .system(operation: "open", path: path, code: ENOENT)
    }

    /// The components in reverse order. The first one of an absolute path is `/`.
    private static func steps(of path: String) -> [Substring] {
        path.split(separator: "/").reversed() + (path.hasPrefix("/") ? ["/"] : [])
    }

    private static func text(_ names: [Substring]) -> String {
        names.isEmpty ? "/" : names.reduce(into: "") { $0 += "/" + $1 }
    }

    private static func target(of link: Int32) -> String? {
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = readlinkat(link, "", &buffer, buffer.count)
        guard count > 0, count < buffer.count else { return nil }
        return String(validating: buffer[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}

/// Why a path is not trusted, or cannot be read.
package struct PathFault: Sendable, Equatable {
    /// The component, without links.
    package let path: String
    package let reason: Reason

    package enum Reason: Sendable, Equatable {
        case system(code: Int32)
        case owner(UInt32)
        case writable(mode: UInt32)
        case otherKind
        case tooLong(limit: Int)
    }

    package init(path: String, _ reason: Reason) { (self.path, self.reason) = (path, reason) }
}

// Internal: callers get it in another error.
extension PathFault: Error {}
extension PathFault.Reason: Error {}

extension StoreError {
    init(_ fault: PathFault, of path: String, operation: String = "open") {
        self =
            switch fault.reason {
            case .owner(let owner): .foreignPath(path: path, place: fault.path, owner: owner)
            case .writable(let mode): .exposedPath(path: path, place: fault.path, mode: mode)
            case .system(let code): .system(operation: operation, path: path, code: code)
            case .otherKind: .system(operation: operation, path: path, code: ENOTDIR)
            case .tooLong(let limit): .tooLong(path: path, limit: limit)
            }
    }
}
