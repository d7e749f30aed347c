import AuthCore

extension Context {
    func toolRequest(_ providers: [String]?, _ kind: CurrentToken.Kind = .access, for choice: AccountChoice? = nil)
        throws
        -> CurrentToken.Request
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
        // None of the tools' protocols carries a proof.
        _ = try result.bearer()
        show(result.notes)
        return result
    }

    func show(_ notes: [CurrentToken.Note]) {
        for note in notes { output.note(note.text) }
    }
}
