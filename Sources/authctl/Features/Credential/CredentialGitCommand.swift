import ArgumentParser
import AuthCore

struct CredentialGitCommand: Command, UsesSession {
    static let configuration = CommandConfiguration(
        commandName: "git", abstract: "Act as git's credential helper.",
        discussion: """
            Prints nothing for hosts without a provider. 'store' does nothing, because authctl has its own \
            sessions. 'erase' does not sign out: the next 'get' refreshes the rejected token, or does not return \
            it again. On a terminal, if git allows prompts and no user is signed in, the sign-in starts automatically.
            """)
    static let examples: Examples = [
        "Print the credential that git would get.":
            "printf 'protocol=https\\nhost=github.com\\n\\n' | authctl credential git get"
    ]

    @Argument(
        help: "The git credential operation: get, store or erase.", completion: .list(["get", "store", "erase"]))
    var operation: String

    @OptionGroup var provider: ProviderOption
    @OptionGroup var options: GlobalOptions
    @OptionGroup var permissions: PermissionFlags

    static func errorContext(_ provider: String?) -> ErrorContext {
        ErrorContext("no credential", provider: provider)
    }
    var errorContext: ErrorContext { Self.errorContext(provider.id) }

    func run(_ context: Context) async throws {
        try await Self.answer(operation, of: provider.id, with: permissions.permission, in: context)
    }

    static func answer(
        _ operation: String, of provider: String?, with permissions: [InstallationPermission], in context: Context
    ) async throws {
        if operation == "capability" { return context.output.exactly("version 0\ncapability authtype") }
        guard ["get", "erase"].contains(operation) else { return }
        let query = try GitCredential(SecretInput.bytes("-"))
        guard let url = query.url else { return }
        let id = try provider.map(context.named)
        let providers = try await context.profile.providers(for: url, .git, named: id)
        guard !providers.isEmpty else { return }
        let choice = try context.accountChoice(forRequestAt: query.path.map { "\(url.text)/\($0)" } ?? url.text)
        var request = try context.toolRequest(providers.map(\.id), for: choice)
        // A user name in the URL takes precedence over a rule.
        if choice.place != nil || request.account == nil,
            let name = query.account(excluding: providers.map(\.dialect.tokenUserName)),
            try await context.environmentToken(request.provider) == nil
        {
            // If the account that Git names is not on this machine, Git asks another helper or the user.
            do {
                let session = try CurrentToken(context.profile)
                let account = try await session.account(userName: name, with: providers.map(\.id))
                guard let account else { return }
                request.account = account
            } catch NotSignedIn.noAccount { return }
        }
        if operation == "erase" {
            guard let token = (query.password ?? query.credential).map({ AccessToken($0) }) else { return }
            if let given = try await context.environmentToken(request.provider), try given.token() == token {
                return context.output.note(
                    "the server rejected the token in \(given.variable); put a new token into it, or unset it")
            }
            // git only says that the authentication failed. A failure of this operation does not matter to users.
            let isOwn = try? await CurrentToken(context.profile).reject(token, at: query.path, for: request)
            guard isOwn == true else { return }
            return context.output.note(
                "'\(url.text)' rejected the token; check that your account has access, or run the command again")
        }
        if let token = try await installationToken(query, at: providers, by: request, with: permissions, in: context) {
            return context.output.exactly(query.response(token, userName: providers.tokenUserName(for: token)))
        }
        let canPrompt = GitCredential.allowsPrompts(context.environment) && Prompt.isAttended
        let token = try await context.toolToken(request, signingIn: canPrompt)
        if let path = query.path, token.isRejected(for: path) {
            throw NotSignedIn.tokenRejectedFor(path: path, provider: token.providerID)
        }
        context.output.exactly(query.response(token, userName: providers.tokenUserName(for: token)))
    }

    /// The GitHub App's installation token. A selected account or a token in the environment takes precedence.
    private static func installationToken(
        _ query: GitCredential, at providers: [Provider], by request: CurrentToken.Request,
        with permissions: [InstallationPermission], in context: Context
    ) async throws -> CurrentToken.Result? {
        guard let app = providers.first(where: { $0.appID != nil }), request.account == nil,
            try await context.environmentToken(app.id) == nil
        else { return nil }
        if let repository = query.path.flatMap(Repository.init(path:)) {
            let issued = InstallationRequest(repository, permissions)
            return try await IssueInstallationToken(at: app.id, in: context.profile).run(issued)
        }
        // Without a client ID, users cannot sign in, so the repository's path is required.
        guard query.path == nil, app.isOnlyAnApp, let url = query.url else { return nil }
        let setting = "credential.\(url.text).useHttpPath"
        throw CommandError(
            .operationNotAllowed,
            "git did not send the path of the repository, for which '\(app.id)' issues a token",
            hint: .run("git config --global \(setting) true"))
    }
}
