import ArgumentParser
import AuthCore

/// The provider of a command, as an argument or an option: `signin github.com` or `signin --provider github.com`.
struct ProviderArgument: ParsableArguments, NamesSession {
    @Argument(
        help: .init("The same as --provider, for example github.com.", valueName: "provider"), completion: .providers)
    var operand: String?

    @OptionGroup var option: ProviderOption

    var given: String? { operand ?? option.given }

    func validate() throws {
        try require(operand == nil || option.given == nil, "the provider is given twice, with and without --provider")
    }
}
