import ArgumentParser
import AuthCore

struct ExchangeFlags: ParsableArguments {
    @Option(
        help: .init("Exchange the token at this provider (RFC 8693).", valueName: "id"),
        completion: .providers, transform: Dialect.id(called:))
    var exchange: String?

    @Option(help: "The audience of the new token; repeatable (requires --exchange).")
    var audience: [String] = []

    @Option(help: "A scope of the new token; repeatable, or separated by commas or spaces (requires --exchange).")
    var scope: [String] = []

    @Option(
        help: .init("Send this parameter with the exchange; repeatable (requires --exchange).", valueName: "key=value"))
    var exchangeParam: [String] = []

    func validate() throws {
        try require(!audience.contains(""), "--audience must not be empty")
        try require(
            "--exchange", isGiven: exchange != nil,
            for: ["--audience": audience, "--scope": scope, "--exchange-param": exchangeParam])
        _ = try parameters()
    }

    func parameters() throws -> [(String, String)] {
        let parameters = try Parameters.parse(exchangeParam, "--exchange-param must be KEY=VALUE")
        for (name, _) in parameters where TokenEndpoint.exchangeParameters.contains(name) {
            throw UsageProblem.other(
                "'\(name)' cannot be set with --exchange-param, because authctl sets it: use --audience, --scope or --resource"
            )
        }
        return parameters
    }
}

/// A token exchange failed (RFC 8693).
struct ExchangeFailed: WrappingError {
    let provider: String
    let audiences: [String]
    let resource: String?
    let error: any Error

    var isFinal: Bool {
        if case OAuthError.refused = error { return true }
        return error is TokenBindingError
    }

    func explanation(_ context: ErrorContext) -> Explanation {
        var own = ErrorContext(provider: provider)
        own.resource = resource
        own.audiences = audiences
        return inner.explanation(own)
    }
}
