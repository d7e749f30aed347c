import ArgumentParser
import AuthCore

/// The provider of a command, as an argument or an option: `signin github.com` or `signin --provider github.com`.
struct ProviderArgument: ParsableArguments {
    @Argument(
        help: .init("The same as --provider, for example github.com.", valueName: "provider"),
        completion: .providers, transform: Dialect.id(called:))
    var operand: String?

    @OptionGroup var option: ProviderOption

    var id: String? {
        get { operand ?? option.id }
        set { operand = newValue }
    }

    func validate() throws {
        try require(operand == nil || option.id == nil, "the provider is given twice, with and without --provider")
    }
}
