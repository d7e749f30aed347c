import AuthCore

extension Context {
    func explained(_ error: any Error) async -> any Error {
        if let misspelled = misspelled(error) { return misspelled }
        if case NotSignedIn.noSession(let id?) = error, Dialect.named(id) == nil,
            (try? profile.providerIDs())?.contains(id) == false
        {
            return NotConfigured(provider: id)
        }
        if let choice = try? accountChoice(), let (place, removal) = choice.origin, let name = choice.account {
            if case NotSignedIn.unknownAccount(name) = error {
                return ChosenAccountMissing(account: name, place: place, removal: removal)
            }
            if case NotSignedIn.signedOut(let account) = error {
                return ChosenAccountSignedOut(account: account.label, choice: choice.text, error: error)
            }
        }
        if let missing = (error as? UnconfirmedRepository)?.missing,
            let sessionStore = try? profile.sessionStoreForDisplay(),
            (try? await sessionStore.account(uid: missing.account)) == .some(nil)
        {
            return missing
        }
        if case AccountConflict.existsWithDifferentCredential = error, settings.account == nil,
            (try? accountChoice())?.account != nil
        {
            return ConflictWithChosenAccount(error: error)
        }
        guard Self.isNotFound(error) else { return error }
        if let known = try? await profile.knownNames(), !known.contains(profile.name) {
            let isFromVariable = settings.profile == nil && environment["AUTHCTL_PROFILE"] != nil
            return EmptyProfile(profile: profile.name, known: known, isFromVariable: isFromVariable, error: error)
        }
        guard case NotSignedIn.noAccount = error, (try? profile.projectSettings()) == nil,
            let providers = try? profile.providers(), providers.allSatisfy(\.isOnlyAnApp)
        else { return error }
        return NothingSetUp(app: providers.first?.id, isUnattended: isUnattended, error: error)
    }

    /// The error with the configured provider that was probably meant.
    private func misspelled(_ error: any Error) -> MisspelledProvider? {
        let id: String
        switch error {
        case ProviderError.notConfigured(let name), AccountConflict.noSuchProvider(let name): id = name
        case NotSignedIn.noSession(let name?): id = name
        case let error as NotConfigured: id = error.provider
        case ProviderError.unknownID(let name):
            // Otherwise its message already suggests a built-in provider.
            guard Spelling.suggestions(for: name, among: Dialect.builtIn.map(\.id)).isEmpty else { return nil }
            id = name
        default: return nil
        }
        guard Dialect.named(id) == nil, let known = try? profile.providerIDs(), !known.contains(id),
            let near = (try? HTTPURL(id)).flatMap(providerID(at:)) ?? Spelling.suggestions(for: id, among: known).first
        else { return nil }
        return MisspelledProvider(id: id, near: near, error: error)
    }

    private func providerID(at issuer: HTTPURL) -> String? {
        (try? profile.providers())?.first { $0.issuer.isSameIssuer(as: issuer) }?.id
    }

    func noteUnknownProfile() async throws {
        let known = try await profile.knownNames()
        if !known.contains(profile.name) { output.note(Context.notFound(profile.name, known)) }
    }

    static func notFound(_ profile: String, _ known: [String]) -> String {
        "profile not found: '\(profile)'; known: \(known.joined(separator: ", "))"
    }

    private static func isNotFound(_ error: any Error) -> Bool {
        switch error {
        case NotSignedIn.noAccount, NotSignedIn.unknownAccount, NotSignedIn.noSession, ProviderError.notConfigured: true
        case is NotConfigured, is NoProviderConfigured: true
        default: false
        }
    }
}

/// A command found nothing, probably because the profile's name is wrong.
struct EmptyProfile: WrappingError {
    let profile: String
    let known: [String]
    let isFromVariable: Bool
    let error: any Error

    func explanation(_ context: ErrorContext) -> Explanation {
        let name = "profile '\(profile)'\(isFromVariable ? ", from AUTHCTL_PROFILE," : "")"
        let more = "; \(name) is empty; known profiles: \(known.joined(separator: ", "))"
        return inner.explanation(context).adding(
            more, hint: .run(isFromVariable ? "unset AUTHCTL_PROFILE" : "authctl profile list"))
    }
}
