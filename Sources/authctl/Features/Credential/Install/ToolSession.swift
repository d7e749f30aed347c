import AuthCore

extension ToolSetup {
    func signedIn() async throws -> [AccountStatus] {
        guard let store = try context.profile.sessionStoreForDisplay() else { return [] }
        return try await AccountStatus.signedIn(in: store)
    }

    /// Prints the sign-in that is required before the tool gets a token.
    func noteMissingSession() async throws {
        let known = try await signedIn().flatMap(\.sessions).map(\.providerID)
        // A session with a personal token needs no configured provider.
        let ids = try provider.map { [$0] } ?? context.profile.providerIDs() + known
        guard Set(known + (try context.environmentTokens().map(\.providerID))).isDisjoint(with: ids) else { return }
        let command: ShellCommand =
            ids.count == 1 ? "authctl signin \(context.names(of: []).provider(ids[0]))" : "authctl signin"
        context.output.note("Sign in first: \(context.text(of: command))")
    }

    /// If the current account's personal access token lacks the scope of a push, says where the user can add it, and
    /// reads the scopes again. Its failure does not undo what was configured.
    func offerGitScope() async throws {
        let session = try? await signedIn().first(where: \.isCurrent)?.sessions.first {
            $0.source == .personalToken && $0.providerID == provider ?? $0.providerID
        }
        guard let id = session?.providerID, let provider = try? context.profile.resolve(id).provider(),
            let scope = provider.gitScope, let page = provider.personalTokenPage,
            (try? context.environmentTokens())?.isEmpty == true,
            let token = try? await context.token(context.toolRequest([id]))
        else { return }
        let before = try? await DefaultSession(context)
        for isFirst in [true, false] {
            let result = try? await context.signInWithProvider().acceptAccessToken(id, tenant: nil, as: .signIn) {
                AccessToken(token.token.revealed())
            }
            _ = try? await before?.restored(context)
            // A fine-grained token has permissions instead of scopes.
            guard let result, !result.scopes.isEmpty, !result.scopes.contains(scope) else { return }
            context.output.note("the token lacks '\(scope)' for private repositories; tick it on this page: \(page)")
            guard isFirst, context.canPrompt else { return }
            // Printed before the question, because Ctrl-C ends the command.
            let undo = context.text(of: "authctl use --remove git")
            context.output.note("git is configured already; to undo it: \(undo)")
            _ = try context.output.ask("Press Enter when it is done. ") { typed in
                if !typed.isEmpty { throw InvalidInput("press Enter alone, or Ctrl-C to stop") }
            }
        }
    }
}
