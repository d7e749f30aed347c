import AuthCore

extension Context {
    func explained(_ error: any Error) async -> any Error {
        guard Self.isNotFound(error) else { return error }
        if let known = try? await profile.knownNames(), !known.contains(profile.name) {
            return EmptyProfile(profile: profile.name, known: known, error: error)
        }
        guard case NotSignedIn.noAccount = error, (try? profile.providerIDs())?.isEmpty == true,
            (try? profile.projectSettings()) == nil
        else { return error }
        return NothingSetUp(error: error)
    }

    func noteUnknownProfile() async throws {
        let known = try await profile.knownNames()
        guard !known.contains(profile.name) else { return }
        output.note("profile not found: '\(profile.name)'; known: \(known.joined(separator: ", "))")
    }

    private static func isNotFound(_ error: any Error) -> Bool {
        switch error {
        case NotSignedIn.noAccount, NotSignedIn.unknownAccount, NotSignedIn.noSession, ProviderError.notConfigured: true
        case is NotConfigured, is NoProviderConfigured: true
        default: false
        }
    }
}
