import AuthCore
import Glibc

/// Files that belong to other tools.
enum ToolFile {
    /// Replaces a file in one step, and makes its directory where there is none. A link stays a link to what is replaced.
    static func replace(_ path: String, _ bytes: [UInt8], mode: mode_t) throws {
        func failure(_ operation: String, _ path: String, _ code: Int32) -> StoreError {
            .system(operation: operation, path: path, code: code)
        }
        let target =
            realpath(path, nil).map { pointer in
                defer { free(pointer) }
                return String(cString: pointer)
            } ?? path
        let directory = String(target[..<(target.lastIndex(of: "/") ?? target.startIndex)])
        if !directory.isEmpty, access(directory, F_OK) != 0, mkdir(directory, 0o700) != 0 {
            throw failure("make", directory, errno)
        }
        var status = stat()
        let kept = stat(target, &status) == 0 ? status.st_mode & 0o777 : mode
        let temporary = "\(target).authctl-\(getpid())"
        do throws(AtomicFile.Failure) {
            try AtomicFile.replace(target, bytes, mode: kept, by: temporary, in: AT_FDCWD)
        } catch {
            throw failure("write", error.step == .open ? temporary : target, error.code)
        }
    }
}
