import ArgumentParser
import AuthCore

struct CredentialCommand: AsyncParsableCommand, HasExamples {
    static let configuration = CommandConfiguration(
        commandName: "credential",
        abstract: "Provide tokens to git, docker, kubectl, AWS, Google Cloud and MCP clients.",
        discussion:
            "Each tool runs its command and reads the credential from standard output. 'install' configures a tool to use authctl, and 'list' shows what is installed.",
        subcommands: [
            Git.self, Docker.self, Kubectl.self, AWS.self, GCP.self, MCP.self, Netrc.self, Install.self, List.self,
            Uninstall.self,
        ])
    static let examples: Examples = [
        "Configure git to get tokens from authctl.": "authctl credential install git",
        "Print the credential that docker would get.": "echo ghcr.io | authctl credential docker get",
    ]

    struct Git: Command {
        static let configuration = CommandConfiguration(
            commandName: "git", abstract: "Act as git's credential helper.",
            discussion: """
                Prints nothing for hosts without a provider. 'store' does nothing, because authctl has its own \
                sessions. 'erase' does not sign out: the next 'get' refreshes the rejected token. On a terminal, if \
                git allows prompts and no user is signed in, the sign-in starts automatically.
                """)
        static let examples: Examples = [
            "Print the credential that git would get.":
                "printf 'protocol=https\\nhost=github.com\\n\\n' | authctl credential git get",
            "Configure git to use authctl.": "authctl credential install git",
        ]

        @Argument(
            help: "The git credential operation: get, store or erase.", completion: .list(["get", "store", "erase"]))
        var operation: String

        @OptionGroup var provider: ProviderOption
        @OptionGroup var options: GlobalOptions
        @OptionGroup var permissions: PermissionFlags

        static func errorContext(_ provider: String?) -> ErrorContext {
            ErrorContext("no credential", provider: provider, again: "authctl signin")
        }
        var errorContext: ErrorContext { Self.errorContext(provider.id) }

        func run(_ context: Context) async throws {
            try await Self.answer(operation, of: provider.id, permissions.permission, context)
        }

        static func answer(
            _ operation: String, of provider: String?, _ permissions: [InstallationPermission], _ context: Context
        ) async throws {
            if operation == "capability" { return context.output.exactly("version 0\ncapability authtype") }
            guard ["get", "erase"].contains(operation) else { return }
            let query = try readQuery()
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
                guard let account = try await context.account(userName: name, with: providers.map(\.id)) else { return }
                request.account = account
            }
            if operation == "erase" {
                guard let token = query.password ?? query.credential else { return }
                // git does not report this failure to users, so no error is printed.
                return (try? await CurrentToken(context.profile).distrust(AccessToken(token), request)) ?? ()
            }
            if let token = try await installationToken(query, providers, request, permissions, context) {
                return context.output.exactly(query.response(token, userName: providers.tokenUserName(for: token)))
            }
            let canPrompt = GitCredential.allowsPrompts(context.environment) && Prompt.isAttended
            let token = try await context.toolToken(request, signingIn: canPrompt)
            context.output.exactly(query.response(token, userName: providers.tokenUserName(for: token)))
        }

        private static func readQuery() throws -> GitCredential {
            do {
                return try GitCredential(try SecretInput.bytes("-"))
            } catch let error as GitCredential.ParseError {
                throw CommandError(
                    .usage,
                    error == .tooLong ? "git's request is too long" : "git's request is not a list of key=value lines")
            }
        }

        /// The GitHub App's installation token. A selected account or a token in the environment takes precedence.
        private static func installationToken(
            _ query: GitCredential, _ providers: [Provider], _ request: CurrentToken.Request,
            _ permissions: [InstallationPermission], _ context: Context
        ) async throws -> CurrentToken.Result? {
            guard let app = providers.first(where: { $0.appID != nil }), request.account == nil,
                try await context.environmentToken(app.id) == nil
            else { return nil }
            if let repository = query.path.flatMap(Repository.init(path:)) {
                let issued = InstallationRequest(repository, permissions)
                return try await IssueInstallationToken(at: app.id, in: context.profile)(issued)
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

    struct Docker: Command {
        static let configuration = CommandConfiguration(
            commandName: "docker", abstract: "Act as docker's credential helper.",
            discussion: """
                Docker looks for a program called docker-credential-authctl, which 'authctl credential install docker' \
                creates.
                """)
        static let examples: Examples = [
            "Print the credential that docker would get.": "echo ghcr.io | authctl credential docker get",
            "Configure docker to use authctl.": "authctl credential install docker --host ghcr.io",
        ]

        @Argument(
            help: "The docker credential operation: get, store, erase or list.",
            completion: .list(["get", "store", "erase", "list"]))
        var operation: String

        @OptionGroup var options: GlobalOptions

        var errorContext: ErrorContext { .init("no credential", again: "authctl signin") }

        static let notFound = "credentials not found in native keychain"

        func run(_ context: Context) async throws {
            switch operation {
            case "get": try await get(context)
            case "list": context.output.json(.object(try registries(context)))
            case "erase": return
            case "store":
                throw CommandError(
                    .usage,
                    "nothing is stored for docker: authctl uses its own sessions (authctl signin), so 'docker login' is not required"
                )
            default:
                throw CommandError(.usage, "the docker operation must be get, store, erase or list, not '\(operation)'")
            }
        }

        private func get(_ context: Context) async throws {
            guard let query = DockerCredential(try SecretInput.bytes("-")) else {
                throw CommandError(.usage, "docker's request is not one line with a server")
            }
            let server = query.server
            var providers: [Provider] = []
            if !server.contains("://") {
                providers = try await context.profile.providers(forHost: server, .registry, named: nil)
            } else if let url = query.url {
                providers = try await context.profile.providers(for: url, .registry, named: nil)
            }
            guard !providers.isEmpty else {
                context.output.exactly(Docker.notFound)
                throw ExitStatus(code: 1)
            }
            let token: CurrentToken.Result
            do {
                token = try await context.toolToken(try context.toolRequest(providers.map(\.id)))
            } catch let error where error is NotSignedIn || error is DirectoryMismatch {
                context.output.exactly(Docker.notFound)
                throw error
            }
            let response: JSONValue = [
                "ServerURL": .string(server), "Username": .string(providers.tokenUserName(for: token)),
                "Secret": .string(token.token.revealed()),
            ]
            context.output.json(response)
        }

        private func registries(_ context: Context) throws -> JSONObject {
            var object = JSONObject()
            for entry in try context.profile.providers() {
                for host in entry.ownHosts(for: .registry) + entry.apiHosts {
                    object[host.replacing("https://", with: "")] = .string(entry.dialect.tokenUserName)
                }
            }
            return object
        }
    }

    struct Kubectl: Command {
        static let configuration = CommandConfiguration(
            commandName: "kubectl", abstract: "Act as kubectl's credential plugin.",
            discussion: """
                Prints an ExecCredential with the ID token. If kubectl allows prompts and no user is signed in, the \
                sign-in starts automatically. Several kubectl processes share one sign-in.
                """)
        static let examples: Examples = [
            "Print the ExecCredential that kubectl would get.": "authctl credential kubectl --provider oidc.work",
            "Configure kubectl to use authctl.": "authctl credential install kubectl --provider oidc.work",
        ]

        @OptionGroup var provider: ProviderOption
        @OptionGroup var options: GlobalOptions

        @Option(help: "The token's type: access or id.")
        var type = CurrentToken.Kind.id

        static func errorContext(_ provider: String?) -> ErrorContext {
            ErrorContext("no credential", provider: provider, again: .signIn(provider))
        }
        var errorContext: ErrorContext { Self.errorContext(provider.id) }

        func run(_ context: Context) async throws { try await Self.answer(type, of: provider.id, context) }

        static func answer(_ type: CurrentToken.Kind, of provider: String?, _ context: Context) async throws {
            let query = try KubernetesCredential(context.environment["KUBERNETES_EXEC_INFO"])
            let request = try context.toolRequest(try provider.map { [try context.named($0)] }, type)
            context.output.json(query.response(try await context.toolToken(request, signingIn: query.isInteractive)))
        }
    }

    struct AWS: Command {
        static let configuration = CommandConfiguration(
            commandName: "aws", abstract: "Act as the credential_process of AWS tools.",
            discussion: "Exchanges the ID token for a role's credentials at the AWS Security Token Service.")
        static let examples: Examples = [
            "Print the credentials that AWS tools would get.":
                "authctl credential aws --provider oidc.work --role-arn arn:aws:iam::123456789012:role/deploy",
            "Configure an AWS profile to use authctl.":
                "authctl credential install aws --provider oidc.work --role-arn arn:aws:iam::123456789012:role/deploy",
        ]

        @OptionGroup var provider: ProviderOption
        @OptionGroup var options: GlobalOptions
        @OptionGroup(title: "AWS role") var role: RoleFlags

        var errorContext: ErrorContext { .init("no credentials", provider: provider.id, again: "authctl signin") }

        func run(_ context: Context) async throws {
            let request = try role.request()
            let token = try await context.toolToken(
                try context.toolRequest(try provider.id.map { [try context.named($0)] }, .id))
            guard case .id(let idToken) = token.token else {
                throw NotSignedIn.noToken(.id, provider: token.providerID)
            }
            let credentials = try await AssumeRole(services: context.profile.services())(request, token: idToken)
            let response: JSONValue = [
                "Version": 1, "AccessKeyId": .string(credentials.accessKeyID),
                "SecretAccessKey": .string(credentials.secretAccessKey.revealed()),
                "SessionToken": .string(credentials.sessionToken.revealed()),
                "Expiration": .string(credentials.expiration),
            ]
            context.output.json(response)
        }
    }

    struct Netrc: Command {
        static let configuration = CommandConfiguration(
            commandName: "netrc", abstract: "Print a ~/.netrc line for a host.",
            discussion: "For tools that read a netrc file, such as curl.")
        static let examples: Examples = [
            "Call an API with curl.":
                "curl --netrc-file <(authctl credential netrc api.example.com) https://api.example.com/",
            "Use the session with one provider.": "authctl credential netrc github.com --provider github.com",
        ]

        @Argument(help: "The host.")
        var host: String

        @OptionGroup var provider: ProviderOption
        @OptionGroup var options: GlobalOptions

        var errorContext: ErrorContext { .init("no credential", provider: provider.id, again: "authctl signin") }

        func run(_ context: Context) async throws {
            guard let url = HTTPURL(authority: host) else { throw CommandError(.usage, "'\(host)' is not a host") }
            var providers: [Provider] = []
            let id = try provider.id.map(context.named)
            for use in [Provider.TokenUse.api, .git] where providers.isEmpty {
                providers = try await context.profile.providers(forHost: host, use, named: id)
            }
            guard !providers.isEmpty else { throw context.unknownHost(url.authority, url, of: id) }
            let token = try await context.toolToken(try context.toolRequest(providers.map(\.id)))
            let login = providers.tokenUserName(for: token)
            // A netrc file names hosts without ports.
            context.output.exactly("machine \(url.host) login \(login) password \(token.token.revealed())")
        }
    }
}

extension Context {
    func toolToken(
        _ request: CurrentToken.Request, signingIn canPrompt: Bool
    ) async throws -> CurrentToken.Result {
        do {
            return try await toolToken(request)
        } catch let error as NotSignedIn where error.endsWithSignIn {
            guard canPrompt, !isUnattended else { throw error }
            let id = try providerID(request.provider)
            let result = try await FlowFlags.parse([]).run(id, .signIn, self, isUserInitiated: false)
            SignInText.note(result, self)
            var request = request
            request.provider = id
            return try await toolToken(request)
        }
    }

    fileprivate func account(userName: String, with providers: [String]) async throws -> String? {
        do {
            return try await CurrentToken(profile).account(userName: userName, with: providers)
        } catch NotSignedIn.noAccount {
            return nil
        }
    }
}

extension [Provider] {
    fileprivate func tokenUserName(for token: CurrentToken.Result) -> String {
        (first { $0.id == token.providerID } ?? self[0]).dialect.tokenUserName
    }
}
