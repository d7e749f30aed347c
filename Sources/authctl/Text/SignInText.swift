import AuthCore

enum SignInText {
    static func show(_ result: SignInResult, _ context: Context) {
        guard !context.output.isJSON else {
            for note in result.notes { context.output.note(text(note)) }
            let emulator = (try? context.profile.origin())?.emulator
            return context.output.json(JSONShapes.signIn(result, emulator: emulator))
        }
        note(result, context)
        guard !result.isRenewable, result.expiresAt != nil, result.source != .personalToken else { return }
        // A project renews its own session.
        guard (try? context.profile.projectSettings()) == nil else { return }
        context.output.note("the provider did not issue a refresh token: this session cannot be refreshed")
    }

    /// Prints the result as a note, for commands with other output.
    static func note(_ result: SignInResult, _ context: Context) {
        for note in result.notes { context.output.note(text(note)) }
        let name = AccountText.name(result.account)
        let isByLink = result.providerID == ProjectSignInProvider.emailLink
        switch result.operation {
        case .signIn:
            context.output.note(
                "signed in \(isByLink ? "with an email link" : "to '\(result.providerID)'") as \(name)\(result.isNewUser ? ", a new account" : "")"
            )
        case .link where isByLink: context.output.note("\(name) can now sign in with email links")
        case .link: context.output.note("'\(result.providerID)' is linked to \(name)")
        case .reauthenticate: context.output.note("\(name) re-authenticated with '\(result.providerID)'")
        }
    }

    private static func text(_ note: SignInNote) -> String {
        switch note {
        case .notGranted(let scopes):
            "the provider did not grant the scope \(scopes.map { "'\(ServerText($0))'" }.joined(separator: ", "))"
        case .offlineAccessNotRequested: "to get a refresh token, many providers require: --scope offline_access"
        case .offlineAccessRequiresConsent:
            "the provider did not issue a refresh token for 'offline_access': sign in with --prompt consent"
        case .offlineAccessRefused:
            "the provider did not issue a refresh token for 'offline_access': it must allow this client the scope and the grant"
                + " 'refresh_token'"
        case .notBoundToCertificate:
            "the token is not bound to the client certificate, although the provider's metadata declares certificate-bound tokens:"
                + " enable them for this client at the provider"
        case .noUserInfo:
            "the userinfo response is invalid; only the ID token's claims are used"
        }
    }
}
