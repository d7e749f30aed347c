import AuthCoreTesting
import Glibc
import Testing

@testable import AuthCore

@Suite struct `The CA file of a provider` {
    private let folder: StoreFolder
    private var path: String { folder.directory.path(of: "ca.pem") }
    private let clock = Clock(now: { 1000 })

    /// A certificate as far as its subject is looked for: a SEQUENCE with serial, algorithm, issuer, validity, subject.
    private static let pem = "-----BEGIN CERTIFICATE-----\nMA0wCwIBATAAMAAwADAA\n-----END CERTIFICATE-----\n"

    init() throws {
        folder = try StoreFolder()
        try folder.directory.createFile("ca.pem", Array(Self.pem.utf8))
    }

    private func provider(_ file: String?) throws -> Provider {
        var provider = Provider(id: "oidc.work", issuer: try HTTPURL("https://id.example.com/work"), clientID: "c")
        provider.authorityFile = file
        return provider
    }

    private func services(_ cache: (any DocumentCache)? = nil) -> Services {
        Services(transport: CurlTransport(), cache: cache, clock: clock)
    }

    private func isTrusted(_ url: String, by services: Services) throws -> Bool {
        let transport = try #require(services.transport as? ProviderTransport)
        return try transport.client(for: HTTPURL(url)).configuration.addedAuthorities == Array(Self.pem.utf8)
    }

    private func error(_ file: String) throws -> CertificateFileError? {
        let provider = try provider(file)
        do { _ = try services().trusting(provider) } catch { return error as? CertificateFileError }
        return nil
    }

    @Test func `Counts for the issuer's origin, and for the endpoints of its metadata when they are known`() throws {
        let provider = try provider(path)
        let first = try services().trusting(provider)
        #expect(try isTrusted("https://id.example.com/anything", by: first))
        let others = [
            "https://id.example.com:8443/work", "http://id.example.com:443/", "https://api.example.com/token",
            "https://example.com/", "https://id.example.com.evil.example/",
        ]
        for other in others { #expect(try !isTrusted(other, by: first), "\(other)") }
        let document = """
            {"issuer": "https://id.example.com/work", "authorization_endpoint": "https://id.example.com/a",
            "token_endpoint": "https://api.example.com/token", "jwks_uri": "https://keys.example.com/",
            "revocation_endpoint": "http://plain.example.com/r", "response_types_supported": ["code"]}
            """
        let metadata = try ProviderMetadata(Array(document.utf8), issuer: provider.issuer, zone: nil)
        let client = try ProviderClient(provider, metadata: metadata, keys: ClientKeys(), services: first)
        for url in ["https://id.example.com/", "https://api.example.com/x", "https://keys.example.com/"] {
            #expect(try isTrusted(url, by: client.services), "\(url)")
        }
        for url in ["https://example.com/", "http://plain.example.com/r", "https://plain.example.com/"] {
            #expect(try !isTrusted(url, by: client.services), "\(url)")
        }
    }

    @Test func `Without a file, and with a program's own transport, nothing changes`() throws {
        #expect(try services().trusting(provider(nil)).transport as? ProviderTransport == nil)
        let own = Services(transport: ScriptedTransport(), cache: nil, clock: clock)
        #expect(try own.trusting(provider(path)).transport as? ScriptedTransport != nil)
    }

    @Test func `Documents are cached for this file alone`() async throws {
        let cache: any DocumentCache = MemoryDocumentCache()
        let services = services(cache)
        let document = CachedDocument(body: [1], fetchedAt: 1, freshUntil: 2)
        await cache.store(document, for: "keys")
        let trusting = try #require(services.trusting(provider(path)).cache)
        #expect(await trusting.document(for: "keys") == nil)
        await trusting.store(CachedDocument(body: [2], fetchedAt: 1, freshUntil: 2), for: "keys")
        #expect(await cache.document(for: "keys") == document)
        #expect(try await services.trusting(provider(path)).cache?.document(for: "keys")?.body == [2])
        try folder.directory.replaceFile("ca.pem", Array((Self.pem + Self.pem).utf8))
        #expect(try await services.trusting(provider(path)).cache?.document(for: "keys") == nil)
    }

    @Test func `A missing file, one without certificates, in DER, or that others can write is refused`() throws {
        let setting = "oidc.work: ca_file"
        #expect(try error(path) == nil)
        for mode: mode_t in [0o620, 0o602] {
            try #require(chmod(path, mode) == 0)
            let writable = PathFault(path: try #require(ConfigDirectory.resolved(path)), .writable(mode: mode))
            #expect(try error(path) == CertificateFileError(path: path, fault: writable, setting: setting))
        }
        try folder.directory.replaceFile("ca.pem", Array("-----BEGIN CERTIFICATE-----\nMAww\n-----END".utf8))
        #expect(try error(path) == CertificateFileError(path: path, fault: nil, setting: setting))
        try folder.directory.replaceFile("ca.pem", [0x30, 0x0C])
        #expect(try error(path) == CertificateFileError(path: path, fault: nil, setting: setting, isDER: true))
        try #require(unlink(path) == 0)
        #expect(try error(path)?.fault?.reason == .system(code: ENOENT))
    }

    @Test func `A path in the configuration is absolute`() throws {
        let setting = try #require(Provider.settings.first { $0.key == "ca_file" })
        var provider = try provider(nil)
        for path in ["ca.pem", "", "./ca.pem", "~/ca.pem"] {
            #expect(throws: SettingFault.notAPath(ServerText(path))) { try setting.set(.text(path), of: &provider) }
        }
        try setting.set(.text("/etc/ca.pem"), of: &provider)
        #expect(provider.authorityFile == "/etc/ca.pem")
        #expect(!Provider.settingsOfEntries.contains("ca_file"))
    }
}
