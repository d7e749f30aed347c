import ArgumentParser
import AuthCore

/// The settings of a provider's entry, as `providers add` and `providers set` take them.
struct ProviderFlags: ParsableArguments {
    @Option(help: ArgumentHelp("The issuer of an oidc.NAME, exactly as the provider writes it.", valueName: "url"))
    var issuer: String?

    @Option(
        help: ArgumentHelp(
            "Where a built-in provider's endpoints are instead: an Enterprise Server, a sovereign cloud, an emulator.",
            valueName: "url"))
    var baseUrl: String?

    @Option(
        help: "The service behind an oidc.NAME, for what it does its own way; oauth implies --discovery oauth.")
    var preset: Dialect.Preset?

    @Option(
        help: ArgumentHelp(
            "At microsoft.com: a tenant's GUID or domain, common, organizations or consumers.", valueName: "tenant"))
    var tenant: String?

    @Option(help: ArgumentHelp("At apple.com: the ten characters of your team.", valueName: "id"))
    var teamId: String?

    @Option(
        help: ArgumentHelp(
            "A further host that 'authctl request' may send the token to; repeatable.", valueName: "host"))
    var apiHost: [String] = []

    @Option(help: "Which well-known document describes it: openid (OpenID Connect Discovery) or oauth (RFC 8414).")
    var discovery: Discovery.Document?

    @Option(help: ArgumentHelp("Ask for this scope at every sign-in; repeatable.", valueName: "scope"))
    var scope: [String] = []

    @Option(help: ArgumentHelp("Send this parameter at every sign-in; repeatable.", valueName: "key=value"))
    var param: [String] = []

    @Option(
        help: ArgumentHelp(
            "The device authorization endpoint (RFC 8628), where the provider's documents name none.", valueName: "url")
    )
    var deviceAuthorizationEndpoint: String?

    @Option(
        help: ArgumentHelp(
            "The revocation endpoint (RFC 7009), where the provider's documents name none.", valueName: "url"))
    var revocationEndpoint: String?

    @Option(
        help: ArgumentHelp(
            "Where authorization requests are pushed to (RFC 9126), where the provider's documents do not say.",
            valueName: "url"))
    var parEndpoint: String?

    @Flag(help: "Push every authorization request (RFC 9126); done anyway where the provider requires it.")
    var par = false

    @Flag(help: "Bind the tokens of every sign-in to a key of this machine (RFC 9449).")
    var dpop = false

    @Flag(help: "Refuse whatever does not keep the FAPI 2.0 Security Profile; pushes requests and binds tokens.")
    var fapi2 = false

    @Flag(help: "Take the provider's word on whether an email is verified.")
    var trustEmail = false

    @Option(help: "How the nonce is sent and compared with the token's: raw or sha256.")
    var nonceMode: Dialect.NonceMode?

    @Flag(help: "Allow a plain http issuer that is not on loopback [anybody on the way can read along].")
    var allowHttp = false

    @OptionGroup(title: "The client") var client: ClientFlags

    func validate() throws {
        for (name, _) in try Parameters.parse(param) where AuthorizationRequest.reservedParameters.contains(name) {
            throw ValidationError("'\(name)' cannot be set with --param: it protects the sign-in")
        }
    }

    /// A server without OpenID Connect has its metadata at RFC 8414's place.
    private var document: Discovery.Document? { discovery ?? (preset == .oauth ? .oauth : nil) }

    /// What is named, by the names that `config.yaml` has.
    var named: [String] {
        let all = [
            ("issuer", issuer != nil),
            ("base_url", baseUrl != nil),
            ("preset", preset != nil),
            ("tenant", tenant != nil),
            ("team_id", teamId != nil),
            ("api_hosts", !apiHost.isEmpty),
            ("discovery", document != nil),
            ("client_id", client.clientId != nil),
            ("scopes", !scope.isEmpty),
            ("params", !param.isEmpty),
            ("redirect_uri", client.redirectUri != nil),
            ("auth_method", client.authMethod != nil),
            ("private_key", client.privateKey != nil),
            ("certificate", client.certificate != nil),
            ("private_key_passphrase_file", client.privateKeyPassphraseFile != nil),
            ("key_alg", client.keyAlg != nil),
            ("key_id", client.keyId != nil),
            ("assertion_audience", client.assertionAudience != nil),
            ("device_authorization_endpoint", deviceAuthorizationEndpoint != nil),
            ("revocation_endpoint", revocationEndpoint != nil),
            ("pushed_authorization_request_endpoint", parEndpoint != nil),
            ("par", par),
            ("dpop", dpop),
            ("fapi2", fapi2),
            ("trust_email", trustEmail),
            ("nonce_mode", nonceMode != nil),
            ("allow_http", allowHttp),
            ("client_secret_file", client.namesSecret), ("client_secret_env", client.namesSecret),
        ]
        return all.filter(\.1).map(\.0)
    }

    /// The provider as its place describes it.
    /// - Parameter old: where it stands until now, which counts for what is not named.
    /// - Throws: `CommandError`, `ProviderError`.
    func place(_ id: String, insteadOf old: Provider? = nil) throws -> Provider {
        if Provider.isBuiltIn(id) {
            guard issuer == nil else {
                throw CommandError(.usage, "'\(id)' is built in and takes no --issuer; --base-url moves it as a whole")
            }
            guard preset == nil else { throw CommandError(.usage, "--preset is for oidc.NAME: '\(id)' is built in") }
        } else {
            guard issuer != nil || old != nil else { throw CommandError(.usage, "'\(id)' needs its --issuer") }
            guard baseUrl == nil else {
                throw CommandError(.usage, "--base-url moves built-in providers; '\(id)' has its --issuer")
            }
        }
        if let issuer { _ = try ProviderEntry.issuer(issuer, setting: "--issuer") }
        if let baseUrl { _ = try ProviderEntry.issuer(baseUrl, setting: "--base-url") }
        return try ProviderEntry.bare(
            id, issuer: issuer ?? (Provider.isBuiltIn(id) ? nil : old?.issuer.text),
            baseURL: baseUrl ?? old?.baseURL?.text, preset: preset?.rawValue ?? old?.preset?.rawValue,
            clientID: client.clientId ?? old?.clientID ?? "")
    }

    /// Puts in what is named.
    /// - Throws: `CommandError`, `ProviderError`.
    func apply(to provider: inout Provider, _ environment: [String: String]) throws {
        func absolute(_ path: String) -> String { ConfigPath.absolute(path, environment) }
        if !scope.isEmpty { provider.scopes = scope.flatMap(Scopes.split) }
        if let document { provider.discovery = document }
        provider.parameters = try Parameters.parse(param)
        if let redirectUri = client.redirectUri {
            guard (try? HTTPURL(redirectUri)) != nil else {
                throw CommandError(.usage, "--redirect-uri is no http or https URL")
            }
            provider.redirectURI = redirectUri
        }
        if trustEmail { provider.trustsEmail = true }
        if let nonceMode { provider.nonceMode = nonceMode }
        if let tenant { provider.tenant = tenant }
        if let teamId { provider.teamID = teamId }
        provider.apiHosts = try apiHost.map(ProviderFlags.host)
        if allowHttp { provider.allowsPlainHTTP = true }
        if let authMethod = client.authMethod { provider.authenticationMethod = authMethod }
        if let privateKey = client.privateKey { provider.privateKeyFile = absolute(privateKey) }
        if let certificate = client.certificate { provider.certificateFile = absolute(certificate) }
        if let keyId = client.keyId { provider.keyID = keyId }
        if let privateKeyPassphraseFile = client.privateKeyPassphraseFile {
            provider.privateKeyPassphraseFile = absolute(privateKeyPassphraseFile)
        }
        if let keyAlg = client.keyAlg { provider.keyAlgorithm = keyAlg }
        if let assertionAudience = client.assertionAudience { provider.assertionAudience = assertionAudience }
        if let deviceAuthorizationEndpoint {
            provider.deviceAuthorizationEndpoint = try ProviderEntry.endpoint(
                deviceAuthorizationEndpoint, of: provider, setting: "--device-authorization-endpoint")
        }
        if let revocationEndpoint {
            provider.revocationEndpoint = try ProviderEntry.endpoint(
                revocationEndpoint, of: provider, setting: "--revocation-endpoint")
        }
        if let parEndpoint {
            provider.pushedRequestEndpoint = try ProviderEntry.endpoint(
                parEndpoint, of: provider, setting: "--par-endpoint")
        }
        if par { provider.pushesRequests = true }
        if dpop { provider.bindsTokens = true }
        if fapi2 { provider.isFAPI2 = true }
    }

    /// A host, or an origin where the port or plain http on loopback must be said.
    static func host(_ text: String) throws -> String {
        guard let url = try? HTTPURL(text.contains("://") ? text : "https://\(text)"), url.path.isEmpty,
            url.query == nil, url.isSecure || url.isLoopback
        else { throw CommandError(.usage, "--api-host wants a host such as api.example.com") }
        return text
    }
}
