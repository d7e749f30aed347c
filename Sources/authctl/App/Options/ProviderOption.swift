import ArgumentParser
import AuthCore

/// The provider of a command.
struct ProviderOption: ParsableArguments {
    @Option(
        name: .customLong("provider"),
        help: .init("The provider, for example github.com or oidc.work.", valueName: "id"),
        completion: .providers, transform: Dialect.id(called:))
    var id: String?
}
