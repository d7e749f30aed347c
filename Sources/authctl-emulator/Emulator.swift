import ArgumentParser
import AuthCore
import Glibc

/// A local OpenID Provider for tests, demos and other people's CI: whoever asks is signed in, and it does wrong what it
/// is told to do wrong. Never for real people.
@main
struct Emulator: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "authctl-emulator",
        abstract: "A local OpenID Provider for tests; anybody can sign in to it.",
        discussion: """
            Prints its issuer's URL on standard output once it listens, and runs until it is ended. Any loopback redirect \
            URI is accepted.
            """,
        version: "0.1.0")

    @Option(help: ArgumentHelp("Listen on this port of 127.0.0.1; 0 takes a free one.", valueName: "port"))
    var port: UInt16 = 0

    @Option(
        help: ArgumentHelp("Sign ID tokens with RS256, PS256, ES256, ES384, ES512 or EdDSA.", valueName: "algorithm"))
    var alg = "RS256"

    @Option(help: ArgumentHelp("The client ID it knows.", valueName: "id"))
    var clientId = "emulator-client"

    @Option(help: ArgumentHelp("The client's secret; without it the client is public.", valueName: "secret"))
    var clientSecret: String?

    @Option(help: ArgumentHelp("Who signs in.", valueName: "name|email"))
    var user = "ada@example.com"

    @Flag(help: "Approve every request without showing a page.")
    var autoApprove = false

    @Option(help: ArgumentHelp("How long access tokens live.", valueName: "seconds"))
    var accessTtl: Int64 = 3600

    @Option(help: ArgumentHelp("How long ID tokens live.", valueName: "seconds"))
    var idTtl: Int64 = 3600

    @Option(help: ArgumentHelp("Do this wrong; repeatable. 'list' prints what there is.", valueName: "name"))
    var fault: [String] = []

    func validate() throws {
        guard SignatureAlgorithm(rawValue: alg) != nil else { throw ValidationError("--alg: '\(alg)' is not known") }
        for name in fault where name != "list" && Fault(rawValue: name) == nil {
            throw ValidationError("--fault: '\(name)' is not known; --fault list prints what there is")
        }
    }

    func run() async throws {
        if fault.contains("list") {
            for fault in Fault.allCases { print(fault.rawValue) }
            return
        }
        // A browser that goes away must not end the server.
        signal(SIGPIPE, SIG_IGN)
        let settings = EmulatedProvider.Settings(
            issuer: "", algorithm: SignatureAlgorithm(rawValue: alg) ?? .rs256, clientID: clientId,
            clientSecret: clientSecret, user: user, faults: Set(fault.compactMap(Fault.init(rawValue:))),
            approvesItself: autoApprove, accessTokenLifetime: accessTtl, idTokenLifetime: idTtl)
        try await Listening.serve(port: port) { issuer in
            var settings = settings
            settings.issuer = issuer
            return try EmulatedProvider(settings, now: { Int64(time(nil)) })
        }
    }
}
