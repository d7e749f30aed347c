import AuthCore

// Errors that the bridge of `credential mcp --stdio` reports to its client.
extension CommandError {
    static func mcpStatus(_ status: Int, of url: HTTPURL) -> CommandError {
        switch status {
        case 401:
            CommandError(
                .signInRequired, "the server rejected a new token of the session",
                hint: "to sign in again: \(run: "authctl signin --resource \(url.text)")")
        case 300...399: CommandError(.requestFailed, "the server redirects to another URL (status \(status))")
        case 429: CommandError(.tooManyRequests, "the server responded with status 429", hint: .again)
        case 500...: CommandError(.providerUnavailable, "the server responded with status \(status)", hint: .again)
        default: CommandError(.requestFailed, "the server responded with status \(status)")
        }
    }

    static func mcpOtherServer(_ server: String, than url: HTTPURL) -> CommandError {
        CommandError(
            .operationNotAllowed, "the client would send the token of '\(url.text)' to '\(shown: server)'",
            hint: "correct the URLs of this server in the client's file, for example .mcp.json")
    }

    static var mcpSessionEnded: CommandError {
        CommandError(
            .requestFailed, "the server ended the MCP session (404), so the client must send a new initialize request",
            hint: "reconnect to this server in the MCP client; you need not sign in again")
    }

    static var mcpResponseLost: CommandError {
        CommandError(.networkFailed, "the connection ended before the response arrived", hint: .again)
    }

    static var mcpInvalidResponse: CommandError {
        CommandError(.invalidResponse, "the server's response is not a JSON-RPC message")
    }

    static func mcpMessageTooLong(_ limit: Int) -> CommandError {
        CommandError(.invalidResponse, "the server's message is longer than \(limit >> 20) MiB")
    }
}
