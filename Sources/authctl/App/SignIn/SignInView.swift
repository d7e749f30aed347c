import AuthCore

/// A sign-in that succeeded, and the Firebase emulator that it used.
struct SignInView: Viewed {
    static let view = View<SignInView> {
        Field("account", of: \.result.account)
        Field("providerId", of: \.result.providerID)
        Field("isNewUser", of: \.result.isNewUser, means: "a new account was created")
        Field("operation", of: \.result.operation.rawValue, means: "signIn, link, reauthenticate")
        Field("profile", of: \.result.profile, means: "the provider's claims")
        Field("credential", of: { Credential(result: $0.result) })
        Field("session", of: \.session, means: "its name, as commands accept it")
        Field("linked", of: { $0.result.operation == .link }, means: "the identity was added to an account")
        Field("defaultChanged", of: \.isDefaultChanged, means: "commands without a name use this session now")
        Field("emulator", of: \.emulator, means: "the Firebase emulator")
    }
    let result: SignInResult
    let session: String
    let isDefaultChanged: Bool
    let emulator: String?

    private struct Credential: Viewed {
        static let view = View<Credential>("Credential") {
            Field("scopes", of: \.result.scopes, means: "the granted scopes")
            Field("expiresAt", of: { $0.result.expiresAt.map(Time.init) }, means: "null: unknown, or never")
            Field("hasRefreshToken", of: \.result.hasRefreshToken)
            Field("hasIdToken", of: \.result.hasIDToken)
            Field("binding", of: \.result.binding.rawValue, means: "bearer, dpop, certificate")
        }
        let result: SignInResult
    }
}

/// A sign-in that `--begin` started: the user opens a URL, or an email.
enum BegunSignIn {
    static let output = View<(started: StartedSignIn?, address: String?)>("with --begin") {
        Field("id", of: \.started?.id, means: "the pending sign-in")
        Field("authorizationURL", of: \.started?.authorizationURL, means: "open it in a browser")
        Field("redirectURI", of: \.started?.redirectURI, means: "where the response arrives")
        Field("expiresAt", of: { ($0.started?.expiresAt).map(Time.init) }, means: "when the sign-in expires")
        Field(
            "authorizationURLExpiresAt", of: { ($0.started?.urlExpiresAt).map(Time.init) }, means: "if it is earlier")
        Field("sentTo", of: \.address, means: "the address")
    }
}
