import ArgumentParser
import AuthCore

/// What names a provider, and possibly one of its sessions.
protocol NamesSession { var given: String? { get } }

extension NamesSession {
    var id: String? { given.map { SessionName($0).provider } }
    /// The name, if it also names the user: it selects the account then.
    var account: String? { given.flatMap { SessionName($0).user == nil ? nil : $0 } }
}

/// The provider of a command.
struct ProviderOption: ParsableArguments, NamesSession {
    @Option(
        name: .customLong("provider"),
        help: .init("The provider, for example github.com or oidc.work.", valueName: "id"), completion: .providers)
    var all: [String] = []

    var given: String? { all.last }

    func validate() throws { try require(all.count < 2, "--provider can be given only once") }
}
