import AuthCore

extension Context {
    func toolRequest(_ providers: [String]?, _ kind: CurrentToken.Kind = .access, for choice: AccountChoice? = nil)
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
        let result = try await token(request)
        // None of the tools' protocols supports DPoP proofs.
        _ = try result.bearer()
        show(result.notes)
        return result
    }

    /// A new token of the CI system for a different audience than the job's session.
    func jobToken(_ request: CurrentToken.Request, for audience: String) async throws -> CurrentToken.Result {
        if let result = try await CurrentToken(profile).jobToken(request, audience: audience) { return result }
        throw CommandError(
            .usage, "the session's provider does not issue tokens for other audiences, as CI systems do",
            hint: "exchange the token: add --exchange ID")
    }

    func show(_ notes: [CurrentToken.Note]) { for note in notes { output.note(note.text) } }
}
