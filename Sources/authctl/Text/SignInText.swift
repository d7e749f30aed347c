import AuthCore

/// What a person is told of a finished sign-in, link or proof.
enum SignInText {
    static func show(_ result: SignInResult, _ context: Context) {
        guard !context.output.isJSON else {
            for note in result.notes { context.output.note(text(note)) }
            let emulator = (try? context.profile.origin())?.emulator
            return context.output.json(JSONShapes.signIn(result, emulator: emulator))
        }
        note(result, context)
        guard !result.isRenewable, result.expiresAt != nil, result.source != .personalToken else { return }
        // Where a project has a session of its own, that one renews itself.
        guard (try? context.profile.projectSettings()) == nil else { return }
        context.output.note("the provider gave no refresh token: this session cannot renew itself")
    }

    /// Says it without printing data: for a command that has data of its own.
    static func note(_ result: SignInResult, _ context: Context) {
        for note in result.notes { context.output.note(text(note)) }
        let name = AccountText.name(result.account)
        let isByLink = result.providerID == ProjectWay.emailLink
        switch result.operation {
        case .signIn:
            context.output.note(
                "signed in \(isByLink ? "by a link" : "to '\(result.providerID)'") as \(name)\(result.isNewUser ? ", a new account" : "")"
            )
        case .link where isByLink: context.output.note("\(name) signs in by links in mails too")
        case .link: context.output.note("'\(result.providerID)' is linked to \(name)")
        case .reauthenticate: context.output.note("\(name) has proven who they are, by '\(result.providerID)'")
        }
    }

    private static func text(_ note: SignInNote) -> String {
        switch note {
        case .notGranted(let scopes): "not granted: \(scopes.map { "'\(ServerText($0))'" }.joined(separator: ", "))"
        case .offlineAccessNotAsked: "at many providers '--scope offline_access' asks for a refresh token"
        case .offlineAccessWantsConsent:
            "'offline_access' brought no refresh token: sign in with '--prompt consent'"
        case .offlineAccessRefused:
            "'offline_access' brought no refresh token: the provider must allow this client that scope and the grant"
                + " 'refresh_token'"
        case .notBoundToCertificate:
            "the token is not bound to the client's certificate, though the provider says that it binds tokens to those:"
                + " it may have to know that of this client"
        case .noUserInfo:
            "the userinfo response cannot be used; only the ID token's claims are used"
        }
    }
}
