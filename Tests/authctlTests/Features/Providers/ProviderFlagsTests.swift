import ArgumentParser
import Testing

@testable import AuthCore
@testable import authctl

@Suite struct `Provider setting options` {
    /// Every option of a provider configuration.
    static let flags: [[String]] = [
        ["--issuer", "https://a.example"], ["--base-url", "https://a.example"], ["--preset", "okta"],
        ["--tenant", "t"], ["--team-id", "t"], ["--api-host", "a.example"], ["--discovery", "openid"],
        ["--client-id", "c"], ["--client-secret-stdin"], ["--client-secret-file", "/f"], ["--client-secret-env", "V"],
        ["--scope", "s"], ["--param", "a=b"], ["--redirect-uri", "http://127.0.0.1/"], ["--auth-method", "none"],
        ["--response-mode", "query"],
        ["--app-id", "1"], ["--private-key", "/k"], ["--certificate", "/c"], ["--key-id", "k"],
        ["--private-key-passphrase-file", "/p"], ["--key-alg", "ES256"], ["--ca-file", "/a"],
        ["--assertion-audience", "issuer"], ["--assertion-from", "oidc.b"],
        ["--device-authorization-endpoint", "https://a.example/d"], ["--revocation-endpoint", "https://a.example/r"],
        ["--par-endpoint", "https://a.example/p"], ["--par"], ["--dpop"], ["--fapi2"], ["--trust-email"],
        ["--nonce-mode", "raw"], ["--nonce-required", "off"], ["--trusted-audience", "a"],
        ["--allow-http"], ["--authorization-endpoint", "https://a.example/a"],
        ["--token-endpoint", "https://a.example/t"],
        ["--userinfo-endpoint", "https://a.example/u"], ["--userinfo-body", "{}"], ["--uid-path", "id"],
        ["--name-path", "n"], ["--email-path", "e"], ["--scope-separator", ","], ["--api-header", "a=b"],
    ]

    @Test func `the list in this suite contains every provider option`() throws {
        let names = DescribedArgument.all(of: ProviderFlags.self).flatMap(\.names).filter {
            // An answer is not a setting.
            !["-h", "--help", "--answer"].contains($0)
        }
        #expect(names.sorted() == Self.flags.map { $0[0] }.sorted())
    }

    @Test(arguments: flags) func `each provider option names only its own settings`(flag: [String]) throws {
        let named = try ProviderFlags.parse(flag).named
        #expect(!named.isEmpty)
        #expect(named.count == (flag[0].hasPrefix("--client-secret") ? 2 : 1))
        #expect(try ProviderFlags.parse([]).named.isEmpty)
    }

    @Test func `every setting except the issuer and client ID can be removed by its option name`() throws {
        let names = Set(Self.flags.map { String($0[0].dropFirst(2)) })
        let removable = Set(ProviderSetting.allValueStrings)
        #expect(removable.subtracting(names) == ["client-secret"])
        let required = names.subtracting(removable).filter { !$0.hasPrefix("client-secret") }
        #expect(required == ["issuer", "client-id"])
    }
}
