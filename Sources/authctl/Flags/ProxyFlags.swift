import ArgumentParser
import AuthCore

/// `serve` as a proxy that adds the token to requests.
struct ProxyFlags: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Forward requests to this server with the token, instead of giving it to the clients. --allow is then 'METHOD PATH'.",
            valueName: "url"))
    var upstream: ResourceURL?

    @Option(
        help: ArgumentHelp(
            "Listen on this port of 127.0.0.1, or on a free one (0), and print the URL and a local key.",
            valueName: "number"))
    var port: UInt16?

    @Option(help: ArgumentHelp("Use the token for this resource.", valueName: "url"))
    var resource: ResourceURL?

    @OptionGroup var provider: ProviderOption

    func validate() throws {
        guard let upstream = upstream?.url else {
            let given = [
                port == nil ? nil : "--port", resource == nil ? nil : "--resource",
                provider.id == nil ? nil : "--provider",
            ]
            if let option = given.compactMap({ $0 }).first { throw ValidationError("\(option) requires --upstream") }
            return
        }
        guard upstream.query == nil else { throw ValidationError("--upstream cannot have a query") }
        guard resource == nil || provider.id == nil else {
            throw ValidationError("--provider cannot be used with --resource")
        }
        if let resource = resource?.url, resource.origin != upstream.origin {
            throw ValidationError(
                "--upstream must be the server of --resource, '\(ServerText.shown(resource.origin))': its token is only sent there"
            )
        }
    }
}
