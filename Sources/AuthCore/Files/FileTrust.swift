package import Glibc

/// The access of other users to a file or a directory, from its owner and mode.
package struct FileTrust: Sendable {
    package let owner: UInt32
    package let mode: UInt32

    package init(_ status: Glibc.stat) {
        owner = status.st_uid
        mode = status.st_mode & 0o7777
    }

    /// Whether this process may write to a path, also by its capabilities, which access(2) ignores. If not, errno is
    /// set.
    package static func mayWrite(_ path: String) -> Bool { faccessat(AT_FDCWD, path, W_OK, AT_EACCESS) == 0 }

    /// Whether the disk has space for this many bytes. True if the file system does not report its space.
    package static func hasSpace(for count: Int, at path: String) -> Bool {
        var disk = statvfs()
        guard statvfs(path, &disk) == 0, disk.f_blocks > 0 else { return true }
        return disk.f_bavail * fsblkcnt_t(disk.f_frsize) >= fsblkcnt_t(count)
    }

    package var isOwn: Bool { owner == geteuid() }
    package var isWritableByOthers: Bool { mode & 0o022 != 0 }
    package var isReadableByOthers: Bool { mode & 0o055 != 0 }
    package var isPrivate: Bool { isOwn && mode & 0o077 == 0 }
    /// Only the owner of a file in this directory can rename or remove it.
    package var isSticky: Bool { mode & S_ISVTX != 0 }
}
