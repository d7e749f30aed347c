import ArgumentParser
import AuthCore

struct CredentialAWSCommand: Command, UsesSession {
    static let configuration = CommandConfiguration(
        commandName: "aws", abstract: "Act as the credential_process of AWS tools.",
        discussion: "Exchanges the ID token for a role's credentials at the AWS Security Token Service.")
    static let examples: Examples = [
        "Print the credentials that AWS tools would get.":
            "authctl credential aws --provider oidc.work --role-arn arn:aws:iam::123456789012:role/deploy"
    ]

    @OptionGroup var provider: ProviderOption
    @OptionGroup var options: GlobalOptions
    @OptionGroup(title: "AWS role") var role: RoleFlags

    var errorContext: ErrorContext { .init("no credentials", provider: provider.id) }

    func run(_ context: Context) async throws {
        let request = try role.request()
        let token = try await context.toolToken(
            try context.toolRequest(try provider.id.map { [try context.named($0)] }, kind: .id))
        guard case .id(let idToken) = token.token else {
            throw NotSignedIn.noToken(.id, provider: token.providerID)
        }
        let credentials = try await AssumeRole(services: context.profile.services()).run(request, token: idToken)
        context.output.json([
            "Version": 1, "AccessKeyId": .string(credentials.accessKeyID),
            "SecretAccessKey": .string(credentials.secretAccessKey.revealed()),
            "SessionToken": .string(credentials.sessionToken.revealed()),
            "Expiration": .string(credentials.expiration),
        ])
    }
}
