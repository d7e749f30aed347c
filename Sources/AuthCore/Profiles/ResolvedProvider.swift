/// A provider as a profile has it: its configuration, with where the client secret is unless the store has it, and whose client
/// users sign in through. `Profile.place` returns where the configuration is: that reads an organization's files too, and
/// notes what is wrong in them.
package struct ResolvedProvider: Sendable {
    package let id: String
    package let configuration: Provider?
    package let isThroughProject: Bool

    package func configured() throws(ProviderError) -> Provider {
        guard let configuration else { throw .notConfigured(id) }
        return configuration
    }

    package func provider() throws(ProviderError) -> Provider {
        if configuration == nil, let builtIn = try? Provider(builtIn: id, clientID: "") { return builtIn }
        return try configured()
    }
}

/// Where the configuration of a provider is.
package enum ConfigurationPlace: Sendable, Equatable {
    case own(path: String, insteadOf: SystemConfiguration.Place?)
    case organization(SystemConfiguration.Place)
    /// Only variables configure it.
    case environment
}

/// Whose client users sign in through.
package enum ProviderWay: Sendable {
    case own(ProviderClient)
    case project(FirebaseDirectory, redirectURI: String?)
}
