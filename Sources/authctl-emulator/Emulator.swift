import ArgumentParser
import AuthCore
import CLinux
import FoundationEssentials
import Glibc

/// Local identity providers for tests, demos and CI. Every sign-in succeeds without a password, and faults can be
/// enabled. Not for real users.
@main
struct Emulator: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "authctl-emulator",
        abstract: "Run local identity providers for tests; they accept every sign-in.",
        discussion: """
            Prints its URL on standard output once it listens, and runs until it is stopped. By default it is an \
            OpenID Provider; --as selects others. Several providers listen on separate ports, and each prints a line \
            with its ID and URL.
            """,
        version: "0.3.0")

    @Option(
        name: .customLong("as"),
        help: ArgumentHelp(
            "Emulate this provider, or this service of the catalog; repeatable. 'all' means all providers.",
            valueName: "id"),
        completion: .list(["openid"] + EmulatedProvider.all.map(\.id)))
    var providers: [String] = []

    @Option(
        help: ArgumentHelp(
            "Listen on this port of 127.0.0.1, and on the following ones; 0 selects free ports.", valueName: "port"))
    var port: UInt16 = 0

    @Option(
        help: ArgumentHelp(
            "The signature algorithm of ID tokens: \(SignatureAlgorithm.allCases.map(\.rawValue).joined(separator: ", ")).",
            valueName: "algorithm"))
    var alg = "RS256"

    @Option(
        help: ArgumentHelp(
            "Store the keys that sign ID tokens in this directory (default: new keys at each start).",
            valueName: "dir"), completion: .directory)
    var keys: String?

    @Option(help: ArgumentHelp("The registered client ID.", valueName: "id"))
    var clientId = "emulator-client"

    @Option(help: ArgumentHelp("The client's secret; without it the client is public.", valueName: "secret"))
    var clientSecret: String?

    @Option(
        help: ArgumentHelp(
            "The client's key in PEM format: for private_key_jwt, or Apple's .p8 file. Only its public half is used.",
            valueName: "file"), completion: .file())
    var clientKey: String?

    @Option(
        help: ArgumentHelp("The only algorithm to accept in client assertions, such as PS256.", valueName: "algorithm"))
    var clientAlg: String?

    @Option(
        help: ArgumentHelp(
            "Read the client certificate from this header of a TLS proxy, and from its name with -Subject and -Verify.",
            valueName: "name"))
    var certificateHeader: String?

    @Option(
        help: ArgumentHelp(
            "The URL of that proxy for clients with certificates (mtls_endpoint_aliases).", valueName: "url"))
    var mtlsUrl: String?

    @Option(
        help: ArgumentHelp("The client authenticates with a certificate for this subject.", valueName: "name"))
    var clientSubject: String?

    @Option(
        help: ArgumentHelp("The client authenticates with this certificate, PEM.", valueName: "file"),
        completion: .file())
    var clientCertificate: String?

    @Flag(help: "Issue access tokens as JWTs.")
    var jwtAccessTokens = false

    @Option(help: ArgumentHelp("The client's team, at apple.com.", valueName: "id"))
    var teamId: String?

    @Option(help: ArgumentHelp("The client's key, at apple.com.", valueName: "id"))
    var keyId: String?

    @Option(help: ArgumentHelp("A registered redirect URI; repeatable.", valueName: "uri"))
    var redirectUri: [String] = []

    @Option(
        help: ArgumentHelp("The user's tenant, at microsoft.com (default: \(defaultTenant)).", valueName: "guid"))
    var tenant: String?
    private static let defaultTenant = "72f988bf-0000-4000-8000-2d7cd011db47"

    @Option(help: ArgumentHelp("The user's Workspace domain, at google.com.", valueName: "domain"))
    var hostedDomain: String?

    @Option(help: ArgumentHelp("The project ID of firebase (default: demo-project).", valueName: "id"))
    var projectId: String?

    @Option(help: ArgumentHelp("The lifetime of codes (default: that of the real provider).", valueName: "seconds"))
    var codeTtl: Int64?

    @Option(
        help: ArgumentHelp("The user who signs in; for a CI system the project, owner/name.", valueName: "name|email"))
    var user = "ada@example.com"

    @Flag(help: "Approve every request without showing a page.")
    var autoApprove = false

    @Option(help: ArgumentHelp("The lifetime of access tokens.", valueName: "seconds"))
    var accessTtl: Int64 = 3600

    @Option(help: ArgumentHelp("The lifetime of ID tokens.", valueName: "seconds"))
    var idTtl: Int64 = 3600

    @Option(
        help: ArgumentHelp(
            "The time from a sign-in to the end of its refresh tokens (default: they do not expire).",
            valueName: "seconds"))
    var sessionTtl: Int64?

    @Option(
        help: ArgumentHelp(
            "Add this member to token responses, for example refresh_expires_in=0; repeatable.",
            valueName: "name=json"))
    var tokenMember: [String] = []

    @Option(
        help: ArgumentHelp(
            "Accept the tokens of every emulator with the same directory, like providers of one process.",
            valueName: "dir"), completion: .directory)
    var neighbours: String?

    @Option(
        help: ArgumentHelp(
            "Write every secret that is received or issued to this file, one per line, so that tests can search for leaks.",
            valueName: "file"), completion: .file())
    var record: String?

    @Option(
        help: ArgumentHelp(
            "Write the emails of firebase to this file, one JSON object per line.", valueName: "file"),
        completion: .file())
    var mails: String?

    @Option(
        help: ArgumentHelp(
            "With --fault mix-up: redirect browsers to this authorization endpoint, whose client_id is in its query.",
            valueName: "url"))
    var mixUpWith: String?

    @Option(
        help: ArgumentHelp(
            "Also accept requests for this host, 'name' or 'name:port'; repeatable.", valueName: "host"))
    var acceptHost: [String] = []

    @Option(
        help: ArgumentHelp(
            "The provider's public URL behind a proxy; repeatable, one for each provider.",
            valueName: "url"))
    var url: [String] = []

    @Option(help: ArgumentHelp("Enable this fault; repeatable. 'list' prints all faults.", valueName: "name"))
    var fault: [String] = []

    /// The providers to emulate. The default is an OpenID Provider.
    private var chosen: [EmulatedProvider] {
        if providers.contains("all") { return EmulatedProvider.all }
        return providers.isEmpty ? [.openID] : providers.compactMap(EmulatedProvider.named)
    }

    func validate() throws {
        for name in providers where name != "all" && EmulatedProvider.named(name) == nil {
            let known = EmulatedProvider.all.map(\.id).joined(separator: ", ")
            throw ValidationError("--as: '\(name)' is unknown; known are \(known) and all")
        }
        let owned = [
            ("--team-id", teamId, "apple.com"), ("--key-id", keyId, "apple.com"), ("--tenant", tenant, "microsoft.com"),
            ("--hosted-domain", hostedDomain, "google.com"), ("--project-id", projectId, "firebase"),
            ("--mails", mails, "firebase"),
        ]
        for (option, value, owner) in owned where value != nil && !chosen.contains(where: { $0.id == owner }) {
            throw ValidationError("\(option) requires --as \(owner)")
        }
        guard Set(providers).count == providers.count else { throw ValidationError("--as: a provider is repeated") }
        guard Int(port) + chosen.count - 1 <= UInt16.max else {
            throw ValidationError("--port: \(chosen.count) providers do not fit after \(port)")
        }
        for (option, value) in [("--client-id", clientId), ("--user", user)] where value.isEmpty {
            throw ValidationError("\(option) is empty")
        }
        for (option, seconds) in [
            ("--access-ttl", accessTtl), ("--id-ttl", idTtl), ("--session-ttl", sessionTtl ?? 1),
        ] where seconds < 1 {
            throw ValidationError("\(option): '\(seconds)' is not a positive number")
        }
        _ = try tokenMembers
        for uri in redirectUri where !Self.isRedirectURI(uri) {
            throw ValidationError("--redirect-uri: '\(uri)' is not a URI with a scheme and without a fragment")
        }
        for host in acceptHost where HTTPURL(authority: host) == nil {
            throw ValidationError("--accept-host: '\(host)' is not 'name' or 'name:port'")
        }
        guard SignatureAlgorithm(rawValue: alg) != nil else { throw ValidationError("--alg: '\(alg)' is not known") }
        if let clientAlg, SignatureAlgorithm(rawValue: clientAlg) == nil {
            throw ValidationError("--client-alg: '\(clientAlg)' is not known")
        }
        let certificates = [mtlsUrl, clientSubject, clientCertificate]
        guard certificateHeader != nil || certificates.allSatisfy({ $0 == nil }) else {
            throw ValidationError("--mtls-url, --client-subject and --client-certificate require --certificate-header")
        }
        if let mtlsUrl, (try? HTTPURL(mtlsUrl)) == nil || mtlsUrl.hasSuffix("/") {
            throw ValidationError("--mtls-url: '\(mtlsUrl)' is not a URL without a slash at its end")
        }
        for url in url {
            guard (try? HTTPURL(url)) != nil, !url.hasSuffix("/") else {
                throw ValidationError("--url: '\(url)' is not a URL without a slash at its end")
            }
        }
        guard url.isEmpty || url.count == chosen.count else {
            throw ValidationError("--url: \(url.count) values for \(chosen.count) providers")
        }
        if let mixUpWith, (try? HTTPURL(mixUpWith)) == nil { throw ValidationError("--mix-up-with is not a URL") }
        guard fault.contains(Fault.mixUp.rawValue) == (mixUpWith != nil) else {
            throw ValidationError("--fault mix-up requires --mix-up-with, and --mix-up-with requires --fault mix-up")
        }
        if fault.contains(Fault.rs256IDToken.rawValue), SignatureAlgorithm(rawValue: alg)?.family != .rsa {
            throw ValidationError("--fault rs256-id-token requires an RSA algorithm, such as --alg PS256")
        }
        for name in fault where name != "list" {
            guard let fault = Fault(rawValue: name) else {
                throw ValidationError("--fault: '\(name)' is unknown; --fault list prints all faults")
            }
            guard chosen.contains(where: { $0.faults.contains(fault) }) else {
                throw ValidationError(
                    "--fault: \(chosen.map(\.id).joined(separator: ", ")) does not support '\(name)'; it is supported by \(Self.providers(fault))"
                )
            }
        }
    }

    private var tokenMembers: JSONObject {
        get throws {
            var members = JSONObject()
            for text in tokenMember {
                let (name, value) = (text.prefix { $0 != "=" }, text.drop { $0 != "=" }.dropFirst())
                guard !name.isEmpty, let json = try? StrictJSON.object("{\"value\":\(value)}".utf8)["value"] else {
                    throw ValidationError("--token-member: '\(text)' is not NAME=JSON")
                }
                members[String(name)] = json
            }
            return members
        }
    }

    /// Whether the text is an `http` or `https` URL, or a URI with a private-use scheme (RFC 8252 section 7.1).
    private static func isRedirectURI(_ text: String) -> Bool {
        if (try? HTTPURL(text)) != nil { return true }
        guard let colon = text.firstIndex(of: ":"), text.isVisibleASCII, !text.contains("#") else { return false }
        let (scheme, rest) = (text[..<colon].lowercased(), text[colon...].dropFirst())
        // 'localhost:8400' is a host and a port.
        return scheme.first?.isLetter == true && scheme.hasOnlyLettersAndDigits(or: "+-.")
            && scheme != "http" && scheme != "https" && rest.first?.isNumber == false
    }

    private static func providers(_ fault: Fault) -> String {
        let known = EmulatedProvider.all.filter { $0.faults.contains(fault) }.map(\.id)
        return (known + (EmulatedProvider.serviceFaults.contains(fault) ? ["every service"] : []))
            .joined(separator: ", ")
    }

    static func main() async {
        TaskThreads.startWithoutProc()
        let arguments = (0..<clinux_argument_count()).dropFirst()
        await main(arguments.compactMap { clinux_argument($0).map { String(cString: $0) } })
    }

    func run() async throws {
        if fault.contains("list") {
            for fault in Fault.allCases {
                if let place = Fault.places[fault] { print("\(fault == Fault.allCases[0] ? "" : "\n")\(place)") }
                print("  \(fault.rawValue): \(fault.summary) (\(Self.providers(fault)))")
            }
            return
        }
        // All files that it writes have secrets.
        umask(0o077)
        // A browser that closes its connection must not end the server.
        signal(SIGPIPE, SIG_IGN)
        if let neighbours { SharedIssuers.share(neighbours) }
        _ = try opened("--keys", keys, or: "cannot be created") {
            try FileManager.default.createDirectory(atPath: $0, withIntermediateDirectories: true)
        }
        let settings = try settings()
        let isNamed = chosen.count > 1
        let servers = chosen.enumerated().map { index, provider in
            Listening.Server(name: isNamed ? provider.id : nil, port: port == 0 ? 0 : port + UInt16(index)) {
                try emulation(of: provider, settings, at: url.isEmpty ? $0 : url[index])
            }
        }
        let hosts = try acceptHost + (url + [mtlsUrl].compactMap { $0 }).map { try HTTPURL($0).authority }
        try await Listening.serve(servers, alsoAt: Set(hosts.map { $0.lowercased() }))
    }

    private func emulation(of provider: EmulatedProvider, _ settings: Settings, at base: String) throws -> Emulation {
        var settings = settings
        settings.base = base
        settings.keyFile = keys.map { "\($0)/\(provider.id)-\(alg).pem" }
        SharedIssuers.add(
            provider.id,
            .init(
                base: base, clientID: clientId, clientSecret: clientSecret, clientKey: clientKey, teamID: teamId,
                keyID: keyId))
        return try Emulation(provider, settings, now: { Int64(time(nil)) })
    }

    private func settings() throws -> Settings {
        Settings(
            base: "", algorithm: SignatureAlgorithm(rawValue: alg) ?? .rs256, clientID: clientId,
            clientSecret: clientSecret,
            clientKey: try opened("--client-key", clientKey, or: "does not contain a private key in PEM format") {
                try PrivateKey(pem: Array(try Data(contentsOf: URL(filePath: $0)))).publicKey
            },
            clientAlgorithm: clientAlg.flatMap(SignatureAlgorithm.init),
            certificateHeader: certificateHeader?.lowercased(), mtlsURL: mtlsUrl, clientSubject: clientSubject,
            clientCertificate: try opened(
                "--client-certificate", clientCertificate, or: "does not contain a certificate in PEM format"
            ) {
                ForwardedCertificate.thumbprint(
                    pem: String(decoding: try Data(contentsOf: URL(filePath: $0)), as: UTF8.self))
            },
            givesJWTs: jwtAccessTokens, teamID: teamId, keyID: keyId, redirectURIs: redirectUri, user: user,
            tenant: tenant ?? Self.defaultTenant, hostedDomain: hostedDomain, projectID: projectId ?? "demo-project",
            faults: Set(fault.compactMap(Fault.init(rawValue:))), mixUpTarget: try mixUpWith.map { try HTTPURL($0) },
            approvesAutomatically: autoApprove, accessTokenLifetime: accessTtl, idTokenLifetime: idTtl,
            sessionLifetime: sessionTtl, tokenMembers: try tokenMembers, codeLifetime: codeTtl,
            record: try opened("--record", record, or: "cannot be written") { LineFile($0).map(Record.init) },
            mailbox: try opened("--mails", mails, or: "cannot be written", LineFile.init))
    }

    /// Opens the file or directory of an option.
    private func opened<Value>(
        _ option: String, _ path: String?, or fault: String, _ open: (String) throws -> Value?
    ) throws -> Value? {
        guard let path else { return nil }
        guard let value = try? open(path) else { throw ValidationError("\(option): '\(path)' \(fault)") }
        return value
    }
}
