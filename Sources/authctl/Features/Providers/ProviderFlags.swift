import ArgumentParser
import AuthCore

/// The provider settings that `providers add` and `providers set` accept.
///
/// A class, because the code that copies so many options would be 50 KB of the program. Sendable, because only the parser
/// writes it, before it returns the command.
final class ProviderFlags: ParsableArguments, @unchecked Sendable {
    init() {}

    @Option(
        help: .init("The issuer of oidc.NAME, exactly as in the provider's metadata.", valueName: "url"),
        transform: \.withoutDiscoveryPath)
    var issuer: String?

    @Option(
        help: .init(
            "The base URL of a built-in provider, for example of an Enterprise Server, a sovereign cloud or an emulator.",
            valueName: "url"))
    var baseUrl: String?

    @Option(
        help: .init(
            "A PEM file of certificate authorities that are trusted for this provider's hosts, in addition to the system's.",
            valueName: "file"), completion: .file())
    var caFile: String?

    @Option(
        help: "The service (providers catalog) behind oidc.NAME or oauth.NAME; oauth implies --discovery oauth.",
        completion: .list(Dialect.Preset.allCases.map(\.rawValue)))
    var preset: String?
    private var knownPreset: Dialect.Preset? { preset.flatMap(Dialect.Preset.init) }
    /// A service whose settings are all in the catalog.
    var service: String? { knownPreset == nil ? preset : nil }

    @Option(help: "At microsoft.com: a tenant's GUID or domain, common, organizations or consumers.")
    var tenant: String?

    @Option(help: .init("At apple.com: your ten-character team ID.", valueName: "id"))
    var teamId: String?

    @Option(help: .init("Another host that 'authctl request' may send the token to; repeatable.", valueName: "host"))
    var apiHost: [String] = []

    @Option(
        help: .init(
            "Get tokens with identity assertions of this provider (ID-JAG), without a browser.", valueName: "id"),
        completion: .providers, transform: Dialect.id(called:))
    var assertionFrom: String?

    @Option(
        help:
            "The metadata document: openid (OpenID Connect Discovery), openid-inserted (its URL by RFC 8414), or oauth (RFC 8414) (default: openid)."
    )
    var discovery: Discovery.Document?

    @Option(help: "Request this scope at every sign-in; repeatable.")
    var scope: [String] = []

    @Option(help: .init("Send this parameter at every sign-in; repeatable.", valueName: "key=value"))
    var param: [String] = []

    @Option(
        help: .init(
            "The device authorization endpoint (RFC 8628), if the provider's metadata lacks it.", valueName: "url"))
    var deviceAuthorizationEndpoint: String?

    @Option(help: .init("The revocation endpoint (RFC 7009), if the provider's metadata lacks it.", valueName: "url"))
    var revocationEndpoint: String?

    @Option(help: .init("The authorization endpoint of oauth.NAME, which has no metadata.", valueName: "url"))
    var authorizationEndpoint: String?

    @Option(help: .init("The token endpoint of oauth.NAME.", valueName: "url"))
    var tokenEndpoint: String?

    @Option(help: .init("The API of oauth.NAME that says who the user is.", valueName: "url"))
    var userinfoEndpoint: String?

    @Option(help: .init("Its JSON body, which is sent with POST.", valueName: "json"))
    var userinfoBody: String?

    @Option(help: .init("Where its JSON has the user's ID, for example data.id.", valueName: "path"))
    var uidPath: String?

    @Option(help: .init("Where its JSON has the user's name.", valueName: "path"))
    var namePath: String?

    @Option(help: .init("Where its JSON has the address, which is never trusted.", valueName: "path"))
    var emailPath: String?

    @Option(help: .init("What oauth.NAME writes between scopes (default: a space).", valueName: "text"))
    var scopeSeparator: String?

    @Option(help: .init("Send this header to the provider's API; {client_id} is the client's.", valueName: "key=value"))
    var apiHeader: [String] = []

    @Option(
        help: .init("A value that the service asks for, for example domain=dev-1.okta.com.", valueName: "name=value"))
    var answer: [String] = []

    @Option(help: .init("The PAR endpoint (RFC 9126), if the provider's metadata lacks it.", valueName: "url"))
    var parEndpoint: String?

    @Flag(help: "Use pushed authorization requests (PAR, RFC 9126) even if the provider does not require them.")
    var par = false

    @Flag(help: "Use DPoP-bound tokens for every sign-in (RFC 9449).")
    var dpop = false

    @Flag(help: "Enforce the FAPI 2.0 Security Profile; includes PAR and sender-constrained tokens.")
    var fapi2 = false

    @Flag(help: "Trust the provider's email_verified claim.")
    var trustEmail = false

    @Option(help: "How the nonce is sent: raw or sha256 (default: raw, except at apple.com and facebook.com).")
    var nonceMode: Dialect.NonceMode?

    @Option(help: .init("Whether an ID token must repeat the nonce: on or off (default: on).", valueName: "on|off"))
    var nonceRequired: Switch?

    @Option(help: .init("Another client that ID tokens may name as audience; repeatable.", valueName: "client-id"))
    var trustedAudience: [String] = []

    @Flag(help: "Allow a plain http issuer that is not on loopback. Others on the network can read the tokens.")
    var allowHttp = false

    @OptionGroup(title: "Client") var client: ClientFlags

    func validate() throws {
        for (name, _) in try Parameters.parse(param) where AuthorizationRequest.reservedParameters.contains(name) {
            throw UsageProblem.other(
                "'\(name)' cannot be set with --param, because authctl sets it to protect the sign-in")
        }
    }

    /// A server without OpenID Connect publishes its metadata as in RFC 8414.
    private var document: Discovery.Document? { discovery ?? (knownPreset == .oauth ? .oauth : nil) }

    private var given: [String: SettingValue] {
        get throws {
            let own: [String: SettingValue?] = [
                "issuer": .given(issuer), "base_url": .given(baseUrl), "preset": .given(knownPreset),
                "tenant": .given(tenant), "team_id": .given(teamId), "ca_file": .given(caFile),
                "api_hosts": .given(apiHost.map { (try? ProviderFlags.host($0)) ?? $0 }),
                "assertion_from": .given(assertionFrom), "discovery": .given(document),
                "scopes": .given(scope.flatMap(Scopes.split)),
                "params": param.isEmpty ? nil : .pairs(try Parameters.parse(param)),
                "authorization_endpoint": .given(authorizationEndpoint), "token_endpoint": .given(tokenEndpoint),
                "userinfo_endpoint": .given(userinfoEndpoint), "userinfo_body": .given(userinfoBody),
                "uid_path": .given(uidPath), "name_path": .given(namePath), "email_path": .given(emailPath),
                "scope_separator": .given(scopeSeparator),
                "api_headers": apiHeader.isEmpty ? nil : .pairs(try Parameters.parse(apiHeader)),
                "device_authorization_endpoint": .given(deviceAuthorizationEndpoint),
                "revocation_endpoint": .given(revocationEndpoint),
                "pushed_authorization_request_endpoint": .given(parEndpoint),
                "par": .given(par), "dpop": .given(dpop), "fapi2": .given(fapi2), "trust_email": .given(trustEmail),
                "nonce_mode": .given(nonceMode), "nonce_required": nonceRequired.map { .flag($0 == .on) },
                "trusted_audiences": .given(trustedAudience), "allow_http": .given(allowHttp),
            ]
            return own.merging(client.given) { own, _ in own }.compactMapValues { $0 }
        }
    }

    /// The keys of the settings that change. A new place for the client secret replaces the old one.
    var named: Set<String> {
        get throws { Set(try given.keys).union(client.namesSecret ? ["client_secret_file", "client_secret_env"] : []) }
    }

    /// The provider of a service in the catalog, with these settings instead of some of its own.
    private func provider(_ id: String, of entry: CatalogEntry) throws -> Provider {
        let given: [String: String] = try Dictionary(Parameters.parse(answer, "--answer must be NAME=VALUE")) { $1 }
        let names = entry.questions.map(\.name)
        if let unknown = given.keys.first(where: { !names.contains($0) }) {
            throw UsageProblem.other(
                "--answer: '\(entry.name)' does not ask for '\(shown: unknown)'\(Spelling.question(names))")
        }
        var answers: [String: String] = [:]
        for question in entry.questions where issuer == nil {
            guard let value = given[question.name] ?? answers[question.name] ?? question.standard else {
                throw UsageProblem.other("'\(entry.name)' requires --answer \(question.name)=VALUE: \(question.text)")
            }
            guard let parts = entry.answers(in: value, to: question) else {
                throw UsageProblem.other("--answer \(question.name): '\(shown: value)' \(question.problem)")
            }
            answers.merge(parts) { old, _ in old }
        }
        return try entry.answering(answers).provider(
            id: id, issuer: issuer.map { try Provider.url($0, setting: "--issuer") }, clientID: client.clientId ?? "",
            at: baseUrl.map { try Provider.url($0, setting: "--base-url") })
    }

    func provider(
        _ id: ProviderID, of entry: CatalogEntry? = nil, insteadOf old: Provider? = nil, in environment: Environment
    ) throws -> Provider {
        try require(entry != nil || answer.isEmpty, "--answer is for a service of the catalog, and not for '\(id)'")
        try check(id, of: entry, hasIssuer: old != nil || id.isPlainOAuth && tokenEndpoint != nil)
        var provider =
            try entry.map { try self.provider(id.description, of: $0) }
            ?? Provider(
                id, issuer: issuer ?? (id.isBuiltIn || tokenEndpoint != nil ? nil : old?.issuer.text),
                baseURL: baseUrl ?? old?.baseURL?.text,
                preset: knownPreset?.rawValue ?? old?.preset?.rawValue, tokenEndpoint: tokenEndpoint,
                clientID: client.clientId ?? old?.clientID ?? "")
        // An endpoint may be plain http if the configuration allows it.
        provider.allowsPlainHTTP = old?.allowsPlainHTTP ?? false
        let given = try given
        for setting in Provider.settings {
            guard var value = given[setting.key] else { continue }
            if setting.kind == .file { value = .text(ConfigPath.absolute(value.displayText, environment)) }
            do throws(SettingFault) { try setting.set(value, of: &provider) } catch {
                throw ProviderError.invalid(setting: "--\(setting.option ?? setting.key)", error)
            }
        }
        try provider.checkKind()
        return provider
    }

    private func check(_ id: ProviderID, of entry: CatalogEntry?, hasIssuer: Bool) throws {
        try require(
            service == nil || entry != nil,
            "--preset: '\(shown: preset ?? "")' is not a service that providers add knows")
        if id.isBuiltIn {
            try require(issuer == nil, "'\(id)' is built in: use --base-url instead of --issuer")
            try require(preset == nil, "--preset is for oidc.NAME: '\(id)' is built in")
        } else {
            try require(issuer != nil || hasIssuer || entry != nil, .requires("'\(id)'", ["--issuer"]))
            try require(
                baseUrl == nil || entry != nil, "--base-url is for built-in providers: use --issuer for '\(id)'")
        }
        let dialect = Dialect.named(id.description)
        try require(
            client.appId == nil || dialect?.installations != nil,
            "--app-id is for github.com: '\(id)' does not issue installation tokens")
        try require(
            teamId == nil || dialect?.signsClientSecret == true, "--team-id is for apple.com, and not for '\(id)'")
        if let issuer { _ = try Provider.url(issuer, setting: "--issuer") }
        if let baseUrl { _ = try Provider.url(baseUrl, setting: "--base-url") }
        try require(
            client.redirectUri.map { (try? HTTPURL($0)) != nil } ?? true,
            "--redirect-uri must be an http or https URL")
        for host in apiHost { _ = try ProviderFlags.host(host) }
    }

    /// A host, or an origin if it has a port or plain http on loopback.
    static func host(_ text: String) throws -> String {
        let url = try HTTPURL(server: text, of: "--api-host")
        try require(url.protectsSecrets, "--api-host: http:// is only allowed on loopback")
        return url.isSecure ? url.authority : url.root
    }
}

extension SettingValue {
    static func given(_ text: String?) -> SettingValue? { text.map { .text($0) } }
    static func given<Word: RawRepresentable<String>>(_ word: Word?) -> SettingValue? {
        word.map { .text($0.rawValue) }
    }
    static func given(_ texts: [String]) -> SettingValue? { texts.isEmpty ? nil : .list(texts) }
    static func given(_ isOn: Bool) -> SettingValue? { isOn ? .flag(true) : nil }
}
