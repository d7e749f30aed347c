/// Signs a user in with a provider of the profile, and stores the session where `authctl` stores it.
public struct InteractiveSignIn: Sendable {
    /// The sign-in flow.
    public enum Flow: Sendable {
        /// The authorization code flow with a loopback redirect. On a machine without a browser: the device flow.
        case browser
        /// The device flow (RFC 8628).
        case device
    }

    /// The provider's ID in the profile.
    public let provider: String
    /// The sign-in flow.
    public var flow = Flow.browser
    /// Scopes in addition to the configured ones (RFC 6749 section 3.3).
    public var scopes: [String] = []
    /// The user that the provider should expect (OpenID Connect Core section 3.1.2.1).
    public var loginHint: String?
    /// How long to wait for the user.
    public var timeout = Duration.seconds(300)

    private let sessions: Sessions
    private let presenter: any SignInPresenter

    /// Creates a sign-in; `run()` starts it.
    public init(to provider: String, in sessions: Sessions, presenter: any SignInPresenter) {
        self.provider = provider
        self.sessions = sessions
        self.presenter = presenter
    }

    /// Runs the sign-in.
    /// - Throws: `AuthError`; nothing is stored then.
    public func run() async throws -> SignInOutcome {
        var request = SignInRequest()
        request.flow = flow == .device ? .device : .auto
        request.scopes = scopes
        request.loginHint = loginHint
        request.timeout = Int(clamping: timeout.wholeSeconds)
        request.acceptsPaste = flow == .browser
        let signInRequest = request
        return try await AuthError.wrapping(provider: provider) {
            let profile = try sessions.profile()
            _ = try profile.store(creating: true)
            let signIn = SignInWithProvider(profile) { [presenter] _, _ in PresenterAdapter(presenter: presenter) }
            do {
                let result = try await signIn.run(provider, with: signInRequest, isUserInitiated: true) { _ in }
                return .signedIn(SignedInAccount(result.account, providers: [result.providerID]))
            } catch AccountConflict.existsWithDifferentCredential(let email, let providers, let pendingID) {
                return .conflict(PendingSignIn(id: pendingID, email: email, providers: providers, sessions: sessions))
            }
        }
    }
}

/// The result of a sign-in.
public enum SignInOutcome: Sendable {
    /// The user is signed in, and the account is the current one.
    case signedIn(SignedInAccount)
    /// The identity is new, and another account has its address. The user must sign in to that account, and can then
    /// link the identity.
    case conflict(PendingSignIn)
}

/// A credential whose address belongs to another account. It is stored encrypted for one hour.
public struct PendingSignIn: Sendable, Identifiable {
    /// The ID of the pending credential, for `authctl link --pending`.
    public let id: String
    /// The address that both identities have.
    public let email: String
    /// The sign-in methods of the account that has the address.
    public let providers: [String]
    let sessions: Sessions

    /// Links the credential to the account of the conflict, which must be the current account.
    ///
    /// - Parameter hasConsent: whether the user agreed to link the identities, if the provider requires that.
    /// - Throws: `AuthError`: `conflict` if another account is the current one.
    public func link(hasConsent: Bool = false) async throws -> SignedInAccount {
        try await AuthError.wrapping {
            let profile = try sessions.profile()
            let directory = try profile.directory()
            let current = try await AccountStatus.one(nil, in: directory)
            let pending = PendingCredentials(directory: directory, clock: profile.clock)
            let result = try await pending.link(
                try await pending.choose(id), to: current.account, hasConsent: hasConsent)
            return SignedInAccount(result.account, providers: [result.providerID])
        }
    }
}
