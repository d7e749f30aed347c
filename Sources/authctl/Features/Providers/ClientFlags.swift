import ArgumentParser
import AuthCore

/// The settings of a provider's client: its ID, and how it authenticates. A class, as `ProviderFlags`;
/// Sendable, because only the parser writes it.
final class ClientFlags: ParsableArguments, @unchecked Sendable {
    init() {}

    @Option(help: .init("The client ID that the provider gave you.", valueName: "id"))
    var clientId: String?

    @Flag(help: "Read the client secret from standard input.")
    var clientSecretStdin = false

    @Option(help: .init("Read the client secret from this file at each use.", valueName: "file"), completion: .file())
    var clientSecretFile: String?

    @Option(help: .init("Read the client secret from this environment variable at each use.", valueName: "variable"))
    var clientSecretEnv: String?

    @Option(help: .init("The registered redirect URI.", valueName: "uri"))
    var redirectUri: String?

    @Option(
        help:
            "How the provider returns to the redirect URI: query, or form_post (a form that the browser sends) (default: query, at apple.com form_post)."
    )
    var responseMode: ResponseMode?

    @Option(
        help:
            "The client authentication method: \(ClientAuthentication.Method.allCases.map(\.rawValue).joined(separator: ", ")) (default: chosen from the provider's metadata)."
    )
    var authMethod: ClientAuthentication.Method?

    @Option(
        help: .init(
            "At github.com: the ID of your GitHub App, for installation tokens (requires --private-key).",
            valueName: "number"))
    var appId: String?

    @Option(
        help: .init(
            "The PEM file with the key for private_key_jwt or for the certificate, Apple's .p8 file, or a GitHub App's key.",
            valueName: "file"), completion: .file())
    var privateKey: String?

    @Option(
        help: .init(
            "The PEM file with the client certificate for mutual TLS (RFC 8705), its chain and, optionally, its key.",
            valueName: "file"), completion: .file())
    var certificate: String?

    @Option(
        help: .init(
            "Read the passphrase of an encrypted key from this file at each use (default: asks on a terminal).",
            valueName: "file"), completion: .file())
    var privateKeyPassphraseFile: String?

    @Option(
        help: .init(
            "The signature algorithm: \(SignatureAlgorithm.allCases.map(\.rawValue).joined(separator: ", ")) (default: one that the key and the provider support).",
            valueName: "alg"))
    var keyAlg: SignatureAlgorithm?

    @Option(help: .init("The key's ID at the provider.", valueName: "kid"))
    var keyId: String?

    @Option(help: "The audience of client assertions: issuer, or token-endpoint for an older server (default: issuer).")
    var assertionAudience: ClientAuthentication.Audience?

    func validate() throws {
        try require(clientId != "", "--client-id is empty")
        try refuseSeveral(of: secretSource)
    }

    private var secretSource: GivenOptions {
        [
            "--client-secret-stdin": clientSecretStdin, "--client-secret-file": clientSecretFile,
            "--client-secret-env": clientSecretEnv,
        ]
    }

    var namesSecret: Bool { !secretSource.list.isEmpty }

    var given: [String: SettingValue?] {
        [
            "client_id": .given(clientId), "client_secret_file": .given(clientSecretFile),
            "client_secret_env": .given(clientSecretEnv), "redirect_uri": .given(redirectUri),
            "response_mode": .given(responseMode), "auth_method": .given(authMethod), "app_id": .given(appId),
            "private_key": .given(privateKey),
            "certificate": .given(certificate), "private_key_passphrase_file": .given(privateKeyPassphraseFile),
            "key_alg": .given(keyAlg), "key_id": .given(keyId), "assertion_audience": .given(assertionAudience),
        ]
    }

    func secret(_ context: Context) throws -> ClientSecret? {
        clientSecretStdin
            ? ClientSecret(try SecretInput.read("-", prompt: "Client secret: ", in: context).withoutByteOrderMark) : nil
    }
}
