import FoundationEssentials
import Glibc
import Synchronization
import Testing

@testable import AuthCore

@Suite struct `Storage` {
    private func directory() throws -> ConfigDirectory {
        var template = Array("/tmp/authctl-store.XXXXXX".utf8CString)
        try #require(mkdtemp(&template) != nil)
        let path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        return ConfigDirectory(path: path + "/config")
    }

    private func raw(_ key: DataKey) -> [UInt8] { key.bytes.withUnsafeBytes { Array($0) } }

    private let clock = Clock(now: { 1_795_248_000 })

    @Test func `a lock that is held for too long is busy, and its holder is named`() async throws {
        let directory = try directory()
        try directory.create()
        try await FileLock.holding("one", in: directory, clock: clock) {
            await #expect(throws: StoreError.busy(name: "one", holder: "\(getpid()) 2026-11-21T08:00:00Z")) {
                try await FileLock.holding("one", in: directory, clock: clock, patience: 0.02) {}
            }
            try await FileLock.holding("another", in: directory, clock: clock, patience: 0) {}
        }
        try await FileLock.holding("one", in: directory, clock: clock, patience: 0) {}
    }

    @Test func `of two that make the key at once one wins, and both have the same`() async throws {
        let directory = try directory()
        try directory.create()
        let vault = KeyFileVault(directory: directory)
        let keys = try await withThrowingTaskGroup(of: [UInt8].self) { group in
            for _ in 0..<8 { group.addTask { raw(try vault.makeDataKey(random: .openSSL)) } }
            return try await group.reduce(into: Set<[UInt8]>()) { $0.insert($1) }
        }
        #expect(keys.count == 1)
        #expect(try vault.dataKey().map(raw) == keys.first)
    }

    @Test func `a sealed value opens in its own place alone`() throws {
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
            #expect(throws: StoreError.self) {
                try sealer.open(box, at: Sealer.Place(account: other.0, provider: other.1, field: other.2))
            }
        }
        for index in box.indices {
            var changed = box
            changed[index] ^= 1
            #expect(throws: StoreError.self) { try sealer.open(changed, at: place) }
        }
        #expect(try sealer.seal("secret", at: place) != box, "a new nonce each time")
    }

    @Test func `settings that this version does not know stay in the file`() throws {
        let directory = try directory()
        try directory.create()
        try directory.replaceFile(
            "config.yaml",
            Array(
                "future: [1, 2]\nprofiles:\n  work:\n    vault: file\n    providers:\n      oidc.a: {issuer: 'https://a.example', client_id: c, new: x}\n"
                    .utf8))
        var file = try ConfigFile(in: directory)
        try file.set(
            Provider(id: "oidc.b", issuer: try HTTPURL("https://b.example"), clientID: "d"), secret: .init(file: "/s"),
            profile: "work")
        try file.save(in: directory)
        let text = String(decoding: try #require(try directory.read("config.yaml", .settings)), as: UTF8.self)
        for part in ["future:", "vault: file", "new: x", "oidc.b", "client_secret_file: /s"] {
            #expect(text.contains(part), "\(part)")
        }
        let again = try ConfigFile(in: directory)
        #expect(try again.providerIDs(profile: "work") == ["oidc.a", "oidc.b"])
        #expect(try again.provider("oidc.b", profile: "work")?.secret.file == "/s")
    }

    @Test(arguments: [
        "[1]", "profiles: 1", "profiles: {default: 1}", "a: [", "\u{0}",
        "profiles: {default: {providers: {oidc.a: {issuer: 'http://u@h', client_id: c}}}}",
    ])
    func `a config file that is none says so`(text: String) throws {
        let directory = try directory()
        try directory.create()
        try directory.replaceFile("config.yaml", Array(text.utf8))
        #expect(throws: (any Error).self) { _ = try ConfigFile(in: directory).provider("oidc.a", profile: "default") }
    }
}
