import AuthCore

extension Context {
    func explained(_ error: any Error) async -> any Error {
        guard Self.isNothing(error), let known = try? await profile.knownNames(), !known.contains(profile.name) else {
            return error
        }
        return EmptyProfile(profile: profile.name, known: known, error: error)
    }

    func noteUnknownProfile() async throws {
        let known = try await profile.knownNames()
        guard !known.contains(profile.name) else { return }
        output.note("profile not found: '\(profile.name)'; known: \(known.joined(separator: ", "))")
    }

    private static func isNothing(_ error: any Error) -> Bool {
        switch error {
        case NotSignedIn.noAccount, NotSignedIn.unknownAccount, NotSignedIn.noSession, ProviderError.notConfigured: true
        case is NotConfigured, is NoProviderConfigured: true
        default: false
        }
    }
}
