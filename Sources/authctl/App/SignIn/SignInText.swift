import AuthCore

enum SignInText {
    /// - Parameter before: the default session before a sign-in.
    static func show(_ result: SignInResult, after before: DefaultSession? = nil, in context: Context) async throws {
        let isSignIn = result.operation == .signIn
        let change = isSignIn ? try await DefaultSession.change(from: before, context) : nil
        guard !context.output.isJSON else {
            for note in result.notes { context.output.note(text(note)) }
            let emulator = (try? context.profile.origin())?.emulator
            let view = SignInView(
                result: result, session: context.names(of: []).full(result), isDefaultChanged: change != nil,
                emulator: emulator)
            return context.output.json(view.json)
        }
        note(result, context)
        note(change, context)
        guard !result.isRenewable, result.expiresAt != nil, !result.source.isPersonal else { return }
        // A Firebase project refreshes the session itself.
        guard (try? context.profile.projectSettings()) == nil else { return }
        context.output.note("the provider did not issue a refresh token: this session cannot be refreshed")
    }

    /// Says that commands without a name use another session than before.
    static func note(_ change: (now: String, before: String?)?, _ context: Context) {
        guard let change, let before = change.before else { return }
        let back = context.text(of: "authctl accounts switch \(before)")
        context.output.say([["The default is now \(change.now). Back: \(back)"]])
    }

    /// Prints the result for the user, also of commands with other output.
    static func note(_ result: SignInResult, _ context: Context) {
        for note in result.notes { context.output.note(text(note)) }
        let provider = context.names(of: []).provider(result.providerID)
        guard result.operation == .signIn else { return context.output.note(text(result, at: provider)) }
        let user = AccountText.user(result.account, at: result.providerID)
        let isByLink = result.providerID == ProjectSignInProvider.emailLink
        let begin = isByLink ? "Signed in with an email link as " : "Signed in to \(provider) as "
        let expiry = result.expiresAt.map { "The token is valid until \(RelativeTime.date($0))." }
        let end = result.source.isPersonal ? [[Cell(expiry ?? "The token has no expiry date.")]] : []
        context.output.say([[Cell(begin), Cell(user, as: .important), "."]] + end)
        if result.source == .gh { context.output.say([["Signing out here does not sign gh out."]]) }
        context.noteOtherAccount(than: result.account)
    }

    private static func text(_ result: SignInResult, at provider: String) -> String {
        let name = AccountText.name(result.account)
        let isByLink = result.providerID == ProjectSignInProvider.emailLink
        return switch result.operation {
        case .signIn: "Signed in to '\(provider)' as \(name)"
        case .link where isByLink: "\(name) can now sign in with email links"
        case .link: "'\(provider)' is linked to \(name)"
        case .reauthenticate: "\(name) re-authenticated with '\(provider)'"
        }
    }

    // MARK: The page in the browser

    fileprivate static func title(_ result: SignInResult) -> String { text(result, at: result.providerID) }

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
        case .personalTokenReplaced:
            "the former personal access token is no longer stored on this machine; it stays valid until you delete it at the provider"
        case .replacedByPersonalToken:
            "the former tokens are no longer stored on this machine; they stay valid until you remove the access at the provider"
        case .noUserInfo: "the userinfo endpoint returned no usable response; only the ID token's claims are used"
        }
    }
}

extension TerminalInterface {
    func confirmationPage(_ number: String) -> LandingPage {
        LandingPage(
            .waiting, title: "Enter \(number) at the terminal",
            text: "The sign-in continues there. Enter it only if you started this sign-in yourself.", by: "authctl")
    }

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
