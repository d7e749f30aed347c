import ArgumentParser
import AuthCore

struct ExchangeFlags: ParsableArguments {
    @Option(
        help: ArgumentHelp("Exchange the token at this provider (RFC 8693).", valueName: "id"),
        completion: .providers, transform: Dialect.id(called:))
    var exchange: String?

    @Option(help: ArgumentHelp("With --exchange: the audience of the new token; repeatable.", valueName: "audience"))
    var audience: [String] = []

    @Option(
        help: ArgumentHelp(
            "With --exchange: a scope of the new token; repeatable, or separated by commas.", valueName: "scope"))
    var scope: [String] = []

    func validate() throws {
        guard !audience.contains("") else { throw ValidationError("--audience must not be empty") }
        guard exchange == nil, !audience.isEmpty || !scope.isEmpty else { return }
        throw ValidationError("--audience and --scope require --exchange")
    }
}
