import ArgumentParser
import AuthCore

struct SetupFlags: ParsableArguments {
    @Option(help: .init("The issuer of an OpenID Provider.", valueName: "url"))
    var issuer: String?

    @Option(
        help: .init(
            "The base URL of a built-in provider, for example of an Enterprise Server or an emulator.", valueName: "url"
        ))
    var baseUrl: String?

    @Option(help: .init("The redirect URI to register (default: a loopback URI).", valueName: "uri"))
    var redirectUri: String?

    @Option(help: "The loopback port for the sign-in.")
    var port: UInt16?

    @Flag(help: "Add the provider without signing in.")
    var noSignin = false

    @Flag(help: "Print URLs instead of opening a browser.")
    var noBrowser = false

    func validate() throws {
        try refuse(
            if: issuer != nil && baseUrl != nil,
            "--issuer is only for OpenID Providers, --base-url only for built-in providers")
    }
}
