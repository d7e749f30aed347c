import ArgumentParser
import Testing

@testable import AuthCore
@testable import authctl

@Suite struct `The settings of a provider` {
    /// Every flag of an entry, alone.
    static let flags: [[String]] = [
        ["--issuer", "https://a.example"], ["--base-url", "https://a.example"], ["--preset", "okta"],
        ["--tenant", "t"], ["--team-id", "t"], ["--api-host", "a.example"], ["--discovery", "openid"],
        ["--client-id", "c"], ["--client-secret-stdin"], ["--client-secret-file", "/f"], ["--client-secret-env", "V"],
        ["--scope", "s"], ["--param", "a=b"], ["--redirect-uri", "http://127.0.0.1/"], ["--auth-method", "none"],
        ["--private-key", "/k"], ["--certificate", "/c"], ["--key-id", "k"],
        ["--private-key-passphrase-file", "/p"], ["--key-alg", "ES256"],
        ["--assertion-audience", "issuer"],
        ["--device-authorization-endpoint", "https://a.example/d"], ["--revocation-endpoint", "https://a.example/r"],
        ["--par-endpoint", "https://a.example/p"], ["--par"], ["--dpop"], ["--fapi2"], ["--trust-email"],
        ["--nonce-mode", "raw"],
        ["--allow-http"],
    ]

    @Test func `are all known here`() throws {
        let names = DescribedArgument.all(of: ProviderFlags.self).flatMap(\.names).filter {
            !["-h", "--help"].contains($0)
        }
        #expect(names.sorted() == Self.flags.map { $0[0] }.sorted())
    }

    @Test(arguments: flags) func `that are named are changed, each by itself`(flag: [String]) throws {
        let named = try ProviderFlags.parse(flag).named
        #expect(!named.isEmpty)
        #expect(named.count == (flag[0].hasPrefix("--client-secret") ? 2 : 1))
        #expect(try ProviderFlags.parse([]).named.isEmpty)
    }

    @Test func `can be taken out by the name of their flag, but for what an entry cannot be without`() throws {
        let names = Set(Self.flags.map { String($0[0].dropFirst(2)) })
        let kept = Set(ProviderSetting.allValueStrings)
        #expect(kept.subtracting(names) == ["client-secret"])
        let wanting = names.subtracting(kept).filter { !$0.hasPrefix("client-secret") }
        #expect(wanting == ["issuer", "client-id"])
    }
}
