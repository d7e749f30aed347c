public import Logging

/// Gives tokens for requests: of a session that `authctl` keeps, of the environment, of the job that this process is.
///
/// Conform to it what else has tokens: `AccessTokenSources.first` takes any of them.
public protocol AccessTokenSource: Sendable, CustomStringConvertible {
    /// A token that lives for some time yet.
    /// - Parameters:
    ///   - minimumLifetime: how long it must remain valid. The tokens of `Sessions` are valid for a quarter of their
    ///     lifetime where that is less than 60 seconds and 60 seconds are asked for, or where a new token would not be
    ///     valid for that long.
    ///   - logger: told what was asked of a provider; never a token.
    /// - Throws: `AuthError`: `signInRequired` where a person must act.
    func accessToken(minimumLifetime: Duration, logger: Logger) async throws -> IssuedToken
    /// Takes note that whom the token is for refused it: the next call gets another one, where that needs nobody.
    func refused(_ token: IssuedToken, logger: Logger) async
}

extension AccessTokenSource {
    /// A token that remains valid for 60 seconds, or for a quarter of its lifetime if that is less; nothing is logged.
    /// - Throws: `AuthError`: `signInRequired` where a person must act.
    public func accessToken() async throws -> IssuedToken {
        try await accessToken(minimumLifetime: .seconds(60), logger: .silent)
    }

    /// Nothing: the next call gets what there is.
    public func refused(_ token: IssuedToken, logger: Logger) async {}
}

extension Logger {
    static var silent: Logger { Logger(label: "authcore") { _ in SwiftLogNoOpLogHandler() } }
}

extension Duration {
    /// Whole seconds, none too few.
    var wholeSeconds: Int64 { components.seconds + (components.attoseconds > 0 ? 1 : 0) }
}
