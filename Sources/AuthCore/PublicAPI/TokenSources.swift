public import FoundationEssentials
import Logging

/// Built-in sources of tokens, in addition to `Sessions`.
public enum AccessTokenSources {
    /// The first of several sources that has a token. A source without a token throws `signInRequired`; any other error
    /// ends the search.
    /// - Parameter sources: the sources, in order of preference.
    public static func first(_ sources: any AccessTokenSource...) -> some AccessTokenSource {
        FirstSource(sources: sources)
    }

    /// A token from an environment variable. Its lifetime is unknown.
    ///
    /// - Parameters:
    ///   - variable: the variable's name. If it is unset or empty, there is no token.
    ///   - environment: the environment to read.
    public static func environment(
        _ variable: String, in environment: [String: String] = ProcessInfo.processInfo.environment
    ) -> some AccessTokenSource { EnvironmentSource(variable: variable, text: Environment(environment)[variable]) }
}

private struct FirstSource: AccessTokenSource {
    let sources: [any AccessTokenSource]

    var description: String { "first of \(sources.map(\.description).joined(separator: ", "))" }

    func accessToken(minimumLifetime: Duration, logger: Logger) async throws -> IssuedToken {
        for source in sources {
            do { return try await source.accessToken(minimumLifetime: minimumLifetime, logger: logger) } catch {
                guard let error = error as? AuthError, error.code == .signInRequired else { throw error }
                logger.debug("no token", metadata: ["source": "\(source)"])
            }
        }
        throw AuthError(.signInRequired)
    }

    func refused(_ token: IssuedToken, logger: Logger) async {
        for source in sources { await source.refused(token, logger: logger) }
    }
}

private struct EnvironmentSource: AccessTokenSource {
    let variable: String
    let text: String?

    var description: String { "environment \(variable)" }

    func accessToken(minimumLifetime: Duration, logger: Logger) async throws -> IssuedToken {
        guard let text else { throw AuthError(.signInRequired) }
        return IssuedToken(text, kind: .access, provider: nil, expiresAt: nil)
    }
}
