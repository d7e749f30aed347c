import ArgumentParser
import AuthCore

struct CredentialDockerCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "docker", abstract: "Act as docker's credential helper.",
        discussion: """
            Docker looks for a program called docker-credential-authctl, which 'authctl use docker' \
            creates.
            """)
    static let examples: Examples = [
        "Print the credential that docker would get.": "echo ghcr.io | authctl credential docker get"
    ]

    @Argument(
        help: "The docker credential operation: get, store, erase or list.",
        completion: .list(["get", "store", "erase", "list"]))
    var operation: String

    @OptionGroup var options: GlobalOptions

    var errorContext: ErrorContext { .init("no credential") }

    static let notFound = "credentials not found in native keychain"

    func run(_ context: Context) async throws {
        switch operation {
        case "get": try await get(context)
        case "list": context.output.json(.object(try registries(context)))
        case "erase": return
        case "store":
            throw UsageProblem.other(
                "nothing is stored for docker: authctl uses its own sessions (authctl signin), so 'docker login' is not required"
            )
        default:
            throw UsageProblem.other("the docker operation must be get, store, erase or list, not '\(operation)'")
        }
    }

    private func get(_ context: Context) async throws {
        guard let query = DockerCredential(try SecretInput.bytes("-")) else {
            throw UsageProblem.other("docker's request is not one line with a server")
        }
        let server = query.server
        var providers: [Provider] = []
        if !server.contains("://") {
            providers = try await context.profile.providers(forHost: server, .registry, named: nil)
        } else if let url = query.url {
            providers = try await context.profile.providers(for: url, .registry, named: nil)
        }
        guard !providers.isEmpty else {
            context.output.exactly(Self.notFound)
            throw ExitStatus(code: 1)
        }
        let token: CurrentToken.Result
        do {
            token = try await context.toolToken(try context.toolRequest(providers.map(\.id)))
        } catch let error where error is NotSignedIn || error is DirectoryMismatch {
            context.output.exactly(Self.notFound)
            throw error
        }
        context.output.json([
            "ServerURL": .string(server), "Username": .string(providers.tokenUserName(for: token)),
            "Secret": .string(token.token.revealed()),
        ])
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
