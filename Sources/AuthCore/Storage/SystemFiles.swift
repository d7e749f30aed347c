import CLinux
import Glibc

/// System-wide files that only root can have written or created.
///
/// Each component of the path is checked. Every directory, and every link that is followed, is owned by root, and no
/// other user can replace a component.
struct SystemFiles: Sendable {
    var owner: uid_t = 0

    /// The maximum length of a file in bytes.
    static let limit = 1 << 20
    private static let maximumLinks = 40

    static func exists(at path: String) -> Bool {
        stat(at: path, followsLinks: false) != nil || (errno != ENOENT && errno != ENOTDIR)
    }

    func read(_ path: String) throws(SystemFileFault) -> [UInt8]? {
        guard let file = try opened(path, S_IFREG) else { return nil }
        defer { close(file) }
        do throws(BoundedRead.Fault) { return try BoundedRead.all(of: file, limit: Self.limit) } catch {
            switch error {
            case .system(let code): throw SystemFileFault(path: path, .system(code: code))
            case .tooLong: throw SystemFileFault(path: path, .tooLong(limit: Self.limit))
            }
        }
    }

    func names(in path: String) throws(SystemFileFault) -> [String]? {
        guard let directory = try opened(path, S_IFDIR) else { return nil }
        defer { close(directory) }
        return DirectoryListing.names(of: directory)?.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }

    private func opened(_ path: String, _ kind: mode_t) throws(SystemFileFault) -> Int32? {
        var openPath = OpenPath()
        defer { openPath.close() }
        var rest = Self.steps(of: path)
        var links = 0
        while let name = rest.popLast() {
            if name == ".." {
                openPath.goUp()
                continue
            }
            let place = openPath.path(of: name)
            let found = clinux_open_path(openPath.end, name, O_NOFOLLOW | O_CLOEXEC)
            guard found >= 0 else {
                if errno == ENOENT { return nil }
                throw SystemFileFault(path: place, .system(code: errno))
            }
            openPath.enter(name, found)
            let status = try check(found, place, isLast: rest.isEmpty)
            switch status.kind {
            case S_IFLNK:
                links += 1
                guard links <= Self.maximumLinks, let target = Self.target(of: found) else {
                    throw SystemFileFault(path: place, .system(code: ELOOP))
                }
                if target.hasPrefix("/") { openPath.restart() } else { openPath.goUp() }
                rest += Self.steps(of: target)
            case S_IFDIR where rest.isEmpty && kind == S_IFDIR:
                let directory = openat(found, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
                guard directory >= 0 else { throw SystemFileFault(path: place, .system(code: errno)) }
                return directory
            case S_IFDIR where !rest.isEmpty: continue
            case S_IFREG where rest.isEmpty && kind == S_IFREG:
                openPath.goUp()
                return try file(name, in: openPath.end, place)
            default: throw SystemFileFault(path: place, .otherKind)
            }
        }
        throw SystemFileFault(path: path, .otherKind)
    }

    private func file(_ name: String, in directory: Int32, _ place: String) throws(SystemFileFault) -> Int32 {
        let file = openat(directory, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK)
        guard file >= 0 else { throw SystemFileFault(path: place, .system(code: errno)) }
        do throws(SystemFileFault) {
            guard try check(file, place, isLast: true).kind == S_IFREG else {
                throw SystemFileFault(path: place, .otherKind)
            }
        } catch {
            close(file)
            throw error
        }
        return file
    }

    private func check(_ descriptor: Int32, _ place: String, isLast: Bool) throws(SystemFileFault) -> stat {
        guard let status = stat(of: descriptor) else { throw SystemFileFault(path: place, .system(code: errno)) }
        let trust = FileTrust(status)
        guard [0, owner].contains(trust.owner) else { throw SystemFileFault(path: place, .owner(trust.owner)) }
        // The mode of a link is irrelevant.
        guard status.kind != S_IFLNK, trust.isWritableByOthers else { return status }
        guard !isLast, status.kind == S_IFDIR, trust.isSticky else {
            throw SystemFileFault(path: place, .writable(mode: trust.mode))
        }
        return status
    }

    private static func steps(of path: String) -> [String] {
        path.split(separator: "/").filter { $0 != "." }.map(String.init).reversed()
    }

    private static func target(of link: Int32) -> String? {
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = readlinkat(link, "", &buffer, buffer.count)
        guard count > 0, count < buffer.count else { return nil }
        return String(validating: buffer[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// The directories that were entered, from the root on.
    private struct OpenPath {
        private var steps: [(name: String, descriptor: Int32)] = []
        private let root = open("/", O_RDONLY | O_DIRECTORY | O_CLOEXEC)

        var end: Int32 { steps.last?.descriptor ?? root }

        func path(of name: String) -> String { (steps.map(\.name) + [name]).map { "/" + $0 }.joined() }

        mutating func enter(_ name: String, _ descriptor: Int32) { steps.append((name, descriptor)) }

        mutating func goUp() { if let step = steps.popLast() { Glibc.close(step.descriptor) } }

        mutating func restart() { while !steps.isEmpty { goUp() } }

        mutating func close() {
            restart()
            Glibc.close(root)
        }
    }
}

/// Why a file of the system configuration is ignored.
package struct SystemFileFault: Sendable, Equatable {
    package let path: String
    package let reason: Reason

    package enum Reason: Sendable, Equatable {
        case system(code: Int32)
        case owner(UInt32)
        case writable(mode: UInt32)
        case otherKind
        case tooLong(limit: Int)
    }

    init(path: String, _ reason: Reason) { (self.path, self.reason) = (path, reason) }
}

// Internal: callers get it in a SystemConfigurationError.
extension SystemFileFault: Error {}
