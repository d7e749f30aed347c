import AuthCore

enum SignInText {
    static func show(_ result: SignInResult, _ context: Context) {
        guard !context.output.isJSON else {
            for note in result.notes { context.output.note(text(note)) }
            let emulator = (try? context.profile.origin())?.emulator
            return context.output.json(SignInView(result: result, emulator: emulator).json)
        }
        note(result, context)
        guard !result.isRenewable, result.expiresAt != nil, result.source != .personalToken else { return }
        // A Firebase project refreshes the session itself.
        guard (try? context.profile.projectSettings()) == nil else { return }
        context.output.note("the provider did not issue a refresh token: this session cannot be refreshed")
    }

    /// Prints the result as a note, for commands with other output.
    static func note(_ result: SignInResult, _ context: Context) {
        for note in result.notes { context.output.note(text(note)) }
        let isNew = result.operation == .signIn && result.isNewUser
        context.output.note(text(result) + (isNew ? ", a new account" : ""))
        if result.operation == .signIn { context.noteOtherAccount(than: result.account) }
    }

    private static func text(_ result: SignInResult) -> String {
        let name = AccountText.name(result.account)
        let isByLink = result.providerID == ProjectSignInProvider.emailLink
        return switch result.operation {
        case .signIn: "signed in \(isByLink ? "with an email link" : "to '\(result.providerID)'") as \(name)"
        case .link where isByLink: "\(name) can now sign in with email links"
        case .link: "'\(result.providerID)' is linked to \(name)"
        case .reauthenticate: "\(name) re-authenticated with '\(result.providerID)'"
        }
    }

    // MARK: The page in the browser

    fileprivate static func title(_ result: SignInResult) -> String {
        let text = text(result)
        return result.operation == .signIn ? text.prefix(1).uppercased() + text.dropFirst() : text
    }

    /// Fixed texts, because an error can contain text from a server, which would look like authctl's own in a browser.
    fileprivate static func reason(_ error: any Error) -> String {
        let code = (error as? any CodedError)?.code ?? .internalError
        return switch code.exitCode {
        case 2: "The sign-in was cancelled."
        case 3: "The sign-in took too long."
        case 6: "The identity or its address belongs to another account."
        case 7: code == .accessDenied ? "Access was denied at the provider." : "The provider refused the sign-in."
        case 65: "The provider's response is invalid."
        case 69: "The provider cannot be reached."
        default: "The sign-in failed."
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
        case .noUserInfo: "the userinfo endpoint returned no usable response; only the ID token's claims are used"
        }
    }
}

extension TerminalInterface {
    func landingPage(after result: Result<SignInResult, any Error>) -> LandingPage {
        switch result {
        case .success(let result):
            LandingPage(
                .succeeded, title: SignInText.title(result),
                text: "You can close this tab and go back to the terminal.",
                by: "authctl")
        case .failure(let error):
            LandingPage(
                .failed, title: "Not signed in to '\(providerID)'",
                text: "\(SignInText.reason(error)) The terminal says what to do. You can close this tab.", by: "authctl"
            )
        }
    }
}
