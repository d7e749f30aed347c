import ArgumentParser
import AuthCore

/// The options of `signin` for CI jobs.
struct WorkloadFlags: ParsableArguments {
    @Option(
        help: .init(
            "Sign in as this job, with the token of its CI system: auto, \(WorkloadPlatform.all.map(\.name).joined(separator: ", ")).",
            valueName: "system"), completion: .list(["auto"] + WorkloadPlatform.all.map(\.name)))
    var ci: String?

    @Option(help: "The audience of the token (requires --ci).")
    var audience: String?

    @Option(help: .init("The token's expected issuer (requires --ci).", valueName: "url"))
    var issuer: String?

    @Option(help: .init("The variable, file or service connection with the token (requires --ci).", valueName: "name"))
    var ciSource: String?

    @Option(
        help: .init(
            "Require this claim in the token, with its exact value; repeatable (requires --ci).",
            valueName: "claim=value"))
    var require: [String] = []

    @Option(
        help: .init("Exchange the token for this provider's access token (requires --ci).", valueName: "id"),
        completion: .providers)
    var exchange: String?

    @Option(help: "The grant: token-exchange, jwt-bearer or client-assertion (requires --exchange or --resource).")
    var exchangeBy: TokenEndpoint.WorkloadGrant?

    func validate() throws {
        _ = try requirements()
        try refuse(if: audience == "", "--audience must not be empty")
        let systems: GivenOptions = ["--ci github": ci == "github", "--ci buildkite": ci == "buildkite"]
        try refuse(["--ci-source": ciSource], with: systems)
        try refuse(
            if: ciSource?.isCompactToken == true,
            "a token in an argument is visible to all users of this machine: pass the name of its variable")
    }

    var given: GivenOptions {
        [
            "--ci": ci, "--audience": audience, "--issuer": issuer, "--ci-source": ciSource, "--require": require,
            "--exchange": exchange, "--exchange-by": exchangeBy?.rawValue,
        ]
    }

    private func requirements() throws -> [ClaimRequirement] {
        try Parameters.parse(require, "--require must be CLAIM=VALUE").map { name, value in
            try refuse(
                if: value.contains("*"),
                "--require compares exact values, without wildcards: require an ID instead, such as repository_owner_id=583231"
            )
            return ClaimRequirement(name: name, value: value)
        }
    }

    func run(_ flow: FlowFlags, for target: SignInToResource.Target?, in context: Context) async throws -> SignInResult
    {
        var request = WorkloadRequest()
        request.audience = audience ?? target?.issuer.text
        request.issuer = issuer
        request.source = ciSource
        request.required = try requirements()
        _ = try context.profile.store(creating: true)
        let workloads = try context.profile.workloads()
        var exchange: SignInWithWorkload.Exchange?
        if let id = target?.providerID ?? self.exchange {
            exchange = try SignInWithWorkload.Exchange(
                client: try await context.profile.client(id), kind: exchangeBy,
                scopes: flow.scopes.isEmpty ? target?.scopes ?? [] : flow.scopes, parameters: try flow.parameters(),
                resource: target?.resource, bindsTokens: flow.authorization.dpop || target?.requiresBoundTokens == true)
        }
        return try await SignInWithWorkload(workloads: workloads, directory: context.profile.directory()).run(
            ci ?? "auto", request: request, exchange: exchange)
    }
}
