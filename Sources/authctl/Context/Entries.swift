import AuthCore

extension Context {
    /// Every provider's entry, and the built-in providers whose client the profile's project is.
    func entries() throws -> [Provider] {
        let file = try configuration()
        let ids = try file.providerIDs(profile: profile)
        let own = try ids.map { try provider($0).provider }
        guard try file.firebaseProject(profile: profile) != nil else { return own }
        return try own
            + Dialect.builtIn.map(\.id).filter { try !ids.contains($0) && isThroughProject($0) }
            .map { try known($0).provider }
    }

    /// The entry whose token may go to a URL: of several, one that the current account has a session with.
    /// - Parameter id: the only one that may be meant.
    func entry(for url: HTTPURL, _ use: Provider.TokenUse, named id: String?) async throws -> Provider? {
        let entries = try id.map { [try known($0).provider] } ?? entries()
        let fitting = entries.filter { $0.allows(url, for: use) }
        guard fitting.count > 1, let store = try store(creating: false) else { return fitting.first }
        let directory = shownDirectory(store)
        guard let uid = try await directory.currentUID() else { return fitting.first }
        let sessions = try await directory.sessions(account: uid).map(\.providerID)
        return fitting.first { sessions.contains($0.id) } ?? fitting.first
    }

    /// The same for a host as tools name it: reached over https, or over http on this machine.
    func entry(forHost host: String, _ use: Provider.TokenUse, named id: String?) async throws -> Provider? {
        if let url = HTTPURL(authority: host), let entry = try await entry(for: url, use, named: id) {
            return entry
        }
        guard let plain = HTTPURL(scheme: "http", authority: host), plain.isLoopback else { return nil }
        return try await entry(for: plain, use, named: id)
    }

    /// The token for another tool, of whichever account has a session with the provider.
    func token(of provider: String?, _ kind: CurrentToken.Kind = .access) async throws -> CurrentToken.Result {
        var request = CurrentToken.Request()
        request.account = account
        request.provider = provider
        request.kind = kind
        request.searchesAccounts = true
        let result = try await token(request)
        if let note = result.note { output.note(note) }
        return result
    }
}
