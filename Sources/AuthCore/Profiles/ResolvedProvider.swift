/// A provider's configuration, and whether the Firebase project is the client for sign-ins. `Profile.place` returns the
/// location separately, because it reads the system configuration too.
package struct ResolvedProvider: Sendable {
    package let id: String
    @Shared package var configuration: Provider?
    package let isThroughProject: Bool

    package var hasClient: Bool { isThroughProject || configuration?.clientID.isEmpty == false }

    /// Whether a sign-in has a client, or never will: a GitHub App only has its own tokens.
    package var isSetUp: Bool { hasClient || configuration?.isOnlyAnApp == true }

    package func configured() throws(ProviderError) -> Provider {
        guard let configuration else { throw .notConfigured(id) }
        return configuration
    }

    package func provider() throws(ProviderError) -> Provider {
        if configuration == nil, let builtIn = try? Provider(builtIn: id, clientID: "") { return builtIn }
        return try configured()
    }

    /// Returns the provider, which must have a client for sign-ins.
    package func signingIn() throws(ProviderError) -> Provider {
        let provider = try provider()
        guard !provider.isOnlyAnApp else { throw .onlyAnApp(id) }
        return provider
    }
}

/// Where the configuration of a provider is.
package enum ConfigurationPlace: Sendable, Equatable {
    case own(path: String, insteadOf: SystemConfiguration.Place?)
    case system(SystemConfiguration.Place)
    /// Only environment variables configure the provider.
    case environment
}
