/// A provider as a profile has it: its configuration, with where the client secret is unless the store has it, and whose client
/// users sign in through. `Profile.place` returns where the configuration is: that reads an organization's files too, and
/// notes what is wrong in them.
package struct ResolvedProvider: Sendable {
    package let id: String
    /// From `config.yaml`, an organization's file or the environment; nil if none of them configures the provider.
    package let configuration: Provider?
    /// Users sign in through the client that the profile's Firebase project has, and not through this program's.
    package let isThroughProject: Bool

    /// - Throws: `ProviderError.notConfigured`.
    package func configured() throws(ProviderError) -> Provider {
        guard let configuration else { throw .notConfigured(id) }
        return configuration
    }

    /// The configuration, or what is built in.
    /// - Throws: `ProviderError.notConfigured`.
    package func provider() throws(ProviderError) -> Provider {
        if configuration == nil, let builtIn = try? Provider(builtIn: id, clientID: "") { return builtIn }
        return try configured()
    }
}

/// Where the configuration of a provider is.
package enum ConfigurationPlace: Sendable, Equatable {
    /// The user's own `config.yaml`.
    /// - Parameter insteadOf: the organization's, which it hides.
    case own(path: String, insteadOf: SystemConfiguration.Place?)
    case organization(SystemConfiguration.Place)
    /// Only variables configure it.
    case environment
}

/// Whose client users sign in through.
package enum ProviderWay: Sendable {
    /// This program's.
    case own(ProviderClient)
    /// The client of the Firebase project that the accounts live in.
    /// - Parameter redirectURI: as the provider and the project know it; nil for the default.
    case project(FirebaseDirectory, redirectURI: String?)
}
