package import Glibc

/// What the system says about a file (stat(2)). If that fails, errno says why.
extension stat {
    package init?(at path: String, in directory: Int32 = AT_FDCWD, followsLinks: Bool = true) {
        self.init()
        guard fstatat(directory, path, &self, followsLinks ? 0 : AT_SYMLINK_NOFOLLOW) == 0 else { return nil }
    }

    package init?(of descriptor: Int32) {
        self.init()
        guard fstat(descriptor, &self) == 0 else { return nil }
    }

    /// `S_IFREG`, `S_IFDIR` and so on.
    package var kind: mode_t { st_mode & S_IFMT }
}

/// What identifies a file while the system runs: its device and its number there.
package struct FileID: Sendable, Equatable {
    let device: dev_t
    let inode: ino_t

    package init(_ status: Glibc.stat) { (device, inode) = (status.st_dev, status.st_ino) }
}
