public import Logging

/// A source of tokens for requests: a session of `authctl`, the environment, or the CI job of this process.
///
/// Programs can add other sources: `AccessTokenSources.first` accepts any of them.
public protocol AccessTokenSource: Sendable, CustomStringConvertible {
    /// A token that remains valid for some time.
    ///
    /// - Parameters:
    ///   - minimumLifetime: how long it must remain valid. If 60 seconds are requested, `Sessions` accepts a quarter of a
    ///     token's lifetime if that is less, or if a new token would not be valid for 60 seconds either.
    ///   - logger: logs requests to providers, never tokens.
    /// - Throws: `AuthError`: `signInRequired` if the user must act.
    func accessToken(minimumLifetime: Duration, logger: Logger) async throws -> IssuedToken
    /// Records that the target rejected the token. The next call returns another one, if that requires no user
    /// interaction.
    func refused(_ token: IssuedToken, logger: Logger) async
}

extension AccessTokenSource {
    /// A token that remains valid for 60 seconds, or for a quarter of its lifetime if that is less. Nothing is logged.
    ///
    /// - Throws: `AuthError`: `signInRequired` if the user must act.
    public func accessToken() async throws -> IssuedToken {
        try await accessToken(minimumLifetime: .seconds(60), logger: .silent)
    }

    /// Does nothing by default.
    public func refused(_ token: IssuedToken, logger: Logger) async {}
}

extension Logger {
    static var silent: Logger { Logger(label: "authcore") { _ in SwiftLogNoOpLogHandler() } }
}

extension Duration {
    /// Whole seconds, rounded up.
    var wholeSeconds: Int64 { components.seconds + (components.attoseconds > 0 ? 1 : 0) }
}
