import CLinux
import Glibc
import Testing

@testable import AuthCore

/// These tests use the real kernel keyring, with unique key names.
@Suite struct `The kernel keyring` {
    private let cache: KernelKeyring
    private let now: Int64 = 1_795_248_000

    init() throws { cache = KernelKeyring(store: "test-\(try RandomSource.openSSL.token(bytes: 16))") }

    private func found(now: Int64? = nil) throws -> (key: DataKey, end: Int64)? {
        switch cache.find(now: now ?? self.now) {
        case .key(let key, let end): return (key, end)
        case .nothing: return nil
        case .refused(let refusal):
            Issue.record("\(refusal)")
            return nil
        }
    }

    @Test func `The kernel keyring returns the latest key with its expiry`() throws {
        defer { cache.remove() }
        #expect(try found() == nil)
        #expect(cache.put(try .fixed(), until: now + 60, now: now) == nil)
        #expect(try found()?.key == .fixed())
        #expect(try found()?.end == now + 60)
        // Replacing the key also works after a read, which links the key into this process's keyring.
        #expect(cache.put(try .fixed(7), until: now + 90, now: now) == nil)
        #expect(try found()?.key == .fixed(7))
        #expect(try found()?.end == now + 90)
        cache.remove()
        #expect(try found() == nil)
        cache.remove()
        #expect(cache.put(try .fixed(9), until: now + 90, now: now) == nil)
        #expect(try found()?.key == .fixed(9))
    }

    @Test func `The keys of two stores are separate`() throws {
        let other = KernelKeyring(store: cache.name + "x")
        defer {
            cache.remove()
            other.remove()
        }
        #expect(cache.put(try .fixed(), until: now + 60, now: now) == nil)
        #expect(other.put(try .fixed(1), until: now + 60, now: now) == nil)
        other.remove()
        #expect(try found()?.key == .fixed())
    }

    @Test func `A key that has expired by the local clock is not returned`() throws {
        defer { cache.remove() }
        #expect(cache.put(try .fixed(), until: now + 60, now: now) == nil)
        #expect(try found(now: now + 59) != nil)
        #expect(try found(now: now + 60) == nil)
    }

    @Test func `The kernel removes an expired key, and its expiry cannot be extended`() async throws {
        defer { cache.remove() }
        #expect(cache.put(try .fixed(), until: now + 1, now: now) == nil)
        let key = clinux_find_key(cache.name, 0)
        #expect(key > 0)
        #expect(clinux_set_key_timeout(key, 1000) < 0 && errno == EACCES)
        // Wait until the kernel reports the expiry.
        var code: Int32 = 0
        while clinux_find_key(cache.name, 0) >= 0 { usleep(20_000) }
        code = errno
        #expect(code == EKEYEXPIRED)
        #expect(try found() == nil)
    }

    @Test func `Entries in another format are ignored`() throws {
        defer { cache.remove() }
        let others: [[UInt8]] = [
            [1], [UInt8](repeating: 1, count: 40), [UInt8](repeating: 2, count: 41), [UInt8](repeating: 255, count: 41),
            [1] + [UInt8](repeating: 255, count: 40), [UInt8](repeating: 1, count: 4000),
        ]
        for bytes in others {
            let key = clinux_make_key(cache.name, bytes, bytes.count)
            try #require(key >= 0)
            #expect(clinux_share_key(key) == 0)
            clinux_unlink_key(key)
            #expect(try found() == nil, "\(bytes.count) bytes")
        }
    }

    @Test func `Kernel errors are reported as unsupported, forbidden, full or failed`() {
        #expect(KernelKeyring.Refusal(code: ENOSYS) == .unsupported)
        #expect(KernelKeyring.Refusal(code: EPERM) == .forbidden)
        #expect(KernelKeyring.Refusal(code: EACCES) == .forbidden)
        #expect(KernelKeyring.Refusal(code: EDQUOT) == .full)
        #expect(KernelKeyring.Refusal(code: ENOMEM) == .failed(code: ENOMEM))
    }
}
