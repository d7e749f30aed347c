import AuthCore

extension Context {
    /// A request for another tool's token, which the tool sends to a server.
    /// - Parameter providers: those whose session may be used, the preferred one first; nil for any.
    func toolRequest(_ providers: [String]?, _ kind: CurrentToken.Kind = .access) -> CurrentToken.Request {
        var request = CurrentToken.Request()
        request.account = account
        request.providers = providers
        request.kind = kind
        request.isForHost = true
        return request
    }

    /// The token for another tool.
    func toolToken(_ request: CurrentToken.Request) async throws -> CurrentToken.Result {
        let result = try await token(request)
        // None of the tools' protocols carries a proof.
        _ = try result.bearer()
        show(result.notes)
        return result
    }

    /// Prints what a person should know of a token.
    func show(_ notes: [CurrentToken.Note]) {
        for note in notes { output.note(note.text) }
    }
}
