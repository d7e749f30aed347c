import Glibc
import TestSupport
import Testing

@testable import AuthCore

@Suite struct `Trusted paths` {
    private let folder: TemporaryFolder
    private var root: String { folder.path }

    init() throws {
        folder = try TemporaryFolder()
        try #require(mkdir(root + "/a", 0o755) == 0 && mkdir(root + "/a/b", 0o755) == 0)
        try write("a/b/file", mode: 0o644)
    }

    private func write(_ name: String, mode: mode_t) throws {
        let file = open(root + "/" + name, O_WRONLY | O_CREAT, 0o600)
        try #require(file >= 0 && fchmod(file, mode) == 0)
        close(file)
    }

    private func fault(
        _ name: String, _ kind: mode_t = S_IFREG, _ paths: TrustedPath = .ofUser, last: TrustedPath.Last = .trusted
    ) -> PathFault? {
        do throws(PathFault) {
            guard let descriptor = try paths.open(root + "/" + name, as: kind, last: last) else {
                return PathFault(path: name, .system(code: ENOENT))
            }
            close(descriptor)
            return nil
        } catch { return error }
    }

    @Test func `Opens files and directories, also through links of this user and .. and double slashes`() throws {
        try #require(symlink("a/./b", root + "/link") == 0 && symlink(root + "/link/file", root + "/absolute") == 0)
        for name in ["a/b/file", "link/file", "absolute", "a//b/../b/file", "link/../b/file"] {
            #expect(fault(name) == nil)
        }
        #expect(fault("link", S_IFDIR) == nil)
        #expect(try TrustedPath.ofUser.open(root + "/a/none/x", as: S_IFREG) == nil)
        #expect(fault("a/b", S_IFREG) == PathFault(path: root + "/a/b", .otherKind))
        #expect(fault("a/b/file", S_IFDIR) == PathFault(path: root + "/a/b/file", .otherKind))
        #expect(fault("a/b/file/x")?.reason == .system(code: ENOTDIR))
    }

    @Test func `Refuses a directory or a file that other users can write, unless a directory above is sticky`() throws {
        for mode in [0o777, 0o775, 0o757] as [mode_t] {
            chmod(root + "/a", mode)
            #expect(fault("a/b/file") == PathFault(path: root + "/a", .writable(mode: mode)))
        }
        chmod(root + "/a", 0o1777)
        #expect(fault("a/b/file") == nil)
        #expect(fault("a", S_IFDIR) == PathFault(path: root + "/a", .writable(mode: 0o1777)))
        #expect(fault("a", S_IFDIR, last: .unchecked) == nil && fault("a", S_IFDIR, last: .parent) == nil)
        chmod(root + "/a", 0o777)
        #expect(fault("a", S_IFDIR, last: .parent) == PathFault(path: root + "/a", .writable(mode: 0o777)))
        chmod(root + "/a", 0o755)
        chmod(root + "/a/b/file", 0o664)
        #expect(fault("a/b/file") == PathFault(path: root + "/a/b/file", .writable(mode: 0o664)))
    }

    @Test func `A trusted group may write to directories above, but not every user`() throws {
        var paths = TrustedPath.ofUser
        paths.groups = [getegid()]
        for (mode, isFine) in [(0o775, true), (0o777, false)] as [(mode_t, Bool)] {
            chmod(root + "/a", mode)
            #expect((fault("a/b/file", S_IFREG, paths) == nil) == isFine)
        }
        chmod(root + "/a", 0o775)
        #expect(fault("a", S_IFDIR, paths) == PathFault(path: root + "/a", .writable(mode: 0o775)))
    }

    @Test(.enabled(if: geteuid() == 0)) func `Refuses directories, links and files of other users`() throws {
        try #require(symlink("a", root + "/link") == 0 && lchown(root + "/link", 54321, 54321) == 0)
        #expect(fault("link/b/file") == PathFault(path: root + "/link", .owner(54321)))
        #expect(fault("link", S_IFDIR, last: .unchecked) == PathFault(path: root + "/link", .owner(54321)))
        chown(root + "/a/b/file", 54321, 54321)
        #expect(fault("a/b/file") == PathFault(path: root + "/a/b/file", .owner(54321)))
        #expect(fault("a/b/file", last: .unchecked) == nil)
        chown(root + "/a", 54321, 54321)
        #expect(fault("a/b/file") == PathFault(path: root + "/a", .owner(54321)))
    }

    @Test func `Does not follow a last link that the caller checks, and ends at a loop of links`() throws {
        try #require(symlink("a", root + "/link") == 0 && symlink("loop", root + "/loop") == 0)
        #expect(fault("link", S_IFDIR, last: .unchecked)?.reason == .system(code: ELOOP))
        #expect(fault("loop/x")?.reason == .system(code: ELOOP))
    }

    @Test func `Reads a pipe that is passed as a descriptor, and refuses a pipe with a name`() throws {
        var ends = [Int32](repeating: 0, count: 2)
        try #require(pipe(&ends) == 0)
        try #require(Glibc.write(ends[1], "text", 4) == 4)
        close(ends[1])
        let file = try #require(try TrustedPath.ofUser.open("/dev/fd/\(ends[0])", as: S_IFREG))
        #expect(try BoundedRead.all(of: file, limit: 10) == Array("text".utf8))
        close(file)
        close(ends[0])
        try #require(mkfifo(root + "/pipe", 0o600) == 0)
        #expect(fault("pipe") == PathFault(path: root + "/pipe", .otherKind))
        try #require(symlink("pipe:[1]", root + "/link") == 0)
        try write("pipe:[1]", mode: 0o644)
        #expect(fault("link") == PathFault(path: root + "/link", .otherKind))
    }

    @Test func `Opening a path leaves no other descriptor open`() throws {
        try #require(symlink("a/b", root + "/link") == 0)
        let before = DirectoryListing.names(at: "/proc/self/fd")?.count
        for name in ["link/file", "a/b/none/x"] {
            if let file = try TrustedPath.ofUser.open(root + "/" + name, as: S_IFREG) { close(file) }
        }
        chmod(root + "/a", 0o777)
        #expect(fault("link/file") != nil)
        #expect(DirectoryListing.names(at: "/proc/self/fd")?.count == before)
    }
}
