// Public imports, because a conformance of a public type to a public protocol is public itself.
public import ArgumentParser
public import AuthCore

extension SignInRequest.Flow: ExpressibleByArgument {}
extension CurrentToken.Kind: ExpressibleByArgument {}
extension ClientAuthentication.Method: ExpressibleByArgument {}
extension ClientAuthentication.Audience: ExpressibleByArgument {}
extension Discovery.Document: ExpressibleByArgument {}
extension Dialect.NonceMode: ExpressibleByArgument {}
extension ResponseMode: ExpressibleByArgument {}
extension Dialect.Preset: ExpressibleByArgument {}
extension HTTPRequest.Method: ExpressibleByArgument {}
extension TokenEndpoint.TokenTypeHint: ExpressibleByArgument {}
extension TokenEndpoint.WorkloadGrant: ExpressibleByArgument {}
extension SignatureAlgorithm: ExpressibleByArgument {}
extension VaultKind: ExpressibleByArgument {}

enum Switch: String, CaseIterable, ExpressibleByArgument { case on, off }

extension Setting: ExpressibleByArgument where Owner == Provider {
    private static var removable: [ProviderSetting] { Provider.settings.filter { $0.option != nil && !$0.isRequired } }

    package init?(argument: String) {
        guard let setting = Self.removable.first(where: { $0.option == argument }) else { return nil }
        self = setting
    }

    package static var allValueStrings: [String] { removable.compactMap(\.option) }
    package static var defaultCompletionKind: CompletionKind { .list(allValueStrings) }

    var removed: [String] { Provider.settings.filter { $0.key == key || $0.owner == key }.map(\.key) }
}

extension HTTPURL {
    /// The server that an option names by its host or origin.
    init(server text: String, of option: String) throws(UsageProblem) {
        guard let url = try? HTTPURL(text.withDefaultScheme), ["", "/"].contains(url.path), url.query == nil else {
            throw "\(option) must be a host such as git.example.com"
        }
        self = url
    }
}

extension HTTPURL: ExpressibleByArgument {
    public init?(argument: String) {
        guard let url = try? HTTPURL(argument) else { return nil }
        self = url
    }
}

extension Repository: ExpressibleByArgument {
    package init?(argument: String) { self.init(argument) }
}

extension InstallationPermission: ExpressibleByArgument {
    package init?(argument: String) { self.init(argument) }
}

extension ShellKind: ExpressibleByArgument {}
