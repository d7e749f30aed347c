import Glibc

/// A lock between processes: `flock` on a separate file, which the kernel releases when the process ends. A lock of a
/// running process is never broken, and the file is never removed.
/// See docs/decisions/031.
package enum FileLock {
    /// Seconds to wait for another process: longer than its HTTP request may take.
    package static let timeout = 35.0

    /// A lock's name: its kind, and a digest of the text that identifies the locked object.
    static func name(_ kind: String, of text: String) throws -> String {
        "\(kind)-" + Array(try HashFunction.sha256.digest(text.utf8).prefix(12)).hexadecimal
    }

    /// Runs `body` while holding the lock. While another process holds it, `unless` is called repeatedly; if it returns
    /// a result, `body` does not run.
    /// - Throws: `StoreError.busy` after `timeout` seconds, with the holder; other `StoreError`s; errors of `body`.
    @_semantics("optimize.sil.specialize.generic.never")
    package static func holding<R>(
        _ name: String, in directory: ConfigDirectory, clock: Clock, timeout: Double = FileLock.timeout,
        unless: () async throws -> R? = { nil }, body: (HeldLock) async throws -> R
    ) async throws -> R {
        let descriptor = try directory.openLock(name)
        defer { close(descriptor) }
        var result: R?
        try await acquire(descriptor, name: name, in: directory, clock: clock, timeout: timeout) {
            result = try await unless()
            return result != nil
        }
        if let result { return result }
        return try await body(HeldLock(descriptor: descriptor))
    }

    /// Acquires the lock, or returns without it if `isDone` returns true while another process holds it. Not generic,
    /// so that the program contains it once.
    private static func acquire(
        _ descriptor: Int32, name: String, in directory: ConfigDirectory, clock: Clock, timeout: Double,
        unless isDone: () async throws -> Bool
    ) async throws {
        var waiting = LockBackoff(timeout: timeout, jitter: clock.jitter)
        while try !tryAcquire(descriptor, in: directory) {
            if try await isDone() { return }
            guard let pause = waiting.next() else { throw StoreError.busy(name: name, holder: holder(descriptor)) }
            try await clock.sleep(pause)
        }
        writeHolder(descriptor, "\(getpid()) \(HTTPDate.rfc3339(clock.now()))\n")
    }

    /// Like `holding`, but waiting blocks the thread. For short work at the start of a process.
    static func blocking<R>(
        _ name: String, in directory: ConfigDirectory, timeout: Double, body: () throws -> R
    ) throws -> R {
        let descriptor = try directory.openLock(name)
        defer { close(descriptor) }
        var waiting = LockBackoff(timeout: timeout)
        while try !tryAcquire(descriptor, in: directory) {
            guard waiting.block() else { throw StoreError.busy(name: name, holder: holder(descriptor)) }
        }
        writeHolder(descriptor, "\(getpid())\n")
        return try body()
    }

    /// The length of the holder, which is padded with spaces. A note may follow.
    fileprivate static let holderLength = 64

    private static func writeHolder(_ descriptor: Int32, _ text: String) {
        let padding = String(repeating: " ", count: max(0, holderLength - text.utf8.count))
        _ = pwrite(descriptor, text + padding, holderLength, 0)
    }

    /// Whether another process holds the lock.
    static func isHeld(_ name: String, in directory: ConfigDirectory) throws -> Bool {
        let descriptor = try directory.openLock(name)
        defer { close(descriptor) }
        return flock(descriptor, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK
    }

    /// Takes the lock if it is free.
    private static func tryAcquire(_ descriptor: Int32, in directory: ConfigDirectory) throws -> Bool {
        if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { return true }
        guard errno == EWOULDBLOCK || errno == EINTR else {
            let code = errno
            throw isUnsupported(code)
                ? StoreError.noLocks(path: directory.path)
                : StoreError.system(operation: "lock", path: directory.path, code: code)
        }
        return false
    }

    /// Whether an error of flock(2) or fcntl(2) means that the file system has no locks: NFS without lockd(8) reports
    /// ENOLCK, and Lustre ENOSYS.
    static func isUnsupported(_ code: Int32) -> Bool { [ENOLCK, ENOSYS, EOPNOTSUPP].contains(code) }

    private static func holder(_ descriptor: Int32) -> String? {
        var bytes = [UInt8](repeating: 0, count: holderLength)
        let count = pread(descriptor, &bytes, bytes.count, 0)
        guard count > 0 else { return nil }
        return ServerText.shown(String(decoding: bytes[..<count], as: UTF8.self).trimmingSpaces().filter { $0 != "\n" })
    }
}

/// A lock that this process holds. A note in its file outlives the process, but not a crash of the machine.
package struct HeldLock: Sendable {
    fileprivate let descriptor: Int32

    /// The note; nil if there is none.
    func note() -> String? {
        let length = Int(lseek(descriptor, 0, SEEK_END)) - FileLock.holderLength
        guard length > 0, length <= 1 << 18 else { return nil }
        var bytes = [UInt8](repeating: 0, count: length)
        guard pread(descriptor, &bytes, length, off_t(FileLock.holderLength)) == length else { return nil }
        return String(decoding: bytes.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
    }

    /// Replaces the note.
    func write(note text: String) {
        _ = pwrite(descriptor, text + "\n", text.utf8.count + 1, off_t(FileLock.holderLength))
    }

    func removeNote() { ftruncate(descriptor, off_t(FileLock.holderLength)) }
}
