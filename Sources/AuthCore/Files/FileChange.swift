import Glibc

/// The modification time and length of a file. They can be equal for different contents, if the file was written twice
/// within a tick of the kernel's clock.
struct FileChange: Hashable {
    private let seconds: Int
    private let nanoseconds: Int
    private let length: Int

    init?(at path: String) {
        guard let status = stat(at: path) else { return nil }
        seconds = status.st_mtim.tv_sec
        nanoseconds = status.st_mtim.tv_nsec
        length = Int(status.st_size)
    }
}
