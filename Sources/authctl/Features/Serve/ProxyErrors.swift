import AuthCore

// Errors that a proxy (`serve --upstream`) reports at its start and to its clients.
extension CommandError {
    /// - Parameter corrected: the rule that was probably meant.
    static func invalidProxyRule(
        _ text: String, _ problem: String, corrected: String?, typed: [String]
    ) -> CommandError {
        let words = ["serve", "--socket", "FILE", "--upstream", "https://api.github.com", "--allow", text]
        return invalidAllow(text, problem, corrected ?? "GET /PATH", typed, words)
    }

    // MARK: To clients

    static func notAllowedByRule(_ request: String, _ rules: [String]) -> CommandError {
        CommandError(.operationNotAllowed, "no rule allows '\(shown: request)'", hint: "allowed here: \(list: rules)")
    }

    static var methodNotForwarded: CommandError {
        CommandError(
            .unsupported, "the proxy forwards GET, HEAD, POST, PUT, PATCH and DELETE, and does not switch protocols",
            hint: "use one of these methods")
    }

    static var ambiguousPath: CommandError {
        CommandError(
            .usage, "the request's URL could be read in several ways",
            hint: "send a path without '.', '..', '//', ';' and encoded separators")
    }

    static func parameterNotForwarded(_ name: String) -> CommandError {
        CommandError(
            .operationNotAllowed, "the proxy does not forward the parameter '\(shown: name)'",
            hint: "remove it from the query or form, or correct its percent-encoding")
    }

    /// The body of a GET request, or a form.
    static func bodyNotForwarded(isForm: Bool) -> CommandError {
        let problem =
            isForm
            ? "cannot check this body: it must have a Content-Type, and a form must be urlencoded, in UTF-8, and at most 64 KiB"
            : "does not forward the body of a GET request"
        return CommandError(
            .operationNotAllowed, "the proxy \(problem)",
            hint: "to forward it, add --allow-body \(isForm ? "form" : "get") to the server's command")
    }

    static func unreadableRequest(_ refusal: RequestHead.Refusal) -> CommandError {
        let (problem, hint): (String, Hint) =
            switch refusal {
            case .badRequest: ("the request is not valid HTTP/1.1", "use another client")
            case .contentTooLarge: ("the request's Content-Length is too large", "send a shorter body")
            case .targetTooLong:
                ("the request's URL is longer than \(RequestHead.maximumTargetLength) bytes", "send a shorter URL")
            case .expectationFailed: ("the request's Expect header is not supported", "use another client")
            case .headersTooLarge: ("the request's headers are too long or too many", "send fewer headers")
            case .versionNotSupported: ("only HTTP/1.1 is supported", "use another client")
            }
        return CommandError(.usage, problem, hint: hint)
    }

    static func otherHost(_ hosts: [String]) -> CommandError {
        CommandError(.operationNotAllowed, "the Host header names another server", hint: "send one of \(list: hosts)")
    }

    static var localKeyRequired: CommandError {
        CommandError(
            .operationNotAllowed, "the local key is missing or wrong",
            hint: "send the key that was printed with the URL: Authorization: Bearer KEY")
    }
}
