import ArgumentParser
import AuthCore

extension Context {
    func toolRequest(_ providers: [String]?, kind: CurrentToken.Kind = .access, for choice: AccountChoice? = nil)
        throws -> CurrentToken.Request
    {
        var request = CurrentToken.Request()
        request.account = try choice.map(\.account) ?? account
        request.providers = providers
        request.kind = kind
        request.isForHost = true
        return request
    }

    func toolToken(_ request: CurrentToken.Request) async throws -> CurrentToken.Result {
        if request.kind == .id { try requireIDTokens(of: request.provider) }
        let result: CurrentToken.Result
        do { result = try await token(request) } catch let missing as NotSignedIn {
            if case .noToken(.id, let provider) = missing { try requireIDTokens(of: provider) }
            throw missing
        }
        // None of the tools' protocols supports DPoP proofs.
        _ = try result.bearer()
        show(result.notes)
        return result
    }

    /// kubectl, AWS and Google Cloud identify the user by an ID token.
    func requireIDTokens(of provider: String?, by tool: String = "this tool") throws(CommandError) {
        guard let provider, !hasIDTokens(provider) else { return }
        throw CommandError(
            .unsupported, "\(provider) has no ID tokens, which \(tool) requires",
            hint: "choose an OpenID Provider: \(run: "authctl providers list")", isComplete: true)
    }

    func hasIDTokens(_ provider: String) -> Bool {
        ((try? profile.resolve(provider).provider())?.dialect ?? Dialect.named(provider))?.hasIDTokens != false
    }

    func toolToken(
        _ request: CurrentToken.Request, signingIn canPrompt: Bool
    ) async throws -> CurrentToken.Result {
        do {
            return try await toolToken(request)
        } catch let error as NotSignedIn where error.endsWithSignIn {
            guard canPrompt, !isUnattended else { throw error }
            let id = try providerID(request.provider)
            if request.kind == .id { try requireIDTokens(of: id) }
            let before = try? await DefaultSession(self)
            let result = try await FlowFlags.parse([]).run(id, as: .signIn, in: self, isUserInitiated: false)
            _ = try await before?.restored(self)
            SignInText.note(result, self)
            var request = request
            request.provider = id
            return try await toolToken(request)
        }
    }
}

extension [Provider] {
    func tokenUserName(for token: CurrentToken.Result) -> String {
        (first { $0.id == token.providerID } ?? self[0]).dialect.tokenUserName
    }
}
