import AuthCore

/// What the state of a session depends on besides the session.
struct SessionView {
    let directory: DirectoryOrigin
    /// Whether the user must unlock the vault first.
    let isLocked: Bool
    var isKeyLost = false
    let now: Int64
    var places: [String: ConfigurationPlace] = [:]
    var given = RepeatedOptions()
    /// Whether the provider that renews the session is still configured.
    var isConfigured: (SessionSummary) -> Bool = { _ in true }
    var hasOtherIssuer: (SessionSummary) -> Bool = { _ in false }

    func state(_ session: SessionSummary) -> SessionState {
        let state = session.state(in: directory, isLocked: isLocked, isKeyLost: isKeyLost, now: now)
        let isLost = hasOtherIssuer(session) || state == .renews && !isConfigured(session)
        return state != .unreadable && isLost ? .needsSignIn : state
    }

    /// Why the user must sign in again.
    func reason(_ session: SessionSummary) -> String {
        if hasOtherIssuer(session) { return "from another server" }
        if session.isRejected { return "rejected by the server" }
        return session.isRenewable && !isConfigured(session) ? "provider not configured" : "expired"
    }
}

extension Context {
    func sessionView(_ directory: DirectoryOrigin, _ vault: VaultStatus) -> SessionView {
        let hasPassphrase = VaultPassphraseSources(environment: environment, settings: settings).isAny
        let isLocked = vault.state == .locked && !(vault.kind == .passphrase && hasPassphrase)
        // Sessions are shown even if the settings are invalid, which is reported elsewhere.
        let places = (try? profile.providerIDs())?.compactMap { id in
            (try? profile.place(of: id)).flatMap { place in place.map { (id, $0) } }
        }
        return SessionView(
            directory: directory, isLocked: isLocked, now: clock.now(),
            places: Dictionary(places ?? []) { first, _ in first }, given: settings.repeatedOptions,
            isConfigured: { session in
                session.issuedBy != .provider || (try? profile.find(session.providerID) != nil) ?? true
            },
            hasOtherIssuer: profile.hasOtherIssuer)
    }
}
