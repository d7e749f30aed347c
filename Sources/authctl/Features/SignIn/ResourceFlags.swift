import ArgumentParser
import AuthCore

/// A sign-in for a protected resource.
struct ResourceFlags: ParsableArguments {
    @Option(
        help: .init(
            "Sign in to the authorization server of this URL, for tokens that are valid only for this URL.",
            valueName: "url"))
    var resource: HTTPURL?

    @Option(
        help: .init(
            "The URL of this client's metadata document, used as client ID if the server supports it (requires --resource).",
            valueName: "url"))
    var clientMetadata: HTTPURL?

    var given: GivenOptions { ["--resource": resource?.text, "--client-metadata": clientMetadata?.text] }

    func target(
        _ provider: String?, scopes: [String], needsUser: Bool, in context: Context
    ) async throws -> SignInToResource.Target? {
        guard let resource else { return nil }
        try context.configDirectory.requireWritable()
        var signIn = SignInToResource(context.profile, clientName: "authctl")
        signIn.provider = try provider.map(context.named)
        signIn.clientMetadata = clientMetadata
        signIn.scopes = scopes.isEmpty ? nil : scopes
        signIn.needsUser = needsUser
        let target = try await signIn.run(resource) { try context.agrees(ResourceText.question($0)) }
        switch target.made {
        case .registration:
            context.output.note(
                "registered a client at its authorization server, as the provider '\(target.providerID)'")
        case .metadataDocument: context.output.note("its authorization server is the provider '\(target.providerID)'")
        case .configured, .none?, nil: break
        }
        // On a terminal, the sign-in shows it.
        if !Screen.standardError(context.environment).isTerminal || !needsUser {
            context.output.note(ResourceText.requestNote(target))
        }
        return target
    }
}
