import AuthCore

/// How output names sessions: as users type them, for example `github.com/ada` or `work`.
struct SessionNames {
    private let configured: [String]
    /// The accounts that have a session with a provider.
    private let owners: [String: Set<String>]

    init(_ all: [AccountStatus], configured: [String]) {
        let sessions = all.flatMap(\.sessions).filter { $0.resource == nil }
        owners = Dictionary(grouping: sessions, by: \.providerID).mapValues { Set($0.map(\.accountUID)) }
        self.configured = configured
    }

    /// The provider, without `oidc.` or `oauth.` if no other provider can be meant.
    func provider(_ id: String) -> String {
        guard let word = ProviderID.name(in: id), Dialect.id(called: word) == word,
            configured.allSatisfy({ $0 == id || $0 != word && ProviderID.name(in: $0) != word }),
            !Dialect.builtIn.contains(where: { $0.id.hasPrefix(word) }), !ProjectSignInProvider.byAddress.contains(word)
        else { return id }
        return word
    }

    /// The name that stays the same when another user signs in with this provider.
    func full(_ session: SessionSummary, of account: Account) -> String {
        session.resource?.text ?? full(session.providerID, of: account)
    }

    /// The name that a sign-in gives to its session.
    func full(_ result: SignInResult) -> String {
        result.resource?.text ?? full(result.providerID, of: result.account)
    }

    /// `github.com as ada`
    func user(_ result: SignInResult) -> String {
        "\(provider(result.providerID)) as \(AccountText.user(result.account, at: result.providerID))"
    }

    func full(_ providerID: String, of account: Account) -> String {
        let provider = provider(providerID)
        return account.user(at: providerID).map { "\(provider)/\($0)" } ?? provider
    }

    /// Without the user, if the provider has only one session.
    func short(_ session: SessionSummary, of account: Account) -> String {
        let isOnly = owners[session.providerID].map { $0.subtracting([account.uid]).isEmpty } ?? true
        return isOnly && session.resource == nil ? provider(session.providerID) : full(session, of: account)
    }

    /// The account by its default session, as users know it.
    func short(_ status: AccountStatus) -> String {
        (status.defaultSession ?? status.sessions.first).map { short($0, of: status.account) }
            ?? status.account.providerIDs.first.map(provider) ?? AccountText.name(status.account)
    }
}

extension Context {
    func names(of all: [AccountStatus]) -> SessionNames {
        // Sessions are shown even if the settings are invalid, which is reported elsewhere.
        SessionNames(all, configured: (try? profile.providerIDs()) ?? [])
    }
}
