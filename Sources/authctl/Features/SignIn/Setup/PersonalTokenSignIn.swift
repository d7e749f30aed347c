import AuthCore

/// A sign-in with a personal access token that the user pastes, or with a copy of gh's token.
struct PersonalTokenSignIn {
    let context: Context
    let provider: Provider
    let scopes: [String]
    var ghUser: String?
    var operation = SignInOperation.signIn
    private var id: String { provider.id }
    private var output: Output { context.output }
    private var title: String { SetupGuide.title(of: id) }

    func run() async throws -> SignInResult {
        _ = try await context.createStore()
        if let ghUser {
            // A rejected copy may be older than gh's own.
            for _ in 1...2 {
                guard let token = await context.profile.ghToken(of: ghUser, at: id) else { break }
                if let result = try await accepted(token, isOfGH: true) { return result }
            }
            output.prompt("\(title) does not accept the token of gh.\n")
        }
        let page = showPage()
        while true {
            let typed = try await context.required {
                try output.ask("Token (not shown): ", isHidden: true) { $0.trimmingSpaces() }
            }
            if typed.isEmpty {
                if let page { _ = Browser(environment: context.environmentOfPrograms).open(page) }
            } else if typed.isVisibleASCII, let result = try await accepted(AccessToken(typed)) {
                return result
            } else {
                output.prompt("\(title) does not accept this token. Paste another token:")
            }
        }
    }

    /// Shows where to create a token. Returns the page if the user can open it with Enter.
    private func showPage() -> String? {
        guard let page = provider.newTokenPage(scopes) else { return nil }
        let screen = Screen.standardError(context.environment)
        let tick = scopes.contains("repo") ? "" : " Also tick 'repo' for private repositories."
        context.say(["Create a token on this page.\(tick)", ""])
        output.prompt([[Cell(page, as: .important, link: page)], []], on: screen)
        let isHere = !context.environment.isRemote && Browser(environment: context.environment).program != nil
        if isHere { output.prompt("Press Enter to open the page.") }
        return isHere ? page : nil
    }

    /// Nil if the provider rejects the token.
    private func accepted(_ token: AccessToken, isOfGH: Bool = false) async throws -> SignInResult? {
        while true {
            do {
                return try await context.signInWithProvider().acceptAccessToken(
                    id, tenant: nil, isOfGH: isOfGH, as: operation
                ) { token }
            } catch is CredentialError {
                return nil
            } catch is HTTPError {
                try await context.waitToTryAgain(id)
            }
        }
    }
}
