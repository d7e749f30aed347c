import ArgumentParser
import AuthCore

/// Token introspection at the provider (RFC 7662).
struct IntrospectionFlags: ParsableArguments {
    @Flag(help: "Introspect the token at the provider (RFC 7662), and print the response.")
    var introspect = false

    @OptionGroup var provider: ProviderOption

    @Option(
        help: .init(
            "A hint about the token's type: access_token or refresh_token (requires --introspect).", valueName: "type"))
    var tokenTypeHint: TokenEndpoint.TokenTypeHint?

    @Option(
        name: .customLong("require"),
        help: .init(
            "Require this member in the introspection response, as client_id=my-client or /cnf/jkt=…; repeatable (requires --introspect).",
            valueName: "name=value"))
    var required: [String] = []

    func validate() throws {
        try require(
            "--introspect", isGiven: introspect,
            for: ["--provider": provider.id, "--token-type-hint": tokenTypeHint?.rawValue, "--require": required])
        _ = try requirements()
    }

    private func requirements() throws -> [ClaimRequirement] {
        try Parameters.parse(required, "--require must be NAME=VALUE").map { ClaimRequirement(name: $0, value: $1) }
    }

    func request(issuer: String?, audience: String?, _ context: Context) async throws -> IntrospectToken {
        var request = try await IntrospectToken(try context.providerID(provider.id), in: context.profile)
        request.hint = tokenTypeHint
        request.issuer = issuer
        request.audience = audience
        request.required = try requirements()
        return request
    }
}
