import AuthCoreTesting
import FoundationEssentials
import Glibc
import TestSupport
import Testing

@testable import AuthCore

/// A configuration directory for one test. It is removed with this object.
final class StoreFolder: Sendable {
    private let folder: TemporaryFolder
    let directory: ConfigDirectory

    init() throws {
        folder = try TemporaryFolder()
        directory = ConfigDirectory(path: folder.path + "/config")
        try directory.create()
    }

    var database: String { directory.path(of: Store.name) }

    /// A second database in the directory, with this schema.
    func database(_ schema: String, timeout: Double = 0.05) throws -> DatabaseOwner {
        try directory.createFile("test.db", [])
        let owner = try DatabaseOwner(path: directory.path(of: "test.db"), timeout: timeout)
        try owner.blockingTransaction(.writing) { try $0.execute(script: schema) }
        return owner
    }

    func store(timeout: Double = 1) throws -> Store {
        try #require(try Store.open(in: directory, host: NonInteractiveVaultHost(), creating: true, timeout: timeout))
    }

    /// Stores the data key 00 01 … 1f, with which the stores in `Stores` are encrypted.
    func makeFixedKey() throws {
        try directory.createFile(KeyFileVault.name, Array((Base64URL.encode(Array(0..<32)) + "\n").utf8))
    }
}

/// Runs code on a new thread with different file permissions or mounts, which end with the thread.
enum OwnSystem {
    private static func run<R: Sendable>(_ body: @escaping @Sendable () -> R) async throws -> R {
        try await withCheckedThrowingContinuation { continuation in
            if !NewThread.start({ continuation.resume(returning: body()) }) {
                continuation.resume(throwing: CocoaError(.featureUnsupported))
            }
        }
    }

    /// Runs code with the file permissions of a user who owns no files (setfsuid(2)). The process's user remains root.
    static func asNobody<R: Sendable>(_ body: @escaping @Sendable () -> R) async throws -> R {
        try await run {
            _ = call("setfsuid", 65534)
            return body()
        }
    }

    /// Whether this process may create a private mount namespace.
    static var mayMount: Bool {
        get async throws {
            guard geteuid() == 0 else { return false }
            return try await run { hasOwnMounts() }
        }
    }

    private static func hasOwnMounts() -> Bool {
        // CLONE_NEWNS of unshare(2); MS_REC and MS_PRIVATE of mount(2).
        call("unshare", 0x20000) == 0 && mount("none", "/", nil, 1 << 14 | 1 << 18, nil) == 0
    }

    /// Calls a C function that the module Glibc does not export.
    private static func call(_ name: String, _ argument: Int32) -> Int32 {
        guard let function = dlsym(nil, name) else { return -1 }
        return unsafeBitCast(function, to: (@convention(c) (Int32) -> Int32).self)(argument)
    }

    /// Runs code on a thread that has a tmpfs mounted at a path.
    static func withDisk<R: Sendable>(
        at path: String, _ options: String, _ body: @escaping @Sendable () -> R
    ) async throws -> R? {
        try await run {
            guard hasOwnMounts(), mount("none", path, "tmpfs", 0, options) == 0 else { return nil }
            return body()
        }
    }
}
