import ArgumentParser
import AuthCore

/// A custom token, which a Firebase project's own server issued for an account. It is read from a file or standard
/// input, never from an argument.
struct CustomTokenFlag: ParsableArguments {
    @Option(
        help: .init("Sign in with a custom token from a file, or from standard input (-).", valueName: "file|-"),
        completion: .file())
    var customToken: String?

    func run(_ operation: SignInOperation, _ context: Context) async throws -> SignInResult {
        let signIn = try SignInToProject(context.profile)
        let token = try SecretInput.read(customToken ?? "-", prompt: "Custom token: ", in: context)
        return try await signIn.acceptCustomToken(CustomToken(token), operation)
    }
}
