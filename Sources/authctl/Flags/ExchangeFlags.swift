import ArgumentParser
import AuthCore

struct ExchangeFlags: ParsableArguments {
    @Option(
        help: ArgumentHelp("Exchange the token at this provider (RFC 8693).", valueName: "id"),
        completion: .providers, transform: Dialect.id(called:))
    var exchange: String?

    @Option(
        help: ArgumentHelp("The audience of the new token; repeatable (requires --exchange).", valueName: "audience"))
    var audience: [String] = []

    @Option(
        help: ArgumentHelp(
            "A scope of the new token; repeatable, or separated by commas (requires --exchange).", valueName: "scope"))
    var scope: [String] = []

    func validate() throws {
        guard !audience.contains("") else { throw ValidationError("--audience must not be empty") }
        guard exchange == nil, !audience.isEmpty || !scope.isEmpty else { return }
        throw ValidationError("--audience and --scope require --exchange")
    }
}
