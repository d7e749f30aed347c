import AuthCore

extension Context {
    /// The token for another tool, of whichever account has a session with the provider.
    func token(of provider: String?, _ kind: CurrentToken.Kind = .access) async throws -> CurrentToken.Result {
        var request = CurrentToken.Request()
        request.account = account
        request.provider = provider
        request.kind = kind
        request.searchesAccounts = true
        let result = try await token(request)
        // None of the tools' protocols carries a proof.
        _ = try result.bearer()
        if let note = result.note { output.note(note.text) }
        return result
    }
}
