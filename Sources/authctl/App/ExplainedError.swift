import AuthCore

extension Context {
    func explained(_ error: any Error) async -> any Error {
        if let incomplete = incomplete(error) { return incomplete }
        if let conflict = error as? AccountConflict, let explained = try? await explained(conflict) { return explained }
        if case ProviderError.unknownID(let name) = error {
            // The file that describes the service may be wrong.
            do {
                if try profile.catalogEntry(name) != nil {
                    return ExplainedError(error: error, reason: .inCatalog(name))
                }
            } catch {
                return error
            }
        }
        if case ProviderError.unknownID(let name) = error,
            let account = try? await profile.sessionStoreForDisplay()?.accounts(matching: name).first,
            account.isNamed(name)
        {
            return ExplainedError(error: error, reason: .account(name, .signIn(to: account)))
        }
        if let misspelled = misspelled(error) { return misspelled }
        if let choice = try? accountChoice(), let name = choice.account, let missing = choice.missing {
            if case NotSignedIn.unknownAccount(name) = error { return missing }
            if case NotSignedIn.signedOut(let account) = error {
                return ExplainedError(error: error, reason: .signedOut(account: account.label, choice: choice.text))
            }
        }
        if case AccountRefusal.otherPending(let pending) = error,
            let sessionStore = try? profile.sessionStoreForDisplay(),
            let all = try? await AccountStatus.signedIn(in: sessionStore, and: [pending.accountUID].compactMap(\.self))
        {
            return ExplainedError(error: error, reason: .hint(pending.command(all)))
        }
        if let unconfirmed = error as? UnconfirmedRepository,
            let sessionStore = try? profile.sessionStoreForDisplay(),
            (try? await sessionStore.accounts(matching: unconfirmed.account))?.isEmpty == true
        {
            return unconfirmed.missing
        }
        if case ProviderError.notConfigured(let id) = error, case .environment? = try? profile.place(of: id) {
            return ExplainedError(error: error, reason: .fromVariables(id))
        }
        guard Self.isNotFound(error) else { return error }
        if let known = try? await profile.knownNames(), !known.contains(profile.name) {
            let isFromVariable = settings.profile == nil && environment["AUTHCTL_PROFILE"] != nil
            return ExplainedError(
                error: error, reason: .emptyProfile(profile.name, known: known, isFromVariable: isFromVariable))
        }
        // A personal access token requires no provider configuration.
        if case NotSignedIn.noSession(let id?, _) = error, Dialect.named(id)?.personalTokens == nil,
            (try? profile.find(id) == nil) == true
        {
            let account = try? await profile.sessionStoreForDisplay()?.accounts(matching: id).first
            let isAccount = account?.isNamed(id) == true
            return ExplainedError(error: error, reason: isAccount ? .hint("use --account \(id)") : .unconfigured(id))
        }
        guard case NotSignedIn.noAccount = error, (try? profile.projectSettings()) == nil,
            let providers = try? profile.providers(), providers.allSatisfy(\.isOnlyAnApp)
        else { return error }
        return ExplainedError(error: error, reason: .nothingSetUp(app: providers.first?.id))
    }

    /// A conflict with the command that continues, whichever command met it.
    private func explained(_ conflict: AccountConflict) async throws -> (any Error)? {
        guard case .existsWithDifferentCredential(_, let providers, let pendingID) = conflict,
            let sessionStore = try profile.sessionStoreForDisplay()
        else { return nil }
        let all = try await sessionStore.pendingCredentials(now: clock.now())
        guard let pending = all.first(where: { $0.id == pendingID }) else { return nil }
        guard try usable(providers) != nil else {
            return ExplainedError(error: conflict, reason: .hint(.run("\(.signIn(pending.providerID)) --separate")))
        }
        let status = try await AccountStatus.signedIn(in: sessionStore).filter { pending.names($0.account) }
        let view = sessionView(sessionStore.origin, try await profile.vaultStatus())
        guard status.first?.requiresUser(view.state) == false else { return nil }
        return ExplainedError(error: conflict, reason: .hint(pending.command(status, isOnly: all.count == 1)))
    }

    /// The error for a provider that has some of the variables that configure one.
    private func incomplete(_ error: any Error) -> ExplainedError? {
        let name: String
        switch error {
        case ProviderError.unknownID(let id), ProviderError.notConfigured(let id): name = id
        case NotSignedIn.noSession(let id?, _): name = id
        default: return nil
        }
        guard let id = ProviderID.ids(called: name).first(where: { (try? ProviderID($0)) != nil }),
            (try? profile.find(id) == nil) == true
        else { return nil }
        func isSet(_ setting: String) -> Bool { environment[Provider.variable(setting, of: id)]?.isEmpty == false }
        let required = (Provider.isBuiltIn(id) ? [] : ["ISSUER"]) + ["CLIENT_ID"]
        guard let missing = required.first(where: { !isSet($0) }), (required + ["CLIENT_SECRET"]).contains(where: isSet)
        else { return nil }
        return ExplainedError(error: error, reason: .incomplete(id, variable: Provider.variable(missing, of: id)))
    }

    /// The error with the configured provider that was probably meant.
    private func misspelled(_ error: any Error) -> ExplainedError? {
        let id: String
        switch error {
        case ProviderError.notConfigured(let name), AccountConflict.noSuchProvider(let name): id = name
        case NotSignedIn.noSession(let name?, _): id = name
        case ProviderError.unknownID(let name):
            // Otherwise its message already suggests a built-in provider.
            guard Spelling.suggestions(for: name, among: Dialect.builtIn.map(\.id)).isEmpty else { return nil }
            id = name
        default: return nil
        }
        guard Dialect.named(id) == nil, let known = try? profile.providerIDs(), !known.contains(id),
            let near = (try? HTTPURL(id)).flatMap(providerID(at:))
                ?? Spelling.suggestions(for: id, among: known + Dialect.builtIn.map(\.id)).first
        else { return nil }
        return ExplainedError(error: error, reason: .misspelled(near: near))
    }

    func providerID(at issuer: HTTPURL) -> String? {
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
        case is NoProviderConfigured: true
        default: false
        }
    }
}

extension Account {
    fileprivate func isNamed(_ text: String) -> Bool { [name, email].contains(text) }
}

/// An error, with what this machine's accounts and settings add to its message or hint.
struct ExplainedError: WrappingError {
    enum Reason {
        /// This machine's accounts provide a better hint.
        case hint(Hint)
        /// The name is an account's, and this command signs in to it.
        case account(String, ShellCommand)
        /// A session was requested for a provider that is not configured.
        case unconfigured(String)
        /// The provider to change is configured by environment variables.
        case fromVariables(String)
        /// Variables configure the provider, but this one is not set.
        case incomplete(String, variable: String)
        /// A file of the user or the organization describes this service.
        case inCatalog(String)
        /// The account that a rule or a variable chooses has no session.
        case signedOut(account: String, choice: String)
        /// The command found nothing, probably because the profile's name is wrong.
        case emptyProfile(String, known: [String], isFromVariable: Bool)
        /// No provider is configured to sign in with; `app` is configured as a GitHub App only.
        case nothingSetUp(app: String?)
        /// The provider is not configured, but one with a similar name is.
        case misspelled(near: String)
        /// A non-interactive run can re-authenticate with the account's password.
        case hasPassword
    }

    let error: any Error
    let reason: Reason

    func explanation(_ context: ErrorContext) -> Explanation {
        let found = inner.explanation(context)
        switch reason {
        case .hint(let hint): return found.adding("", hint: hint)
        case .account(let name, let signIn): return "'\(shown: name)' is an account, not a provider".hint(.run(signIn))
        case .unconfigured(let id) where ProjectSignInProvider.byAddress.contains(id):
            return "'\(id)' does not issue tokens".hint("for the account's token: \(run: "authctl token")")
        case .unconfigured(let id):
            return found.adding(": this provider is not configured", hint: context.settingUp(id))
        case .fromVariables(let id):
            return "'\(id)' is configured by variables, such as \(Provider.variable("CLIENT_ID", of: id))"
                .hint("for the client secret: set \(Provider.variable("CLIENT_SECRET", of: id))")
        case .incomplete(let id, let variable):
            return "'\(id)' is configured by variables, but \(variable) is not set".hint("set \(variable)")
        case .inCatalog(let name) where context.purpose == .removeProvider:
            return "'\(name)' is not configured".hint(run: "authctl providers list")
        case .inCatalog(let name): return "'\(name)' is not configured".hint(run: .setup(name))
        case .signedOut(let account, let choice):
            return "the account '\(shown: account)' has no session on this machine; it is \(choice)".hint(found.hint)
        case .emptyProfile(let profile, let known, let isFromVariable):
            let name = "profile '\(profile)'\(isFromVariable ? ", from AUTHCTL_PROFILE," : "")"
            return found.adding(
                "; \(name) is empty; known profiles: \(known.joined(separator: ", "))",
                hint: .run(isFromVariable ? "unset AUTHCTL_PROFILE" : "authctl profile list"))
        case .nothingSetUp where context.resource != nil: return found
        case .nothingSetUp(let app?):
            return found.message.hint(ProviderError.onlyAnApp(app).explanation(context).hint)
        case .nothingSetUp(nil):
            return "\(found.message): no provider is configured".hint(run: .setup(nil))
        // A new provider may have a similar name.
        case .misspelled where [.addProvider, .setUp].contains(context.purpose): return found
        case .misspelled(let near): return found.adding(Spelling.question([near]), hint: nil)
        case .hasPassword: return found.message.hint("\(run: "authctl reauth --password-stdin"), then run it again")
        }
    }
}
