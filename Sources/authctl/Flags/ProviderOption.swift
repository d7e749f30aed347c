import ArgumentParser
import AuthCore

/// Takes the provider of a command.
struct ProviderOption: ParsableArguments {
    @Option(
        name: .customLong("provider"),
        help: ArgumentHelp("The provider.", valueName: "id"),
        completion: .providers, transform: Dialect.id(called:))
    var id: String?
}
