protocol SessionCandidate {
    var accountUID: String { get }
    var providerID: String { get }
    var resource: HTTPURL? { get }
    var isDefault: Bool { get }
}

extension SessionSummary: SessionCandidate {}

/// Decides which stored session may be used. All code that prints, sends or lends a token uses this rule, and no other.
///
/// Only the user chooses: with an account, a provider or a URL that the user names, and with the current account. A
/// protected resource, a server or another process never chooses the account, the provider or the host.
///
/// - A session for a resource is used for URLs of that resource only, and is never taken from another account.
/// - Any other session is the named account's, otherwise the current account's.
/// - If the current account has no session with the provider, the only account that has one is used. Without a current
///   account, for example after a sign-out, no account is used. `SessionChoice` decides what a provider means then.
struct SessionRule: Sendable {
    var named: String?
    var current: String?
    var providers: [String]?
    /// The URL that the token is for, if only a session for its resource is accepted.
    var resource: HTTPURL?
    /// Whether the account's only session for a resource may be used if it has no other. True only for the subject
    /// token of an exchange, which checks separately which servers may receive it.
    var acceptsResourceSession = false

    enum Outcome<Candidate> {
        case session(Candidate, isOfOther: Bool)
        case none
        case severalProviders([String])
        case severalAccounts(provider: String, [String])
        /// The account's sessions are for these resources only.
        case onlyForResources([Candidate])
        /// The account has only a password session, which has no tokens.
        case passwordOnly

        var isSession: Bool { if case .session = self { true } else { false } }
    }

    private var account: String? { named ?? current }
    var searchesAccounts: Bool { named == nil && current != nil && providers != nil && resource == nil }

    func callAsFunction<Candidate: SessionCandidate>(_ candidates: [Candidate]) -> Outcome<Candidate> {
        let own = candidates.filter { $0.accountUID == account && isAllowed($0.providerID) }
        if let resource { return narrowest(own, covering: resource) }
        // A password's session has no tokens.
        let fitting = own.filter { SessionIssuer($0.providerID) != .password }
        let general = fitting.filter { $0.resource == nil }
        if let outcome = preferred(general) { return outcome }
        if acceptsResourceSession, fitting.count == 1 { return .session(fitting[0], isOfOther: false) }
        if searchesAccounts, let providers {
            let others = candidates.filter {
                $0.accountUID != account && $0.resource == nil && isAllowed($0.providerID)
            }
            let accounts = Set(others.map(\.accountUID)).sorted()
            guard accounts.count < 2 else {
                let provider = providers.first { id in others.contains { $0.providerID == id } }
                return .severalAccounts(provider: provider ?? providers[0], accounts)
            }
            if case .session(let session, _)? = preferred(others) { return .session(session, isOfOther: true) }
        }
        if !fitting.isEmpty { return .onlyForResources(fitting) }
        return own.isEmpty ? .none : .passwordOnly
    }

    private func isAllowed(_ provider: String) -> Bool { providers?.contains(provider) ?? true }

    /// Chooses among one account's sessions: that of the named provider. If no provider was named, the directory's own
    /// session, the only one, or the default one.
    private func preferred<Candidate: SessionCandidate>(_ sessions: [Candidate]) -> Outcome<Candidate>? {
        let ids = providers ?? (sessions.count == 1 ? [sessions[0].providerID] : [SessionIssuer.projectID])
        for id in ids {
            if let session = sessions.first(where: { $0.providerID == id }) {
                return .session(session, isOfOther: false)
            }
        }
        if providers == nil, let session = sessions.first(where: \.isDefault) {
            return .session(session, isOfOther: false)
        }
        return sessions.isEmpty ? nil : .severalProviders(sessions.map(\.providerID))
    }

    private func narrowest<Candidate: SessionCandidate>(
        _ sessions: [Candidate], covering url: HTTPURL
    ) -> Outcome<Candidate> {
        let covering = sessions.filter { $0.resource?.covers(url) == true }
        let longest = covering.compactMap(\.resource?.path.utf8.count).max()
        let narrowest = covering.filter { $0.resource?.path.utf8.count == longest }
        guard let only = narrowest.first else { return .none }
        guard narrowest.count == 1 else { return .severalProviders(narrowest.map(\.providerID)) }
        return .session(only, isOfOther: false)
    }
}
