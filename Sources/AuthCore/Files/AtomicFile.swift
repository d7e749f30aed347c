import Glibc

/// A file that changes in one step: a reader sees the old content or the new content, even if the writer is killed.
package enum AtomicFile {
    package struct Failure: Error {
        package enum Step: Sendable { case open, write, rename }

        package let step: Step
        package let code: Int32
    }

    package static func replace(
        _ name: String, with bytes: [UInt8], mode: UInt32 = 0o600, by temporary: String, in directory: Int32
    ) throws(Failure) {
        unlinkat(directory, temporary, 0)
        close(try make(temporary, with: bytes, mode: mode, in: directory))
        guard renameat(directory, temporary, directory, name) == 0 else {
            let code = errno
            unlinkat(directory, temporary, 0)
            throw Failure(step: .rename, code: code)
        }
        fsync(directory)
    }

    /// Creates a new file and writes it to the disk. The caller closes the returned descriptor, which holds an
    /// exclusive lock.
    static func make(
        _ name: String, with bytes: [UInt8], mode: UInt32 = 0o600, in directory: Int32
    ) throws(Failure) -> Int32 {
        func opened() throws(Failure) -> Int32 {
            let descriptor = openat(directory, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode)
            guard descriptor >= 0 else { throw Failure(step: .open, code: errno) }
            return descriptor
        }
        var descriptor = try opened()
        // Another process may have removed the file as a leftover before it was locked.
        while flock(descriptor, LOCK_EX) == 0, stat(of: descriptor)?.st_nlink == 0 {
            close(descriptor)
            descriptor = try opened()
        }
        // The umask has removed bits, which the replaced file may have.
        if mode != 0o600 { fchmod(descriptor, mode) }
        var code: Int32 = 0
        var rest = bytes[...]
        while code == 0, !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count > 0 { rest = rest.dropFirst(count) } else if errno != EINTR { code = errno }
        }
        if code == 0, fsync(descriptor) != 0 { code = errno }
        guard code == 0 else {
            unlinkat(directory, name, 0)
            close(descriptor)
            throw Failure(step: .write, code: code)
        }
        return descriptor
    }
}
