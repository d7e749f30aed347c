import AuthCore
import Glibc

/// Files that belong to other tools.
enum ToolFile {
    /// Replaces a file in one step, and makes its directory where there is none. A link stays a link to what is replaced.
    static func replace(_ path: String, _ bytes: [UInt8], mode: mode_t) throws {
        func failure(_ operation: String, _ path: String) -> StoreError {
            .system(operation: operation, path: path, code: errno)
        }
        let target =
            realpath(path, nil).map { pointer in
                defer { free(pointer) }
                return String(cString: pointer)
            } ?? path
        let directory = String(target[..<(target.lastIndex(of: "/") ?? target.startIndex)])
        if !directory.isEmpty, access(directory, F_OK) != 0, mkdir(directory, 0o700) != 0 {
            throw failure("make", directory)
        }
        var status = stat()
        let kept = stat(target, &status) == 0 ? status.st_mode & 0o777 : mode
        let temporary = "\(target).authctl-\(getpid())"
        let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, kept)
        guard descriptor >= 0 else { throw failure("write", temporary) }
        let count = write(descriptor, bytes, bytes.count)
        close(descriptor)
        guard count == bytes.count, rename(temporary, target) == 0 else {
            let error = failure("write", target)
            unlink(temporary)
            throw error
        }
    }
}
