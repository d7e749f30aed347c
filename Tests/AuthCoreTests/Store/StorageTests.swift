import FoundationEssentials
import Glibc
import Synchronization
import TestSupport
import Testing

@testable import AuthCore

@Suite struct `Locks, files and encryption` {
    private let directory: ConfigDirectory
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        directory = ConfigDirectory(path: folder.path + "/config")
    }

    private func raw(_ key: DataKey) -> [UInt8] { key.bytes.withUnsafeBytes { Array($0) } }

    private let clock = Clock(now: { 1_795_248_000 })

    @Test func `A lock that is not released in time is reported as busy with its holder`() async throws {
        try directory.create()
        try await FileLock.holding("one", in: directory, clock: clock) { _ in
            await #expect(throws: StoreError.busy(name: "one", holder: "\(getpid()) 2026-11-21T08:00:00Z")) {
                try await FileLock.holding("one", in: directory, clock: clock, timeout: 0.02) { _ in }
            }
            try await FileLock.holding("another", in: directory, clock: clock, timeout: 0) { _ in }
        }
        try await FileLock.holding("one", in: directory, clock: clock, timeout: 0) { _ in }
    }

    @Test func `A reader of a file that is being replaced gets the old or the new content`() async throws {
        try directory.create()
        let texts: Set<[UInt8]> = [Array("old".utf8), Array("new and longer".utf8)]
        for text in texts { try directory.replaceFile("file", text) }
        let isOver = Atomic(false)
        async let replaced: Void = OwnThread.run {
            while !isOver.load(ordering: .relaxed) { for text in texts { try? directory.replaceFile("file", text) } }
        }
        let read = await OwnThread.run {
            (0..<20_000).map { _ in Result { try directory.read("file", as: .secret) } }
        }
        isOver.store(true, ordering: .relaxed)
        await replaced
        let faults = read.filter { (try? $0.get()).flatMap { $0 }.map(texts.contains) != true }
        #expect(faults.isEmpty, "\(faults.count), first \(String(describing: faults.first))")
    }

    @Test func `Parallel tasks that create the data key get the same key`() async throws {
        try directory.create()
        let vault = KeyFileVault(directory: directory)
        let keys = try await withThrowingTaskGroup(of: [UInt8].self) { group in
            for _ in 0..<8 { group.addTask { raw(try vault.first(random: .openSSL)) } }
            return try await group.reduce(into: Set<[UInt8]>()) { $0.insert($1) }
        }
        #expect(keys.count == 1)
        #expect(try vault.dataKey().map(raw) == keys.first)
    }

    @Test func `An encrypted value decrypts only in its own row and column`() throws {
        var bytes = try RandomSource.openSSL.bytes(32)
        let key = try #require(DataKey(moving: &bytes))
        let sealer = Sealer(key: key, random: .openSSL)
        let place = Sealer.Place(account: "u", provider: "p", field: "access token")
        let box = try sealer.seal("secret", at: place)
        #expect(try sealer.open(box, at: place) == "secret")
        #expect(!box.contains(Array("secret".utf8)))
        for other in [
            ("v", "p", "access token"), ("u", "q", "access token"), ("u", "p", "refresh token"),
            ("up", "", "access token"),
        ] {
            #expect(throws: StoreError.damagedEntry("\(other.2) of '\(other.1)'")) {
                try sealer.open(box, at: Sealer.Place(account: other.0, provider: other.1, field: other.2))
            }
        }
        for index in box.indices {
            var changed = box
            changed[index] ^= 1
            #expect(throws: StoreError.damagedEntry("access token of 'p'")) { try sealer.open(changed, at: place) }
        }
        #expect(try sealer.seal("secret", at: place) != box, "a new nonce each time")
    }

    // MARK: Files of others, and files that are something else

    private func mode(_ path: String) -> mode_t? {
        var status = stat()
        return stat(path, &status) == 0 ? status.st_mode & 0o7777 : nil
    }

    @Test func `The mode of a directory is only changed if nothing but authctl uses it`() throws {
        try directory.create()
        try #require(chmod(directory.path, 0o755) == 0)
        try directory.createFile("key", [])
        try directory.createFile(ConfigDirectory.store, [])
        #expect(mode(directory.path) == 0o755)
        try #require(mkdir(directory.path(of: "project"), 0o700) == 0)
        try directory.replaceFile("key", [1])
        #expect(mode(directory.path) == 0o755)
        try #require(rmdir(directory.path(of: "project")) == 0)
        try directory.replaceFile("key", [2])
        #expect(mode(directory.path) == 0o700)
    }

    @Test(.enabled(if: geteuid() == 0)) func `A directory or a file of another user is rejected`() throws {
        try directory.create()
        try directory.createFile("file", [1])
        let file = directory.path(of: "file")
        try #require(chown(file, 65534, 0) == 0)
        #expect(throws: StoreError.wrongOwner(path: file, owner: 65534)) { try directory.read("file", as: .secret) }
        let named = try BoundedRead.file(file, limit: 10)
        #expect(throws: InsecureFile(path: file, .owner(65534))) { try named.secret() }
        try #require(chown(directory.path, 65534, 0) == 0)
        #expect(throws: StoreError.wrongOwner(path: directory.path, owner: 65534)) {
            try directory.read("other", as: .secret)
        }
    }

    @Test func `A directory or settings that others can write are rejected, and others may read settings`() throws {
        try directory.create()
        try directory.createFile("file", [1])
        let file = directory.path(of: "file")
        for (mode, isFine) in [(0o644, true), (0o620, false), (0o602, false)] as [(mode_t, Bool)] {
            try #require(chmod(file, mode) == 0)
            if isFine {
                #expect(try directory.read("file", as: .settings) == [1])
            } else {
                #expect(throws: StoreError.tooOpen(path: file, mode: mode, expected: 0o600)) {
                    try directory.read("file", as: .settings)
                }
            }
        }
        for mode in [0o720, 0o702] as [mode_t] {
            try #require(chmod(directory.path, mode) == 0)
            #expect(throws: StoreError.tooOpen(path: directory.path, mode: mode, expected: 0o700)) {
                try directory.read("other", as: .secret)
            }
        }
    }

    @Test func `A directory is not used below one that other users can write, also if it changes later`() throws {
        try directory.create()
        #expect(try directory.read("file", as: .secret) == nil)
        try #require(rename(directory.path, folder.path + "/old") == 0 && mkdir(directory.path, 0o700) == 0)
        try #require(chmod(folder.path, 0o777) == 0)
        let fault = StoreError.exposedPath(path: directory.path, place: folder.path, mode: 0o777)
        #expect(throws: fault) { try directory.read("file", as: .secret) }
        #expect(throws: fault) { try directory.create() }
        try #require(chmod(folder.path, 0o1777) == 0)
        #expect(try directory.read("file", as: .secret) == nil)
    }

    @Test func `A path that is a loop of links is an error`() throws {
        try #require(symlink("b", folder.path + "/a") == 0 && symlink("a", folder.path + "/b") == 0)
        #expect(throws: StoreError.system(operation: "make", path: folder.path + "/a/x", code: ELOOP)) {
            try ConfigDirectory(path: folder.path + "/a/x").create()
        }
    }

    @Test func `Without HOME the directory is in the home directory of the user database`() throws {
        let home = try #require(getpwuid(geteuid())?.pointee.pw_dir.map { String(cString: $0) })
        #expect(ConfigDirectory.defaultPath(nil, [:]) == home + "/.config/authctl")
        #expect(ConfigDirectory.defaultPath(nil, ["HOME": "relative"]) == home + "/.config/authctl")
    }

    @Test func `A temporary file that is a link stays, and a file with a second name is rejected`() throws {
        try directory.create()
        try #require(symlink("elsewhere", directory.path(of: ".file.1.tmp")) == 0)
        try directory.createFile("file", [1])
        #expect(DirectoryListing.names(at: directory.path)?.contains(".file.1.tmp") == true)
        try #require(link(directory.path(of: "file"), directory.path(of: "second")) == 0)
        #expect(throws: StoreError.notAPlainFile(path: directory.path(of: "file"))) {
            try directory.read("file", as: .secret)
        }
        #expect(DirectoryListing.names(at: directory.path)?.contains("second") == true)
    }

    @Test func `A name that cannot be a file's is reported with the system's error, and leaves no file`() throws {
        try directory.create()
        let long = String(repeating: "x", count: 250)
        #expect(
            throws: StoreError.system(
                operation: "look at", path: directory.path(of: long + "-journal"), code: ENAMETOOLONG)
        ) { try directory.checkDatabase(long) }
        // The name of the temporary file is random.
        let error = #expect(throws: StoreError.self) { try directory.createFile(long, [1]) }
        guard case .system("open", _, ENAMETOOLONG)? = error else {
            return #expect(Bool(false), "\(String(describing: error))")
        }
        #expect(throws: StoreError.system(operation: "make", path: directory.path(of: ""), code: ENOENT)) {
            try directory.createFile("", [1])
        }
        try #require(mkdir(directory.path(of: "d"), 0o700) == 0)
        #expect(throws: StoreError.system(operation: "replace", path: directory.path(of: "d"), code: EISDIR)) {
            try directory.replaceFile("d", [1])
        }
        #expect(DirectoryListing.names(at: directory.path).map(Set.init) == [".", "..", "d"])
    }

    @Test func `Removing a secret does nothing if the directory is missing`() throws {
        try directory.removeSecret("key")
        #expect(try !directory.exists)
    }

    @Test(.enabled(if: geteuid() == 0)) func `A directory that this process may only read is not changed`() async throws
    {
        try directory.create()
        try #require(chmod(folder.path, 0o755) == 0 && chmod(directory.path, 0o755) == 0)
        let directory = self.directory
        let shared: [Result<Void, any Error>] = try await OwnSystem.asNobody {
            [Result { close(try directory.openLock("one")) }, Result { _ = try directory.createFile("file", [1]) }]
        }
        #expect(throws: StoreError.system(operation: "make", path: directory.path(of: "locks"), code: EACCES)) {
            try shared[0].get()
        }
        let error = #expect(throws: StoreError.self) { try shared[1].get() }
        guard case .system("open", _, EACCES)? = error else {
            return #expect(Bool(false), "\(String(describing: error))")
        }
        try directory.createFile(ConfigDirectory.store, [])
        try #require(chmod(directory.path, 0o755) == 0)
        let own: Result<Void, any Error> = try await OwnSystem.asNobody {
            Result { try directory.replaceFile("file", [1]) }
        }
        #expect(throws: StoreError.system(operation: "chmod", path: directory.path, code: EPERM)) { try own.get() }
        #expect(mode(directory.path) == 0o755)
    }

    @Test(.enabled { try await OwnSystem.mayMount })
    func `A full disk is reported before something is changed, and a half-written file is removed`() async throws {
        try directory.create()
        let directory = self.directory
        let (results, names) = try #require(
            try await OwnSystem.withDisk(at: directory.path, "size=64k,mode=700") {
                let results: [Result<Void, any Error>] = [
                    Result { try directory.requireWritable() },
                    Result { try directory.replaceFile("file", [UInt8](repeating: 1, count: 1 << 20)) },
                ]
                return (results, DirectoryListing.names(at: directory.path))
            })
        #expect(throws: StoreError.notWritable(path: directory.path, code: ENOSPC)) { try results[0].get() }
        #expect(throws: StoreError.system(operation: "write", path: directory.path(of: ".file.tmp"), code: ENOSPC)) {
            try results[1].get()
        }
        #expect(names.map(Set.init) == [".", ".."])
    }

    // MARK: Files that a user named

    @Test func `A named file is read up to its limit, and is insecure if others can read it`() throws {
        try directory.create()
        try directory.createFile("file", Array("12345".utf8))
        let file = directory.path(of: "file")
        #expect(try BoundedRead.file(file, limit: 5).secret() == Array("12345".utf8))
        #expect(throws: StoreError.tooLong(path: file, limit: 4)) { try BoundedRead.file(file, limit: 4) }
        #expect(throws: StoreError.system(operation: "open", path: file + "x", code: ENOENT)) {
            try BoundedRead.file(file + "x", limit: 5)
        }
        #expect(throws: StoreError.system(operation: "read", path: directory.path, code: EISDIR)) {
            try BoundedRead.file(directory.path, limit: 5)
        }
        try #require(chmod(file, 0o640) == 0)
        let open = try BoundedRead.file(file, limit: 5)
        #expect(throws: InsecureFile(path: file, .mode(0o640, isOwn: true))) { try open.secret() }
    }

    @Test func `The names of an invalid directory and the state of a missing file are nil`() throws {
        #expect(DirectoryListing.names(of: -1) == nil && DirectoryListing.names(at: folder.path + "/none") == nil)
        #expect(FileChange(at: folder.path + "/none") == nil && FileChange(at: folder.path) != nil)
        #expect(InsecureFile.found(-1, at: "closed") == nil)
    }

    @Test func `A deadline that has passed has no remaining time`() {
        #expect(Deadline(after: -1).milliseconds == 0 && Deadline(after: -1).left == nil)
        #expect(Deadline(after: 3600).milliseconds > 3_000_000)
    }

    // MARK: Locks

    @Test func `A lock file that others can read is rejected`() throws {
        try directory.create()
        close(try directory.openLock("one"))
        let file = directory.path(of: "locks/one")
        try #require(chmod(file, 0o644) == 0)
        #expect(throws: StoreError.tooOpen(path: file, mode: 0o644, expected: 0o600)) {
            close(try directory.openLock("one"))
        }
    }

    @Test func `A caller that blocks for a lock gets its holder when the time is over`() throws {
        try directory.create()
        _ = try FileLock.blocking("one", in: directory, timeout: 0) {
            #expect(throws: StoreError.busy(name: "one", holder: "\(getpid())")) {
                _ = try FileLock.blocking("one", in: directory, timeout: 0.02) {}
            }
        }
    }

    @Test func `A task that is cancelled stops waiting for a session's lock`() async throws {
        try directory.create()
        let clock = Clock(now: { 1 }, sleep: { _ in throw CancellationError() })
        try await SessionLock.holding(account: "a", provider: "p", in: directory, clock: clock) { _ in
            // The second waits too: the lock is still held.
            for _ in 1...2 {
                await #expect(throws: CancellationError.self) {
                    try await SessionLock.holding(account: "a", provider: "p", in: directory, clock: clock) { _ in }
                }
            }
        }
    }

    @Test func `An encrypted value that is not text is reported as damage`() throws {
        var bytes = try RandomSource.openSSL.bytes(32)
        let key = try #require(DataKey(moving: &bytes))
        let place = Sealer.Place(account: "u", provider: "p", field: "access token")
        let box = try SealedBox.seal([0xFF], key: key, associatedData: place.associatedData)
        #expect(throws: StoreError.damagedEntry("access token of 'p'")) {
            try Sealer(key: key, random: .openSSL).open(box, at: place)
        }
    }
}
