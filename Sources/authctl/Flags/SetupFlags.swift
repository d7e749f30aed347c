import ArgumentParser
import AuthCore

/// What `setup` is told beforehand.
struct SetupFlags: ParsableArguments {
    @Option(help: ArgumentHelp("The issuer of an OpenID Provider.", valueName: "url"))
    var issuer: String?

    @Option(
        help: ArgumentHelp(
            "Where a built-in provider's endpoints are instead: an Enterprise Server, an emulator.", valueName: "url"))
    var baseUrl: String?

    @Option(
        help: ArgumentHelp("The redirect URI to register, if it differs from the default.", valueName: "uri"))
    var redirectUri: String?

    @Option(help: ArgumentHelp("Listen on this loopback port, in the sign-in that follows.", valueName: "port"))
    var port: UInt16?

    @Flag(help: "Add the provider without signing in.")
    var noSignin = false

    @Flag(help: "Print URLs and open no browser.")
    var noBrowser = false

    func validate() throws {
        if issuer != nil, baseUrl != nil {
            throw ValidationError("--issuer is for OpenID Providers, --base-url for built-in ones")
        }
    }
}
