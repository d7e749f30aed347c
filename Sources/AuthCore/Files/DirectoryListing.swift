import CLinux
import Glibc

/// The names in a directory, including `.` and `..`.
package enum DirectoryListing {
    package static func names(at path: String) -> [String]? { opendir(path).map(names) }

    package static func names(of directory: Int32) -> [String]? {
        let copy = fcntl(directory, F_DUPFD_CLOEXEC, 3)
        guard let listing = fdopendir(copy) else {
            close(copy)
            return nil
        }
        // The duplicate shares its read position with the original descriptor.
        rewinddir(listing)
        return names(in: listing)
    }

    private static func names(in listing: OpaquePointer) -> [String] {
        defer { closedir(listing) }
        var found: [String] = []
        while let entry = readdir(listing) { found.append(String(cString: clinux_entry_name(entry))) }
        return found
    }
}
