// Public imports, because a conformance of a public type to a public protocol is public itself.
public import ArgumentParser
public import AuthCore

extension SignInRequest.Flow: ExpressibleByArgument {}
extension CurrentToken.Kind: ExpressibleByArgument {}
extension ClientAuthentication.Method: ExpressibleByArgument {}
extension ClientAuthentication.Audience: ExpressibleByArgument {}
extension Discovery.Document: ExpressibleByArgument {}
extension Dialect.NonceMode: ExpressibleByArgument {}
extension Dialect.Preset: ExpressibleByArgument {}
extension HTTPRequest.Method: ExpressibleByArgument {}
extension TokenEndpoint.TokenTypeHint: ExpressibleByArgument {}
extension TokenEndpoint.WorkloadGrant: ExpressibleByArgument {}
extension SignatureAlgorithm: ExpressibleByArgument {}
extension VaultKind: ExpressibleByArgument {}

extension ShellKind: ExpressibleByArgument {
    init?(argument: String) { self.init(named: argument) }
}
