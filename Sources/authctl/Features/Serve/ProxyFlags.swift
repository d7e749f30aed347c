import ArgumentParser
import AuthCore

/// `serve` as a proxy that adds the token to requests.
struct ProxyFlags: ParsableArguments {
    @Option(
        help: .init(
            "Forward requests to this server with the token, instead of giving it to the clients. --allow is then 'METHOD PATH'.",
            valueName: "url"))
    var upstream: HTTPURL?

    @Option(
        help: .init(
            "Listen on this port of 127.0.0.1, or on a free one (0), and print the URL and a local key.",
            valueName: "number"))
    var port: UInt16?

    @Option(help: .init("Also forward this header of requests; repeatable.", valueName: "name"))
    var allowHeader: [String] = []

    @Option(help: .init("Also forward bodies of GET, or forms without a check; repeatable.", valueName: "get|form"))
    var allowBody: [ProxyBody] = []

    @Option(help: .init("Use the token for this resource.", valueName: "url"))
    var resource: HTTPURL?

    @OptionGroup var provider: ProviderOption

    /// The headers of `--allow-header`, in lower case.
    var headers: Set<String> { Set(allowHeader.map { $0.lowercased() }) }

    func validate() throws {
        guard let upstream else {
            let given: GivenOptions = [
                "--port": port, "--resource": resource?.text, "--provider": provider.id,
                "--allow-header": allowHeader.first, "--allow-body": allowBody.first?.rawValue,
            ]
            return try require("--upstream", isGiven: false, for: given)
        }
        try require(upstream.query == nil, "--upstream cannot have a query")
        try require(
            upstream.path.isEmpty || ProxiedPath(upstream.path) != nil,
            "the path of --upstream could be read in several ways")
        try require(
            allowHeader.allSatisfy { (try? HTTPFieldProblem.check(name: $0, value: "")) != nil },
            "--allow-header must be the name of a header")
        let refused = allowHeader.first { ProxyHeaders.isRefused($0.lowercased()) } ?? ""
        try require(refused.isEmpty, "the proxy never forwards the header '\(shown: refused)' of --allow-header")
        try refuse(["--provider": provider.id], with: ["--resource": resource?.text])
        if let resource, resource.origin != upstream.origin {
            throw UsageProblem.other(
                "--upstream must be the server of --resource, '\(shown: resource.origin)': its token is only sent there"
            )
        }
    }
}

/// Bodies that are only forwarded if the user allows them.
enum ProxyBody: String, CaseIterable, ExpressibleByArgument { case get, form }
